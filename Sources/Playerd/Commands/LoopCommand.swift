import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

struct LoopCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop", abstract: "Show or set the loop mode.",
    discussion: "“none” stops at the end of the queue, “track” repeats the track, “playlist” repeats the queue.")

  @Argument(help: "none, track or playlist.")
  var mode: LoopArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let mode = mode?.mode {
      try await instance.player.set(PlayerInterface.loop, to: .string(MPRISLoopStatus(mode).rawValue))
    }
    return "loop \(try await instance.status().loop.lowercased())"
  }
}
