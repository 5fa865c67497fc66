import ArgumentParser
import MPRISService

struct StopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop playback; the queue is kept.")

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.transport(PlayerInterface.stop) }
}
