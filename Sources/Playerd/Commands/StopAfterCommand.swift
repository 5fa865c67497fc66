import ArgumentParser
import DBus
import PlayerdInterfaces

struct StopAfterCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop-after", abstract: "Stop after the current track, or cancel that.",
    discussion: """
      The next track becomes current, and “play” starts it. Without an argument, the command prints the setting.
      """)

  @Argument(help: "on, off or toggle.")
  var change: SwitchArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let change {
      let stops = change.value(from: try await instance.status().stopsAfterCurrent)
      try await instance.extras.set(ExtrasInterface.stopAfterCurrent, to: stops)
    }
    let status = try await instance.status()
    let title = status.trackTitle
    return status.stopsAfterCurrent
      ? "stops after this track" + (title.isEmpty ? "" : ": \(title)") : "continues after this track"
  }
}
