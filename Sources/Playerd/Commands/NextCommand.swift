import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

struct NextCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "next", abstract: "Go to the next track.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport(continuesSession: true) { instance, status in
      guard status.hasNext else { throw instance.failure("this is the last track") }
      try await instance.player.perform(PlayerInterface.next)
    }
  }
}
