import ArgumentParser
import DBus
import MPRISService
import PlayerMPRIS
import PlayerdClient
import PlayerdInterfaces
import PlayerdService
import PlayerdSystem

struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "List or edit the queue.",
    discussion: "Tracks are numbered as “queue” lists them, from 1.",
    subcommands: [
      QueueListCommand.self, QueueFindCommand.self, QueueAddCommand.self, QueueNextCommand.self,
      QueueRemoveCommand.self,
      QueueMoveCommand.self, QueueJumpCommand.self, QueueClearCommand.self, SaveCommand.self,
    ],
    defaultSubcommand: QueueListCommand.self)
}

/// `mpris-playerd queue [list]`.
struct QueueListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the queue; an arrow marks the current track, an exclamation mark a failed one.",
    discussion: """
      On a terminal, the list is a table with the total length, and a shuffled queue is in the order of play; a longer list is \
      shown by $PAGER, or by less. Elsewhere, each track is a line, in list order.
      """)

  @Flag(help: "Print a JSON object for each track, one per line.")
  var json = false

  @OptionGroup var unknown: UnknownSubcommand
  @OptionGroup var target: InstanceOption

  func run() async throws {
    try unknown.reject(in: QueueCommand.self)
    try await target.withInstance { instance in
      let tracks = try await QueuePage.readAll(from: instance.control).rows
      if tracks.isEmpty, !json { throw instance.emptyQueue() }
      Self.write(tracks, isJSON: json, width: "\(tracks.count)".count, hasTotal: true)
    }
  }

  /// Prints a line for each track: on a terminal as a table in the order of play, with the total if `hasTotal`, otherwise
  /// in list order with the numbers padded to `width`.
  static func write(_ tracks: [QueuedTrack], isJSON: Bool, width: Int, hasTotal: Bool = false) {
    if !isJSON, StandardOutput.isTerminal {
      let (table, styles) = (QueueTable(tracks, width: StandardOutput.columns), StandardOutput.styles)
      return Pager.write((table.lines + (hasTotal ? [table.total] : [])).map { $0.text(styles) })
    }
    let lines = tracks.map { isJSON ? $0.json : $0.line(width: width).withoutControls }
    _ = StandardOutput.write(lines.map { $0 + "\n" }.joined())
  }
}

/// `mpris-playerd queue find WORD…`.
struct QueueFindCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "List the tracks of the queue with all of these words.",
    discussion: """
      A word is sought in the title, the artist, the album and the name of the file, without regard to case, accents and \
      typographic punctuation. Without a running instance, the command starts one with the last session, which does not \
      play.
      """, aliases: ["search"])

  @Argument(help: ArgumentHelp("A word, or a part of one.", valueName: "word"))
  var words: [String]

  @Flag(help: "Print a JSON object for each track, one per line.")
  var json = false

  @OptionGroup var target: InstanceOption

  func validate() throws {
    if words.contains("") { throw ValidationError("an empty argument is not a word") }
  }

  func run() async throws {
    try await target.withInstance(start: .session) { instance in
      let tracks = try await instance.find(SearchWords(words)).tracks
      QueueListCommand.write(tracks, isJSON: json, width: "\(tracks.last?.number ?? 0)".count)
    }
  }
}

/// `mpris-playerd queue add ITEM…`.
struct QueueAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Append files, folders, playlists and URLs to the queue.",
    discussion: """
      The item “-” stands for those on standard input, one a line or separated by NUL. Without a running instance, the \
      command starts one with the last session.
      """)

  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String]

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.enqueue(items, .append) }
}

/// `mpris-playerd queue next ITEM…`.
struct QueueNextCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Insert files, folders, playlists and URLs after the current track.",
    aliases: ["insert"])

  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String]

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.enqueue(items, .next) }
}

/// `mpris-playerd queue remove NUMBER…`.
struct QueueRemoveCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove tracks of the queue, by number or by words.",
    discussion: """
      If the current track is removed, the next remaining track plays. Words remove the only track that has all of them; if \
      several have, they are listed, and nothing changes. A number beyond the queue is a word.
      """, aliases: ["rm", "del"])

  @Argument(
    help: ArgumentHelp("A track number, last, or a range such as 3-5; or words.", valueName: "track"),
    completion: NameCompletion.tracks)
  var tracks: [String]

  @OptionGroup var options: VerbOptions

  func validate() throws { _ = try TrackSelection(tracks) }

  func perform(on instance: RunningInstance) async throws -> String {
    let names: String
    switch try TrackSelection(tracks) {
    case .ranges(let ranges):
      let before = try await instance.status().queueCount
      // Numbers beyond the queue are words.
      let numbers = ranges.map { $0.first.value(in: before) }
      if let number = numbers.min(), number > before {
        names = try await remove(
          try await instance.findOne(withNumbers: SearchWords(tracks), for: "remove", number: number), of: instance)
      } else {
        var indices: Set<Int64> = []
        for range in ranges {
          let numbers = try range.numbers(in: before)
          try instance.check(numbers.upperBound, isWithin: before)
          indices.formUnion(numbers.map { $0 - 1 })
        }
        names = try await instance.remove(indices.sorted())
      }
    case .words(let words):
      names = try await remove(try await instance.findOne(words, for: "remove"), of: instance)
    }
    return "removed \(names); \(try await instance.status().queueCount) left"
  }

  private func remove(
    _ found: (track: QueuedTrack, revision: UInt64), of instance: RunningInstance
  ) async throws -> String {
    try await instance.control.call(
      ControlInterface.removeListedTracks, found.revision, [UInt32(clamping: found.track.index)])
    return "“\(found.track.name)”"
  }
}

extension RunningInstance {
  /// Removes tracks of the present queue; returns their names: `“A”`, or `5 tracks: “A”, “B”, “C” and 2 more`.
  fileprivate func remove(_ indices: [Int64]) async throws(DBusError) -> String {
    var attempts = 5
    while true {
      var names: [String] = []
      var revision: UInt64?
      for index in indices.prefix(3) {
        let page = try await QueuePage.read(index, count: 1, from: control)
        revision = revision ?? page.revision
        names += page.rows.map { "“\($0.name)”" }
      }
      do throws(DBusError) {
        try await control.call(
          ControlInterface.removeListedTracks, revision ?? 0, indices.map { UInt32(clamping: $0) })
      } catch {
        // Items that are being added change the queue between the calls.
        attempts -= 1
        guard case .failed("") = error, attempts > 0 else { throw error }
        continue
      }
      let more = indices.count - names.count
      let text = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      return indices.count == 1 ? text : "\(counted(indices.count, "track")): \(text)"
    }
  }
}

/// `mpris-playerd queue move FROM TO`.
struct QueueMoveCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a track of the queue; playback continues.", aliases: ["mv"])

  @Argument(
    help: ArgumentHelp("The number of the track, or last.", valueName: "from"),
    transform: { try TrackNumber(parsing: $0) })
  var source: TrackNumber

  @Argument(
    help: ArgumentHelp("Its number after the move, or last; or the distance, such as +1 or -1.", valueName: "to"),
    transform: { try TrackPlace(parsing: $0) })
  var target: TrackPlace

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let count = try await instance.status().queueCount
    let source = source.value(in: count)
    try instance.check(source, isWithin: count)
    let target = try instance.number(of: target, from: source, isWithin: count)
    try await instance.control.call(
      ControlInterface.moveTrack, UInt32(clamping: source - 1), UInt32(clamping: target - 1))
    let track = try await QueuePage.read(target - 1, count: 1, from: instance.control).rows.first
    return "track \(source) is now \(target): \(track?.name ?? "")"
  }
}

/// `mpris-playerd queue jump NUMBER`.
struct QueueJumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jump", abstract: "Play a track of the queue, by number or by words.",
    discussion: """
      “jump +1” plays the track after the current one in the list. Words play the only track that has all of them; if several \
      have, they are listed, and nothing changes. A number beyond the queue is a word: “jump 1979”.
      """)

  @Argument(
    help: ArgumentHelp("The number of the track, last, or a distance such as +1 or -1; or words.", valueName: "track"),
    completion: NameCompletion.tracks)
  var track: [String]

  @OptionGroup var options: VerbOptions

  func validate() throws {
    if track.count == 1, TrackPlace(argument: track[0]) != nil { return }
    if case .ranges = try TrackSelection(track) { throw ValidationError("“jump” takes one number, or words") }
  }

  func run() async throws {
    if track.count == 1, let place = TrackPlace(argument: track[0]) { return try await options.jump(to: place) }
    try await options.transport(start: .session) { instance, _ in
      let (found, revision) = try await instance.findOne(SearchWords(track), for: "jump")
      try await instance.control.call(ControlInterface.playListedTrack, revision, UInt32(clamping: found.index))
    }
  }
}

/// `mpris-playerd queue clear`.
struct QueueClearCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Stop playback and empty the queue; “undo” restores it.")

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let status = try await instance.status()
    try await instance.control.call(ControlInterface.clear)
    let removed = status.queueCount == 1 ? "“\(status.trackTitle)”" : counted(status.queueCount, "track")
    return (status.queueCount == 0 ? "" : "removed \(removed); ") + "the queue is empty"
  }
}
