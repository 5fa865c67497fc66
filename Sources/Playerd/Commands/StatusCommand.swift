import ArgumentParser

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the current track and the state of the player.",
    discussion: "The exit status is 69 if no instance is running; the command does not start one.")

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Print a template in playerctl's syntax, such as “{{artist}} – {{title}} {{duration(position)}}”.",
      valueName: "template"),
    transform: StatusTemplate.init)
  var format: StatusTemplate?

  @OptionGroup var target: InstanceOption

  func run() async throws {
    let status = try await target.withInstance { try await $0.status() }
    let text = format.map { $0.text(status.templateValues).withoutControls } ?? (json ? status.json : status.text)
    _ = StandardOutput.write(text + "\n")
  }

  func validate() throws {
    if json, format != nil { throw ValidationError("--json and --format cannot be combined") }
  }
}
