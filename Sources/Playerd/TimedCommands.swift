import ArgumentParser
import DBus
import MPRISService
import PlayerdClient
import PlayerdInterfaces
import PlayerdSystem

struct StopAfterCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop-after", abstract: "Stop after the current track, or after several; or cancel that.",
    discussion: """
      “stop-after 2” plays the current track and the next one. Playback then stops at the start of the track that follows, \
      and “play” continues there. Without an argument, the command prints the setting.
      """)

  @Argument(
    help: ArgumentHelp("on, off, toggle, or a number of tracks.", valueName: "tracks"),
    completion: .list(SwitchArgument.allValueStrings), transform: { try StopAfterArgument(parsing: $0) })
  var change: StopAfterArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let change {
      let count = change.count(from: try await instance.status().stopsAfterTracks)
      try await instance.extras.set(ExtrasInterface.stopAfterTracks, to: count)
    }
    let status = try await instance.status()
    guard let line = status.stopAfterLine else { return "stop-after is off" }
    return joinedTexts([line, status.stopsAfterCurrent ? status.trackTitle : nil], by: ": ")
  }
}

/// `on`, `off`, `toggle`, or the number of tracks after which playback stops.
enum StopAfterArgument: Equatable {
  case change(SwitchArgument)
  case tracks(UInt32)

  init(parsing argument: String) throws {
    if let change = SwitchArgument(argument: argument) {
      self = .change(change)
    } else if let count = SignedArgument.wholeNumber(argument).map(UInt32.init(clamping:)),
      (1...ExtrasRules.mostTracksBeforeStop).contains(count)
    {
      self = .tracks(count)
    } else {
      throw ValidationError(
        "“\(SignedArgument(argument).text)” is neither on, off, toggle nor a number of tracks from 1 to "
          + "\(ExtrasRules.mostTracksBeforeStop)")
    }
  }

  /// Returns the new number of tracks, 0 for off, from the present one.
  func count(from present: Int64) -> UInt32 {
    switch self {
    case .change(let change): change.value(from: present > 0) ? 1 : 0
    case .tracks(let count): count
    }
  }
}

struct SleepCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep", abstract: "Pause after a delay.",
    discussion: """
      “sleep 30m” pauses in 30 minutes; a delay is 45s, 30m, 1h30m, 1.5h or 1:30:00. “sleep --at 23:30” pauses at this time of day. \
      “sleep +10m” extends the delay, and “sleep off” cancels the timer. Without an argument, the command prints the timer.
      """)

  @Argument(
    help: ArgumentHelp(
      "The delay, such as 30m or 1:30:00, or off; or the change, such as +10m.", valueName: "[+|-]delay"),
    transform: { try SleepArgument(parsing: $0) })
  var delay: SleepArgument?

  @Option(
    help: ArgumentHelp("Pause when the clock shows this time, such as 23:30.", valueName: "time"),
    transform: { try TimeOfDay(parsing: $0) })
  var at: TimeOfDay?

  @Flag(help: "Play the current track to its end first, then stop.")
  var afterTrack = false

  @OptionGroup var options: VerbOptions

  func validate() throws {
    if afterTrack, delay == nil, at == nil { throw ValidationError("--after-track needs a delay or a time") }
    if delay != nil, at != nil { throw ValidationError("a delay and --at cannot be combined") }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    if let at {
      let delay = ClockTime.delay(untilHour: at.hour, minute: at.minute)
      try await instance.extras.call(ExtrasInterface.setSleepTimer, delay, afterTrack)
    } else if let delay {
      let status = try await instance.status()
      let (time, after) = delay.timer(from: status, afterTrack: afterTrack)
      guard time > .zero || delay.sign == nil else { throw instance.failure("the sleep timer has less time left") }
      try await instance.extras.call(ExtrasInterface.setSleepTimer, time.microseconds, after)
    }
    return try await instance.status().sleepLine ?? "the sleep timer is off"
  }
}

/// The delay of a sleep timer: a time as in ``TimeArgument``, its change with a sign, or `off`.
struct SleepArgument: TimedArgument, Equatable {
  static let forms = "a delay is 45s, 30m, 1h30m, 1.5h or 1:30:00, at most 7 days, or off"

  /// Zero for off.
  let delay: Duration
  /// 1 or -1 for a change.
  var sign: Int?

  init?(argument: String) {
    guard argument != "off" else {
      delay = .zero
      return
    }
    let change = SignedArgument(argument)
    guard Self.ambiguity(of: argument) == nil, let time = TimeArgument(argument: change.magnitude)?.duration,
      time > .zero
    else { return nil }
    (delay, sign) = (time, change.sign)
  }

  /// Of a number without a unit, nobody knows whether it is minutes or seconds, and of a time such as `1:30`, whether it is hours
  /// and minutes, minutes and seconds, or a time of day.
  static func ambiguity(of argument: String) -> String? {
    let change = SignedArgument(argument)
    var texts: [String]
    var timeOfDay: String?
    if let match = change.magnitude.wholeMatch(of: #/([0-9]{1,4})([:.])([0-5][0-9])/#) {
      let isWhole = match.3 == "00"
      texts = ["\(match.1)h" + (isWhole ? "" : "\(match.3)m"), "\(match.1)m" + (isWhole ? "" : "\(match.3)s")]
      if match.2 == "." { texts.append("\(change.magnitude)s") }
      timeOfDay = "\(match.1):\(match.3)"
    } else if change.magnitude.wholeMatch(of: #/[0-9]+(\.[0-9]+)?/#) != nil {
      if Double(change.magnitude) == 0 { return "the delay is 0; “sleep off” cancels the timer" }
      texts = ["\(change.magnitude)m", "\(change.magnitude)s"]
    } else {
      return TimeArgument.ambiguity(of: argument)
    }
    texts = texts.map { SignedArgument(sign: change.sign, magnitude: $0).text }
    if change.sign == nil, let timeOfDay, TimeOfDay(argument: timeOfDay) != nil { texts.append("--at \(timeOfDay)") }
    return "it is ambiguous; write \(texts.dropLast().joined(separator: ", ")) or \(texts.last ?? "")"
  }

  /// Returns the new delay, and whether the track is then played to its end; a change keeps that setting of the timer.
  func timer(from status: PlayerStatus, afterTrack: Bool) -> (delay: Duration, isAfterTrack: Bool) {
    guard let sign else { return (delay, afterTrack) }
    return (.microseconds(status.sleepRemaining ?? 0) + delay * sign, afterTrack || status.sleepsAfterTrack)
  }
}

/// A time of day: `23:30` or `7:05`.
struct TimeOfDay: ExplainedArgument, Equatable {
  let hour: Int
  let minute: Int

  init?(argument: String) {
    guard let match = argument.wholeMatch(of: #/([0-9]{1,2}):([0-5][0-9])/#), let hour = Int(match.1), hour < 24,
      let minute = Int(match.2)
    else { return nil }
    (self.hour, self.minute) = (hour, minute)
  }

  static func objection(to argument: String) -> String { "a time of day is 0:00 to 23:59, such as 7:05 or 23:30" }
}
