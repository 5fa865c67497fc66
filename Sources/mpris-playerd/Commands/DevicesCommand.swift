import ArgumentParser
import GstPlayer
import Logging

/// `mpris-playerd devices`: where sound can be played.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the output devices.",
    discussion: """
      Each line is an id, for the key audio-device, and a name; the sound system's own choice has a star. \
      The exit status is 69 when there is no device.
      """)

  func run() async throws {
    let outputs = await AudioOutput.all()
    guard !outputs.isEmpty else {
      Logger(label: Names.executable).error("no output device found; start PipeWire or PulseAudio")
      throw ExitStatus.unavailable
    }
    let lines = outputs.map { "\($0.isDefault ? "*" : " ") \($0.id)\t\($0.name)\n" }
    _ = StandardOutput.write(lines.joined())
  }
}
