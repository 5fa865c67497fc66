import ArgumentParser

/// `mpris-playerd status`.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the current track and the state of the player.",
    discussion: "The exit status is 69 when no instance is running; none is started.")

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var target: InstanceOption

  func run() async throws {
    let status = try await target.withInstance { try await $0.status() }
    _ = StandardOutput.write((json ? status.json : status.text) + "\n")
  }
}
