import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

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

struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause playback.")

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.transport(PlayerInterface.pause) }
}

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

struct StopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop playback; the queue is kept.")

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.transport(PlayerInterface.stop) }
}

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

struct ChapterCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "chapter", abstract: "Go to the next or the previous chapter of the current track.",
    discussion: """
      More than 3 s into a chapter, “previous” goes to its start. Without an argument, the command prints the chapter.
      """)

  enum Direction: String, ExpressibleByArgument, CaseIterable { case next, previous }

  @Argument(help: "next or previous.")
  var direction: Direction?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    guard let line = try await instance.status().chapterLine else {
      throw instance.failure("the current track has no chapters")
    }
    guard let direction else { return line }
    switch direction {
    case .next: try await instance.extras.call(ExtrasInterface.nextChapter)
    case .previous: try await instance.extras.call(ExtrasInterface.previousChapter)
    }
    return try await instance.status().chapterLine ?? line
  }
}

struct RepeatCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat-ab", abstract: "Repeat a part of the current track.",
    discussion: """
      “repeat-ab 1:30 2:00” repeats this part until the track changes; “repeat-ab off” cancels it. \
      Without an argument, the command prints the repeated part.
      """)

  @Argument(help: ArgumentHelp("The start of the part: 90, 1:30 or 1:02:03; or off.", valueName: "start"))
  var start: String?

  @Argument(help: ArgumentHelp("The end of the part.", valueName: "end"))
  var end: TimeArgument?

  @OptionGroup var options: VerbOptions

  func validate() throws {
    guard let start else { return }
    if start == "off", end == nil { return }
    guard let first = TimeArgument(argument: start), let end else {
      throw ValidationError("give a start and an end, such as 1:30 and 2:00, or off")
    }
    guard end.duration > first.duration else { throw ValidationError("the end of the part is not after its start") }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    if let start = start.flatMap({ TimeArgument(argument: $0) }), let end {
      try await instance.extras.call(
        ExtrasInterface.setABRepeat, start.duration.microseconds, end.duration.microseconds)
    } else if start != nil {
      try await instance.extras.call(ExtrasInterface.clearABRepeat)
    }
    return try await instance.status().repeatLine ?? "no part is repeated"
  }
}

struct StopAfterCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop-after", abstract: "Stop after the current track, or cancel that.",
    discussion: """
      The next track becomes current, and “play” starts it. Without an argument, the command prints the setting.
      """)

  @Argument(help: "on, off or toggle.")
  var change: SwitchArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let change {
      let stops = change.value(from: try await instance.status().stopsAfterCurrent)
      try await instance.extras.set(ExtrasInterface.stopAfterCurrent, to: stops)
    }
    let status = try await instance.status()
    let title = status.trackTitle
    return status.stopsAfterCurrent
      ? "stops after this track" + (title.isEmpty ? "" : ": \(title)") : "continues after this track"
  }
}

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
