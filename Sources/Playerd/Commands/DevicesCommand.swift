import ArgumentParser
import Logging
import Playback

/// `mpris-playerd devices`: the output devices.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the output devices.",
    discussion: """
      Each line has an ID, for the configuration key audio-device, and a name; an asterisk marks the default device. \
      The exit status is 69 if no device is found.
      """)

  @OptionGroup(visibility: .private) var target: InstanceOption

  func validate() throws { try target.rejectInstance() }

  func run() async throws {
    let outputs = try await DaemonProgram.requireMedia().audioOutputs()
    guard !outputs.isEmpty else {
      Logger(label: Names.executable).error("no output device found; start PipeWire or PulseAudio")
      throw ExitStatus.unavailable
    }
    let lines = outputs.map {
      "\($0.isDefault ? "*" : " ") \($0.id.withoutControls)\t\($0.name.withoutControls)\n"
    }
    _ = StandardOutput.write(lines.joined())
  }
}
