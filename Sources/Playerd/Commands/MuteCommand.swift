import ArgumentParser
import DBus
import PlayerdInterfaces

struct MuteCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute", abstract: "Mute or unmute the sound; the volume is kept.",
    discussion: "Without an argument, the command toggles.")

  @Argument(help: "on, off or toggle.")
  var change = SwitchArgument.toggle

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let isMuted = change.value(from: try await instance.status().isMuted)
    try await instance.control.call(ControlInterface.setMuted, isMuted)
    return try await instance.status().volumeText
  }
}
