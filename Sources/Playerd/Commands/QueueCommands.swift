import ArgumentParser
import DBus
import MPRISService
import PlayerMPRIS
import PlayerdInterfaces

struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "List or edit the queue.",
    discussion: "Tracks are numbered as “queue” lists them, from 1.",
    subcommands: [
      QueueListCommand.self, QueueAddCommand.self, QueueNextCommand.self, QueueRemoveCommand.self,
      QueueMoveCommand.self, QueueJumpCommand.self, QueueClearCommand.self, SaveCommand.self,
    ],
    defaultSubcommand: QueueListCommand.self)
}

/// `mpris-playerd queue [list]`.
struct QueueListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the queue; an arrow marks the current track, an exclamation mark a failed one.")

  @Flag(help: "Print a JSON object for each track, one per line.")
  var json = false

  @OptionGroup var target: InstanceOption

  func run() async throws {
    try await target.withInstance { instance in
      let tracks = try await QueuePage.readAll(from: instance.control)
      let width = "\(tracks.count)".count
      let lines = tracks.map { json ? $0.json : $0.line(width: width).withoutControls }
      if lines.isEmpty, !json { throw instance.emptyQueue() }
      _ = StandardOutput.write(lines.map { $0 + "\n" }.joined())
    }
  }
}

/// `mpris-playerd queue add ITEM…`.
struct QueueAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Append files, folders, playlists and URLs to the queue.")

  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String]

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.enqueue(items, .append) }
}

/// `mpris-playerd queue next ITEM…`.
struct QueueNextCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Insert files, folders, playlists and URLs after the current track.")

  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String]

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.enqueue(items, .next) }
}

/// `mpris-playerd queue remove NUMBER…`.
struct QueueRemoveCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove tracks.",
    discussion: "If the current track is removed, the next remaining track plays.")

  @Argument(help: ArgumentHelp("A track number, or a range such as 3-5.", valueName: "number"))
  var numbers: [TrackRange]

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let before = try await instance.status().queueCount
    for range in numbers { try instance.check(range.numbers.upperBound, isWithin: before) }
    let indices = Set(numbers.flatMap { $0.numbers }.map { $0 - 1 })
    try await instance.control.call(ControlInterface.removeTracks, indices.sorted().map { UInt32(clamping: $0) })
    let left = try await instance.status().queueCount
    return "removed \(counted(indices.count, "track")), \(left) left"
  }
}

/// A range of track numbers on the command line: `3` or `3-5`.
struct TrackRange: ExpressibleByArgument, Equatable {
  /// From 1.
  let numbers: ClosedRange<Int64>

  init?(argument: String) {
    let parts = argument.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int64($0) }
    guard let first = parts.first ?? nil, first >= 1 else { return nil }
    guard parts.count == 2 else {
      numbers = first...first
      return
    }
    guard let last = parts[1], last >= first else { return nil }
    numbers = first...last
  }
}

/// `mpris-playerd queue move FROM TO`.
struct QueueMoveCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a track; playback continues.")

  @Argument(help: ArgumentHelp("The number of the track.", valueName: "from"))
  var source: Int64

  @Argument(help: ArgumentHelp("Its number after the move.", valueName: "to"))
  var target: Int64

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let count = try await instance.status().queueCount
    for number in [source, target] { try instance.check(number, isWithin: count) }
    try await instance.control.call(
      ControlInterface.moveTrack, UInt32(clamping: source - 1), UInt32(clamping: target - 1))
    let track = try await QueuePage.read(target - 1, count: 1, from: instance.control).rows.first
    return "track \(source) is now \(target): \(track?.name ?? "")"
  }
}

/// `mpris-playerd queue jump NUMBER`.
struct QueueJumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "jump", abstract: "Play a track of the queue.")

  @Argument(help: ArgumentHelp("The number of the track.", valueName: "number"))
  var number: Int64

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport(continuesSession: true) { instance, status in
      try instance.check(number, isWithin: status.queueCount)
      try await instance.control.call(ControlInterface.playTrack, UInt32(clamping: number - 1))
    }
  }
}

/// `mpris-playerd queue clear`.
struct QueueClearCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Stop playback and empty the queue.")

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    try await instance.control.call(ControlInterface.clear)
    return "the queue is empty"
  }
}

struct ShuffleCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Turn random order on or off.",
    discussion: "Without an argument, the command toggles.")

  @Argument(help: "on, off or toggle.")
  var change = SwitchArgument.toggle

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let isOn = change.value(from: try await instance.status().isShuffled)
    try await instance.player.set(PlayerInterface.shuffle, to: .boolean(isOn))
    return "shuffle \(isOn ? "on" : "off")"
  }
}

/// `on`, `off` or `toggle`.
enum SwitchArgument: String, ExpressibleByArgument, CaseIterable {
  case on, off, toggle

  func value(from present: Bool) -> Bool {
    switch self {
    case .on: true
    case .off: false
    case .toggle: !present
    }
  }
}

struct LoopCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop", abstract: "Show or set the loop mode.",
    discussion: "“none” stops at the end of the queue, “track” repeats the track, “playlist” repeats the queue.")

  @Argument(help: "none, track or playlist.")
  var mode: LoopArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let mode = mode?.mode {
      try await instance.player.set(PlayerInterface.loop, to: .string(MPRISLoopStatus(mode).rawValue))
    }
    return "loop \(try await instance.status().loop.lowercased())"
  }
}

struct UndoCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Restore the queue from before it was replaced or cleared.",
    discussion: """
      The track, its position, the order and the speed are restored, too. It undoes the last command or request of a \
      client that replaced or cleared the queue, or played another item at once. A second “undo” reverses the first. \
      The earlier queue is kept as long as the daemon runs.
      """)

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    try await instance.control.call(ControlInterface.undo)
    return try await instance.transportLine()
  }
}
