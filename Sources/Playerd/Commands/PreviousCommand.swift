import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

struct PreviousCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous", abstract: "Go to the previous track; later than 3 s into the first track, to its start.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport(continuesSession: true) { instance, status in
      if status.hasPrevious { return try await instance.player.perform(PlayerInterface.previous) }
      // MPRIS has no call for it: CanGoPrevious is false on the first track, and Previous then has no effect.
      guard status.isSeekable, let track = status.trackPath, let position = status.position,
        .microseconds(position) > ChapterSkip.grace
      else { throw instance.failure("this is the first track") }
      try await instance.player.perform(PlayerInterface.setPosition, track, Int64(0))
    }
  }
}
