import ArgumentParser
import DBus
import MPRISService
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdService
import PlayerdSystem

/// `mpris-playerd play [ITEM…]`: resumes playback; with items the same as `open`.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Resume playback; with items, the same as “open”.",
    discussion: """
      Without items and without a running instance, the command starts one with the last session. “play 3” plays track 3 of \
      the queue, and “play +1” the one after the current track.
      """, aliases: ["resume"])

  @OptionGroup var options: OpenOptions

  func run() async throws {
    if let trackPlace { return try await options.verb.jump(to: trackPlace) }
    guard options.items.isEmpty else { return try await options.run() }
    let request = options.invocation.request
    try await options.verb.transport(start: .session) { instance, _ in
      if request != OpenRequest() { _ = try await instance.control.call(ControlInterface.open, [], request.options) }
      try await instance.player.perform(PlayerInterface.play)
    }
  }

  func validate() throws {
    let invocation = options.invocation
    guard options.items.isEmpty, let option = invocation.isSeparate ? "--new-instance" : invocation.startOptions.first
    else { return }
    throw ValidationError("“play” without items continues the player; \(option) needs an item, or the command “open”")
  }
}

extension PlayCommand {
  /// The track if it is the only argument and no item has this name; mpc plays it.
  private var trackPlace: TrackPlace? {
    guard options.items.count == 1, options.invocation.request == OpenRequest(),
      let place = options.items.first.flatMap({ TrackPlace(argument: $0) }), place != .number(.last)
    else { return nil }
    return ItemArguments(options.items, playlistFolder: ItemArguments.userPlaylistFolder).uris.isEmpty ? place : nil
  }
}

struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause playback.")

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.transport(PlayerInterface.pause) }
}

struct ToggleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Pause or resume.", aliases: ["play-pause"])

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport(start: .session) { instance, _ in
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
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Go to the next track; “next 2” goes to the one after that.")

  @Argument(
    help: ArgumentHelp("The number of tracks to go forward, 1 to 1000.", valueName: "count"),
    transform: { try StepCount(parsing: $0) })
  var count = StepCount.one

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport(start: .session) { instance, status in
      guard status.hasNext else { throw instance.failure("this is the last track") }
      try instance.check(count, isWithin: status)
      if let following = status.followingCount, count.value > following {
        throw instance.failure("only \(counted(following, "track")) left in the queue after this one")
      }
      try await instance.skip(count.value)
    }
  }
}

struct PreviousCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Go to the previous track; later than 3 s into the first track, to its start.", aliases: ["prev"])

  @Argument(
    help: ArgumentHelp("The number of tracks to go back, 1 to 1000.", valueName: "count"),
    transform: { try StepCount(parsing: $0) })
  var count = StepCount.one

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport(start: .session) { instance, status in
      guard status.hasPrevious else { return try await restart(status, on: instance) }
      try instance.check(count, isWithin: status)
      if let preceding = status.precedingCount, count.value > preceding {
        throw instance.failure("only \(counted(preceding, "track")) in the queue before this one")
      }
      try await instance.skip(-count.value)
    }
  }

  /// Seeks to the start of the first track.
  private func restart(_ status: PlayerStatus, on instance: RunningInstance) async throws {
    // MPRIS lacks a call for it: CanGoPrevious is false on the first track, and Previous then has no effect.
    guard count == .one, status.isSeekable, status.livePosition == nil, let track = status.trackPath,
      let position = status.position,
      .microseconds(position) > ChapterSkip.grace
    else { throw instance.failure("this is the first track") }
    try await instance.player.perform(PlayerInterface.setPosition, track, Int64(0))
  }
}

/// A number of tracks to skip: 1 to 1000.
struct StepCount: Equatable, CustomStringConvertible {
  static let one = StepCount(value: 1)

  let value: Int64

  private init(value: Int64) { self.value = value }

  init(parsing argument: String) throws {
    guard let value = SignedArgument.wholeNumber(argument), (1...1000).contains(value) else {
      throw ValidationError("“\(SignedArgument(argument).text)” is not a number of tracks from 1 to 1000")
    }
    self.value = value
  }

  var description: String { "\(value)" }
}

extension RunningInstance {
  /// Throws exit status 1 for more tracks than the queue has, which would go around a queue that is repeated.
  fileprivate func check(_ count: StepCount, isWithin status: PlayerStatus) throws {
    guard count == .one || count.value <= status.queueCount else {
      throw failure("the queue has only \(counted(status.queueCount, "track"))")
    }
  }
}

extension PlayerStatus {
  /// The number of tracks after the current one; nil if playback does not follow the order of the list.
  fileprivate var followingCount: Int64? { precedingCount.map { queueCount - 1 - $0 } }

  /// The number of tracks before the current one; nil if playback does not follow the order of the list.
  fileprivate var precedingCount: Int64? { isShuffled || loop == "Playlist" ? nil : queueIndex }
}

struct SeekCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", abstract: "Seek in the current track, or print the position in seconds.",
    discussion: """
      A time is 90, 90.5, 1:30, 1:02:03, 45s, 1m30s or 1.5h; a percentage is a part of the track. With + or - in front, they are \
      relative to the position: “seek +1m”, “seek -10%”. A number such as 1.30 is refused, because it may be 1:30 or 1.30s. \
      Seeking past the end goes to the next track.
      """, aliases: ["position"])

  @Argument(
    help: ArgumentHelp(
      "The position, such as 90, 1:30 or 50%; or the distance, such as +10 or -1:30.", valueName: "[+|-]time"),
    transform: { try SeekArgument(parsing: $0) })
  var target: SeekArgument?

  @OptionGroup var options: VerbOptions

  func run() async throws {
    guard let target else { return try await options.perform(Self.position) }
    try await options.transport { instance, status in
      if let reason = status.seekObstacle { throw instance.failure("cannot seek: \(reason)") }
      guard let time = target.place.time(in: status.duration.map { .microseconds($0) }) else {
        throw instance.failure("cannot seek to a percentage: the length of the track is unknown")
      }
      if let sign = target.sign {
        return try await instance.player.perform(PlayerInterface.seek, (time * sign).microseconds)
      }
      if let duration = status.duration, time > .microseconds(duration) {
        throw instance.failure("the position is beyond the end of the track (\(ClockTime.text(duration)))")
      }
      // No effect if the track is no longer current.
      if let track = status.trackPath {
        try await instance.player.perform(PlayerInterface.setPosition, track, time.microseconds)
      }
    }
  }

  private static func position(of instance: RunningInstance) async throws -> String {
    let status = try await instance.status()
    guard status.isActive else { throw instance.emptyQueue() }
    let text = PlayerStatus.text(ofRate: Double(status.position ?? 0) / 1_000_000)
    // “seek” accepts the printed position: three digits after the point are seconds.
    return TimeArgument.readings(of: text).isEmpty ? text : text + "0"
  }
}

struct LiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "Return to what a station sends now, after a pause or a seek back.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport { instance, status in
      if let reason = status.seekObstacle { throw instance.failure("cannot go live: \(reason)") }
      guard let position = status.livePosition, let track = status.trackPath else {
        throw instance.failure("the track is not a station")
      }
      try await instance.player.perform(PlayerInterface.setPosition, track, position)
    }
  }
}

/// A position, or a distance with a sign.
struct SeekArgument: TimedArgument, Equatable {
  static let forms = PlaceArgument.forms

  let place: PlaceArgument
  /// 1 or -1 for a distance.
  let sign: Int?

  init?(argument: String) {
    let change = SignedArgument(argument)
    guard let place = PlaceArgument(argument: change.magnitude) else { return nil }
    (self.place, sign) = (place, change.sign)
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

  @Argument(
    help: ArgumentHelp("The end of the part.", valueName: "end"), transform: { try TimeArgument(parsing: $0) })
  var end: TimeArgument?

  @OptionGroup var options: VerbOptions

  func validate() throws {
    guard let start else { return }
    if start == "off", end == nil { return }
    if let reason = TimeArgument.ambiguity(of: start) { throw ValidationError("the start “\(start)”: \(reason)") }
    guard let end, let first = TimeArgument(argument: start) else {
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
    return try await instance.status().repeatLine ?? "repeat-ab is off"
  }
}
