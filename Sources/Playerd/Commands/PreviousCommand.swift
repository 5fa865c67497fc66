import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

struct PreviousCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "previous", abstract: "Go to the previous track.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport { instance, status in
      guard status.hasPrevious else { throw instance.failure("this is the first track") }
      try await instance.player.perform(PlayerInterface.previous)
    }
  }
}
