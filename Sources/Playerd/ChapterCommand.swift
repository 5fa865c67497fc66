import ArgumentParser
import DBus
import Logging
import MPRISService
import PlayerdClient
import PlayerdInterfaces
import PlayerdSystem

struct ChapterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chapter", abstract: "Go to a chapter of the current track, or list the chapters.",
    discussion: """
      “chapter 3” goes to the third chapter, “chapter +1” to the one after this, and “chapter list” lists them. Words go to the \
      only chapter whose title has all of them. More than 3 s into a chapter, “previous” goes to its start. Without an argument, \
      the command prints the chapter.
      """)

  @Argument(
    help: ArgumentHelp(
      "next, previous, list, the number of a chapter, last, or a distance such as +1 or -1; or words of its title.",
      valueName: "chapter"),
    completion: NameCompletion.chapters)
  var words: [String] = []

  @Flag(help: "With list, print a JSON object for each chapter, one per line.")
  var json = false

  @OptionGroup var options: VerbOptions

  private var chapter: ChapterArgument? { ChapterArgument(words) }

  func validate() throws {
    if words.contains("") { throw ValidationError("an empty word is in every title") }
    if words.count == 1, CommandHint.command(for: ["chapter"] + words) != nil {
      let answer = "is not a chapter; give next, previous, list, a number, or words of its title"
      throw ValidationError("“\(words.joined())” \(answer)")
    }
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
    case .next:
      let chapters = try await instance.monitor.get(MonitorInterface.chapters)
      guard chapters.contains(where: { $0.start > status.position ?? 0 }) else {
        throw instance.failure("this is the last chapter")
      }
      try await instance.extras.call(ExtrasInterface.nextChapter)
    case .previous: try await instance.extras.call(ExtrasInterface.previousChapter)
    case .number(let number): try await go(to: number, status, on: instance)
    case .words(let words): try await go(to: words, status, on: instance)
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
    try await go(to: chapters[Int(number) - 1].start, in: track, status, on: instance)
  }

  /// Goes to the only chapter whose title has all words; lists them if there are several.
  private func go(to words: SearchWords, _ status: PlayerStatus, on instance: RunningInstance) async throws {
    let found = try await Self.chapters(of: instance, status).filter { words.match([$0.title]) }
    guard let chapter = found.first, let track = status.trackPath else {
      throw instance.failure(
        "no chapter has “\(words.text)”; give next, previous, list, a number, or other words of its title")
    }
    guard found.count == 1 else {
      let count = counted(found.count, "chapter")
      instance.log.error("\(count) have “\(words.text)”; give the number, such as “chapter \(chapter.index + 1)”:")
      _ = StandardError.write(ListedChapter.text(of: found))
      throw ExitStatus.failure
    }
    try await go(to: chapter.start, in: track, status, on: instance)
  }

  private func go(
    to position: Int64, in track: ObjectPath, _ status: PlayerStatus, on instance: RunningInstance
  ) async throws {
    if let reason = status.seekObstacle { throw instance.failure("cannot seek: \(reason)") }
    try await instance.player.perform(PlayerInterface.setPosition, track, position)
  }

  private static func chapters(
    of instance: RunningInstance, _ status: PlayerStatus
  ) async throws -> [ListedChapter] {
    try await instance.monitor.get(MonitorInterface.chapters).enumerated().map { index, chapter in
      ListedChapter(
        index: index, isCurrent: Int64(index) == status.chapterIndex, title: chapter.title, start: chapter.start)
    }
  }

  /// Prints a line for each chapter: `> 2  1:30  Title`, with an arrow at the current one.
  private func list(of instance: RunningInstance) async throws {
    let chapters = try await Self.chapters(of: instance, try await Self.status(of: instance).0)
    _ = StandardOutput.write(json ? chapters.map { $0.json + "\n" }.joined() : ListedChapter.text(of: chapters))
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

  /// Returns the lines of chapters, in columns.
  static func text(of chapters: [ListedChapter]) -> String {
    let width = "\((chapters.last?.index ?? 0) + 1)".count
    let widest = chapters.map(\.time.count).max() ?? 0
    return chapters.map { $0.line(numberWidth: width, timeWidth: widest).withoutControls + "\n" }.joined()
  }

  private func line(numberWidth: Int, timeWidth: Int) -> String {
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

/// `next`, `previous`, `list`, the number of a chapter, or words of its title.
enum ChapterArgument: Equatable {
  case next, previous, list
  case number(TrackPlace)
  case words(SearchWords)

  /// Reads the words of a command line; nil without a word.
  init?(_ words: [String]) {
    guard let word = words.first else { return nil }
    switch words.count == 1 ? word : "" {
    case "next": self = .next
    case "previous", "prev": self = .previous
    case "list": self = .list
    default:
      let number = words.count == 1 ? TrackPlace(argument: word) : nil
      self = number.map { .number($0) } ?? .words(SearchWords(words))
    }
  }

  static let allValueStrings = ["next", "previous", "list", "last"]
}

extension String {
  /// The text with blanks before it, up to a number of characters.
  func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
