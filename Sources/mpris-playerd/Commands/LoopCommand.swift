import ArgumentParser
import MPRISService
import PlayerdInterfaces

/// `mpris-playerd loop`.
struct LoopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop", abstract: "Show or set what follows the end of a track and of the queue.")

  @Argument(help: "none, track or playlist.")
  var mode: LoopArgument?

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.perform { instance in
      if let mode { try await instance.player.setLoop(LoopStatus(mode.mode)) }
      return "loop \(try await instance.status().loop.lowercased())"
    }
  }
}
