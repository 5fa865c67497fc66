import ArgumentParser
import GstPlayer

/// `mpris-playerd devices`: where sound can be played.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the output devices.",
    discussion: "Each line is an id, for the key audio-device, and a name; the sound system's own choice has a star.")

  func run() async throws {
    for output in await AudioOutput.all() {
      print("\(output.isDefault ? "*" : " ") \(output.id)\t\(output.name)")
    }
  }
}
