import ArgumentParser
import DBus
import MPRISService

struct ToggleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Pause or resume.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport(continuesSession: true) { instance, _ in
      // A new instance is to play, whether its session was playing or paused.
      if !instance.isNew { try await instance.player.perform(PlayerInterface.playPause) }
    }
  }
}
