import ArgumentParser

/// `mpris-playerd output`.
struct OutputCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "output", abstract: "Show the output device, or play through another one.",
    discussion: "“mpris-playerd devices” lists the IDs; “output default” returns to the configured output.")

  @Argument(
    help: ArgumentHelp("The ID of the device, or default.", valueName: "id"), completion: NameCompletion.devices)
  var id: String?

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.perform { instance in
      if let id { try await instance.setOutput(id == "default" ? "" : id) }
      return try await instance.status().outputLine
    }
  }
}
