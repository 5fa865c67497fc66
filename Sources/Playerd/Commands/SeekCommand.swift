import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

struct SeekCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", abstract: "Seek in the current track.",
    discussion: """
      A time is 90, 90.5, 1:30 or 1:02:03; with + or - in front it is relative to the position. Seeking past the end goes \
      to the next track.
      """)

  @Argument(help: ArgumentHelp("The position, or the distance with + or -.", valueName: "[+|-]time"))
  var target: SeekArgument

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport { instance, status in
      if let reason = status.seekObstacle { throw instance.failure("cannot seek: \(reason)") }
      switch target {
      case .relative(let distance):
        try await instance.player.perform(PlayerInterface.seek, distance.microseconds)
      case .absolute(let position):
        if let duration = status.duration, position > .microseconds(duration) {
          throw instance.failure("the position is beyond the end of the track (\(ClockTime.text(duration)))")
        }
        // No effect if the track is no longer current.
        if let track = status.trackPath {
          try await instance.player.perform(PlayerInterface.setPosition, track, position.microseconds)
        }
      }
    }
  }
}

/// A position, or a distance with a sign.
enum SeekArgument: ExpressibleByArgument, Equatable {
  case absolute(Duration)
  case relative(Duration)

  init?(argument: String) {
    let change = SignedArgument(argument)
    guard let time = TimeArgument(argument: change.magnitude) else { return nil }
    self = change.sign.map { .relative(time.duration * $0) } ?? .absolute(time.duration)
  }
}
