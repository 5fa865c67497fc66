import ArgumentParser

struct ToggleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Pause or resume.")

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.transport { instance, _ in try await instance.player.togglePlayback() } }
}
