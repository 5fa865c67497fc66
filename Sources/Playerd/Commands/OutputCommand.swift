import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

struct OutputCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "output", abstract: "Show or select the output device.",
    discussion: "“mpris-playerd devices” lists the IDs; “output default” returns to the configured output.")

  @Argument(
    help: ArgumentHelp("The ID of the device, or default.", valueName: "id"), completion: NameCompletion.devices)
  var id: String?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let id { try await select(id == "default" ? "" : id, of: instance) }
    return try await instance.status().outputLine
  }

  /// Selects the device with this ID; an empty one is the configured output.
  ///
  /// - Throws: Exit status 1 for a device that does not exist; the reason and the list of devices have been logged.
  private func select(_ id: String, of instance: RunningInstance) async throws {
    do throws(DBusError) {
      try await instance.extras.call(ExtrasInterface.setAudioOutput, id)
    } catch {
      guard case .invalidArguments("") = error else { throw error }
      let outputs = try await instance.extras.get(ExtrasInterface.audioOutputs)
      let list = outputs.isEmpty ? "no device was found" : "the devices are:"
      instance.log.error("\(error.message); \(list)")
      for output in outputs { _ = StandardError.write("  \(output.id)  \(output.name)".withoutControls + "\n") }
      throw ExitStatus.failure
    }
  }
}
