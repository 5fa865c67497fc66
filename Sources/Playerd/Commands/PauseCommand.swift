import ArgumentParser
import MPRISService

struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause playback.")

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.transport(PlayerInterface.pause) }
}
