import ArgumentParser

/// `mpris-playerd stop-after`: stop when this track has ended.
struct StopAfterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop-after", abstract: "Stop when the current track has ended, or after all do not.",
    discussion: "The next track is current then, and Play begins with it.")

  enum Choice: String, ExpressibleByArgument, CaseIterable { case on, off }

  @Argument(help: "on or off.")
  var choice = Choice.on

  func run() async throws { try await ExtrasClient.ask(.stopAfterCurrent(choice == .on)) }
}

/// `mpris-playerd sleep`: pause in a while.
struct SleepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep", abstract: "Pause in a while.",
    discussion: "A time is 45s, 30m, 1h30m, or as elsewhere 1:30:00; off takes it back.")

  @Argument(help: ArgumentHelp("When, from now, or off.", valueName: "time"))
  var time: SleepArgument

  @Flag(help: "Play the track to its end then, and stop.")
  var afterTrack = false

  func run() async throws {
    try await ExtrasClient.ask(.sleep(time.delay, afterTrack: afterTrack))
  }
}

/// `mpris-playerd repeat-ab`: repeat a part.
struct RepeatCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat-ab", abstract: "Repeat a part of the current track.",
    discussion: "It ends with the track, or with “repeat-ab off”.")

  @Argument(help: ArgumentHelp("Where the part starts: 90, 1:30 or 1:02:03; or off.", valueName: "start"))
  var start: String

  @Argument(help: ArgumentHelp("Where it ends.", valueName: "end"))
  var end: TimeArgument?

  func validate() throws {
    if start == "off", end == nil { return }
    guard TimeArgument(argument: start) != nil, end != nil else {
      throw ValidationError("it takes a start and an end, such as 1:30 and 2:00, or off")
    }
  }

  func run() async throws {
    guard let start = TimeArgument(argument: start), let end else { return try await ExtrasClient.ask(.clearRepeat) }
    try await ExtrasClient.ask(.repeatPart(from: start.duration, to: end.duration))
  }
}

/// `mpris-playerd chapter`: go by chapters.
struct ChapterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chapter", abstract: "Go to the next or the previous chapter of the current track.",
    discussion: "More than three seconds into a chapter, the previous one is its own start.")

  enum Direction: String, ExpressibleByArgument, CaseIterable { case next, previous }

  @Argument(help: "next or previous.")
  var direction: Direction

  func run() async throws {
    try await ExtrasClient.ask(direction == .next ? .nextChapter : .previousChapter)
  }
}

/// `mpris-playerd output`: play elsewhere.
struct OutputCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "output", abstract: "Play on through another output device.",
    discussion: "“mpris-playerd devices” lists the ids; without one it is the configured output again.")

  @Argument(help: ArgumentHelp("The id of the device.", valueName: "id"))
  var id = ""

  func run() async throws { try await ExtrasClient.ask(.output(id)) }
}

/// How long a sleep timer runs: `45s`, `30m`, `1h30m`, a time as ``TimeArgument`` takes it, or `off`.
struct SleepArgument: ExpressibleByArgument, Equatable {
  /// Zero for off.
  let delay: Duration

  init?(argument: String) {
    if argument == "off" {
      delay = .zero
    } else if let time = TimeArgument(argument: argument), time.duration > .zero {
      delay = time.duration
    } else if let match = argument.wholeMatch(of: #/(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?/#) {
      let parts = [match.1, match.2, match.3].map { $0.flatMap { Int($0) } ?? 0 }
      let total = Duration.seconds(parts[0] * 3600 + parts[1] * 60 + parts[2])
      guard total > .zero else { return nil }
      delay = total
    } else {
      return nil
    }
  }
}
