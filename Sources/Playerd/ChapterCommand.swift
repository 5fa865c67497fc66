import ArgumentParser
import DBus
import MPRISService
import PlayerdClient
import PlayerdInterfaces
import PlayerdSystem

struct ChapterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chapter", abstract: "Go to a chapter of the current track, or list the chapters.",
    discussion: """
      “chapter 3” goes to the third chapter, “chapter +1” to the one after this, and “chapter list” lists them. More than 3 s into a chapter, “previous” goes to \
      its start. Without an argument, the command prints the chapter.
      """)

  @Argument(
    help: "next, previous, list, the number of a chapter, or a distance such as +1 or -1.",
    completion: NameCompletion.chapters)
  var chapter: ChapterArgument?

  @Flag(help: "With list, print a JSON object for each chapter, one per line.")
  var json = false

  @OptionGroup var options: VerbOptions

  func validate() throws {
    if json, chapter != .list { throw ValidationError("--json needs “chapter list”") }
  }

  func run() async throws {
    if chapter == .list { return try await options.target.withInstance(list) }
    try await options.perform(perform)
  }

  private func perform(on instance: RunningInstance) async throws -> String {
    let (status, line) = try await Self.status(of: instance)
    switch chapter {
    case nil, .list: return line
    case .next: try await instance.extras.call(ExtrasInterface.nextChapter)
    case .previous: try await instance.extras.call(ExtrasInterface.previousChapter)
    case .number(let number): try await go(to: number, status, on: instance)
    }
    return try await instance.status().chapterLine ?? line
  }

  /// Returns the state, and the line about the present chapter.
  private static func status(of instance: RunningInstance) async throws -> (PlayerStatus, String) {
    let status = try await instance.status()
    guard let line = status.chapterLine else { throw instance.failure("the current track has no chapters") }
    return (status, line)
  }

  private func go(to chapter: TrackPlace, _ status: PlayerStatus, on instance: RunningInstance) async throws {
    let chapters = try await instance.monitor.get(MonitorInterface.chapters)
    let number = chapter.value(in: Int64(chapters.count), from: (status.chapterIndex ?? -1) + 1)
    guard number >= 1, number <= Int64(chapters.count), let track = status.trackPath else {
      throw instance.failure("chapter \(number) does not exist; the track has \(counted(chapters.count, "chapter"))")
    }
    if let reason = status.seekObstacle { throw instance.failure("cannot seek: \(reason)") }
    try await instance.player.perform(PlayerInterface.setPosition, track, chapters[Int(number) - 1].start)
  }

  /// Prints a line for each chapter: `> 2  1:30  Title`, with an arrow at the current one.
  private func list(of instance: RunningInstance) async throws {
    let current = try await Self.status(of: instance).0.chapterIndex
    let chapters = try await instance.monitor.get(MonitorInterface.chapters).enumerated().map { index, chapter in
      ListedChapter(index: index, isCurrent: Int64(index) == current, title: chapter.title, start: chapter.start)
    }
    let width = "\(chapters.count)".count
    let widest = chapters.map(\.time.count).max() ?? 0
    let lines = chapters.map { json ? $0.json : $0.line(numberWidth: width, timeWidth: widest).withoutControls }
    _ = StandardOutput.write(lines.map { $0 + "\n" }.joined())
  }
}

/// A line of `chapter list`.
struct ListedChapter {
  var index = 0
  var isCurrent = false
  var title = ""
  /// In microseconds.
  var start: Int64 = 0

  var time: String { ClockTime.text(start) }

  func line(numberWidth: Int, timeWidth: Int) -> String {
    let number = "\(index + 1)".padded(to: numberWidth)
    return (isCurrent ? "> " : "  ") + number + "  " + time.padded(to: timeWidth) + (title.isEmpty ? "" : "  \(title)")
  }

  var json: String {
    jsonLine([
      "index": .integer(Int64(index)), "current": .boolean(isCurrent), "title": .string(title),
      "start": JSONValue(microseconds: start),
    ])
  }
}

/// `next`, `previous`, `list`, or the number of a chapter.
enum ChapterArgument: ExpressibleByArgument, Equatable {
  case next, previous, list
  case number(TrackPlace)

  init?(argument: String) {
    switch argument {
    case "next": self = .next
    case "previous", "prev": self = .previous
    case "list": self = .list
    default:
      guard let number = TrackPlace(argument: argument) else { return nil }
      self = .number(number)
    }
  }

  static let allValueStrings = ["next", "previous", "list", "last"]
}

extension String {
  /// The text with blanks before it, up to a number of characters.
  func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
