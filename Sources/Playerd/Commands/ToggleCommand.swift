import ArgumentParser
import MPRISService

struct ToggleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Pause or resume.")

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.transport(PlayerInterface.playPause) }
}
