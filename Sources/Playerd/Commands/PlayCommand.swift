import ArgumentParser
import MPRISService

/// `mpris-playerd play [ITEM…]`: resumes playback; with items the same as `open`.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Resume playback; with items, the same as “open”.")

  @OptionGroup var options: OpenOptions

  func run() async throws {
    guard options.items.isEmpty else { return try await options.run() }
    try await options.verb.transport(PlayerInterface.play)
  }
}
