import ArgumentParser
import DBus
import MPRISService

/// `mpris-playerd play [ITEM…]`: resumes playback; with items the same as `open`.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Resume playback; with items, the same as “open”.",
    discussion: "Without items and without a running instance, the command starts one with the last session.")

  @OptionGroup var options: OpenOptions

  func run() async throws {
    guard options.items.isEmpty else { return try await options.run() }
    try await options.verb.transport(continuesSession: true) { instance, _ in
      try await instance.player.perform(PlayerInterface.play)
    }
  }
}
