import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

struct SleepCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep", abstract: "Pause after a delay.",
    discussion: """
      “sleep 30m” pauses in 30 minutes; a delay is 45s, 30m, 1h30m or 1:30:00. “sleep off” cancels the timer. \
      Without an argument, the command prints the timer.
      """)

  @Argument(help: ArgumentHelp("The delay, or off.", valueName: "delay"))
  var delay: SleepArgument?

  @Flag(help: "Play the current track to its end first, then stop.")
  var afterTrack = false

  @OptionGroup var options: VerbOptions

  func validate() throws {
    if afterTrack, delay == nil { throw ValidationError("--after-track needs a delay") }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    if let delay {
      try await instance.extras.call(ExtrasInterface.setSleepTimer, delay.delay.microseconds, afterTrack)
    }
    return try await instance.status().sleepLine ?? "the sleep timer is off"
  }
}

/// The delay of a sleep timer: `45s`, `30m`, `1h30m`, a time as in ``TimeArgument``, or `off`.
struct SleepArgument: ExpressibleByArgument, Equatable {
  /// Zero for off.
  let delay: Duration

  init?(argument: String) {
    if argument == "off" {
      delay = .zero
    } else if let time = TimeArgument(argument: argument), time.duration > .zero {
      delay = time.duration
    } else if let match = argument.wholeMatch(of: #/(?:([0-9]{1,4})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,8})s)?/#) {
      let parts = [match.1, match.2, match.3].map { $0.flatMap { Int($0) } ?? 0 }
      let total = Duration.seconds(parts[0] * 3600 + parts[1] * 60 + parts[2])
      guard total > .zero else { return nil }
      delay = total
    } else {
      return nil
    }
  }
}
