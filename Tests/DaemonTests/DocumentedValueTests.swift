import ArgumentParser
import FoundationEssentials
import Testing

@testable import DBus
@testable import GstPlayer
@testable import MPRISService
@testable import Playback
@testable import Playerd
@testable import PlayerdInterfaces
@testable import PlaylistFormats

/// Compares numbers in the documentation with the constants of the code.
@Suite("Documented values") struct DocumentedValueTests {
  /// A phrase with values of the code that a document contains.
  struct Statement: Sendable, CustomTestStringConvertible {
    var document: String
    var phrase: String
    var testDescription: String { "\(document): \(phrase)" }

    init(_ document: String, _ phrase: String) { (self.document, self.phrase) = (document, phrase) }
  }

  // MARK: Values in prose

  private static func seconds(_ duration: Duration) -> String { plain(duration / .seconds(1)) }
  private static func milliseconds(_ duration: Duration) -> String { plain(duration / .milliseconds(1)) }
  private static func plain(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }
  private static func mebibytes(_ bytes: Int) -> String { plain(Double(bytes) / Double(1 << 20)) + " MiB" }

  /// Returns a number in groups of three digits.
  private static func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : grouped(number / 1000) + " " + String("\(1000 + number % 1000)".dropFirst())
  }

  private static func word(_ number: Double) -> String {
    let words: [Double: String] = [
      1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 9: "nine", 10: "ten", 1000: "thousand",
    ]
    return words[number] ?? plain(number)
  }

  private static func word(_ number: Int) -> String { word(Double(number)) }
  private static func word(seconds duration: Duration) -> String { word(duration / .seconds(1)) }

  private static let (rate, player) = (Player.rateRange, Player.Configuration())
  private static let lowest = plain(rate.lowerBound)
  private static let highest = plain(rate.upperBound)
  private static let speeds = "\(lowest)…\(highest)"

  // MARK: Statements

  /// Each is in one of the documents for users.
  private static let behaviour: [String] = [
    "a Rate beyond \(speeds) is InvalidArgs",
    "A change is written within \(word(SessionSchedule.longest.wholeSeconds)) seconds",
    "the position every \(word(SessionSchedule.interval.wholeSeconds)) seconds of play",
    "For a queue of more than a \(word(SessionStore.shortQueue)) tracks",
    "in folders of up to \(word(ItemResolver.discLimit)) files",
    "At most \(mebibytes(MediaMetadata.Artwork.sizeLimit)).",
    "\(mebibytes(ArtCache(folder: "", digest: { _ in "" }).sizeLimit)) and \(ArtCache(folder: "", digest: { _ in "" }).countLimit) files are kept",
    "what takes longer than \(milliseconds(SignalCoalescer.limit)) ms follows as a change of Metadata",
    "Opens shorter than \(milliseconds(SignalCoalescer.limit)) ms are one signal",
    "of more than \(TrackWindow.size) tracks the \(TrackWindow.size) around the current one: \(TrackWindow.size / 4) or more",
    "at most \(word(.seconds(1) / MPRISExportedPlayer.shortestTrackListPause)) times a second",
    "up to \(word(TrackListChange.limit)) TrackRemoved and TrackAdded",
    "sent at most \(word(.seconds(1) / RangeThrottle.pause)) times a second",
    "by more than \(milliseconds(AnchorKeeper.tolerance)) ms",
    "of media time, \(grouped(Int(MonitorObservation.shortestInterval / .microseconds(1)))) or more",
    "\(word(seconds: MonitorBridge.notice)) seconds of wall time before the end",
    "A connection has at most \(MonitorObservers<Void>.mostOfOne) of them, with "
      + "\(grouped(MonitorObservers<Void>.mostBoundariesOfOne)) boundaries in all; all connections together "
      + "\(grouped(MonitorObservers<Void>.most)).",
    "\(milliseconds(ExtrasRules.shortestPart)) ms or more of a track",
    "more than \(seconds(ChapterSkip.grace)) s into one",
    "A track longer than \(plain(ResumePositions.shortest / .seconds(60))) minutes that was left after its first "
      + "\(word(seconds: ResumePositions.earliest)) seconds",
    "a \(word(ResumePositions.capacity)) tracks, written when a track is left and every minute",
    "fails by time-out, \(seconds(player.loadTimeout)) s",
    "fails by time-out, \(plain(Configuration().loadTimeout)) s",
    "after \(seconds(Reconnection.firstPause)) s, then "
      + "\(seconds(Reconnection.firstPause * 2)) s, up to "
      + "\(seconds(Reconnection.longestPause)) s, for \(word(player.reconnectTimeout / .seconds(60))) minutes",
    "one warning for each line (a \(word(Playlist.warningLimit)) at most); \(mebibytes(Playlist.byteLimit)), "
      + "\(grouped(Playlist.entryLimit)) items, \(word(ItemResolver.depthLimit)) levels",
    "one line that names it, after \(seconds(ItemResolver.listTimeout)) s at the latest",
    "opened again with growing pauses up to \(seconds(OutputState.longestPause)) s",
  ]

  private static let comparison: [String] = [
    "| `Rate` can be set | \(lowest) to \(highest) |",
    "editable, up to \(TrackWindow.size) tracks around the current one",
  ]

  private static let commandLine: [String] = [
    "`--rate \(speeds)`",
    "at most \(ShellCommands.limit) wait for it. A command is killed after \(seconds(ShellCommands.deadline)) s",
    "`previous` later than \(seconds(ChapterSkip.grace)) s into the first track",
    "`--loop \(Player.LoopMode.allCases.map(\.rawValue).joined(separator: "\\|"))`",
    "`--log-level \(LogLevelArgument.allCases.map(\.rawValue).joined(separator: "\\|"))`",
  ]

  private static let comments: [Statement] = [
    Statement(
      "Sources/MPRISService/MPRISSnapshot.swift",
      "at most \(milliseconds(SignalCoalescer.limit)) ms, and at most \(seconds(SignalCoalescer.firstLimit)) s for the first track"
    ),
    Statement(
      "Sources/MPRISService/MPRISExportedPlayer.swift",
      "at most \(milliseconds(SignalCoalescer.limit)) ms, the first track at most \(seconds(SignalCoalescer.firstLimit)) s"
    ),
    Statement(
      "Sources/DBus/Connection/ReconnectingDBusConnection.swift",
      "follows \(milliseconds(ReconnectingDBusConnection.firstBackOff)) ms after the loss; each failed attempt doubles the delay, up to "
        + "\(seconds(ReconnectingDBusConnection.longestBackOff)) s"),
    Statement(
      "Sources/MPRISService/MPRISService.swift",
      "after \(milliseconds(ReconnectingDBusConnection.firstBackOff)) ms, later with increasing delays up to "
        + "\(seconds(ReconnectingDBusConnection.longestBackOff)) s"),
    Statement(
      "Sources/DBus/Values/DBusValue.swift",
      "at most \(mebibytes(DBusValue.largestEncoding)) and is nested at most \(DBusValue.deepestNesting) levels deep"),
    Statement(
      "Sources/DBus/Connection/DBusConnection+Calls.swift",
      "`LimitsExceeded` if \(DBusConnection.mostCalls) calls are outstanding"
    ),
    Statement(
      "Sources/DBus/Connection/DBusConnection+Signals.swift", "keeps the newest \(Subscription.depth) signals"),
    Statement(
      "Sources/DBus/Connection/DBusConnection+Signals.swift",
      "`LimitsExceeded` if \(Subscription.most) streams are open"),
    Statement(
      "Sources/Playback/Values/PlayerConfiguration.swift",
      "grow from \(seconds(Reconnection.firstPause)) s to "
        + "\(seconds(Reconnection.longestPause)) s."),
    Statement(
      "Sources/Playback/Player/Player+Buffering.swift",
      "about \(seconds(StreamBuffer.usualForwardBuffer)) s"),
    Statement(
      "Sources/Playback/Values/PlayerAnchor.swift", "more than \(milliseconds(AnchorKeeper.tolerance)) ms"),
    Statement("Sources/Playerd/Commands/SpeedCommand.swift", "the speed, \(lowest) to \(highest)."),
    Statement("Sources/Playerd/Commands/OpenOptions.swift", "The speed, \(lowest) to \(highest)."),
    Statement(
      "Sources/GstPlayer/GstPlayer.docc/ComingFromAVPlayer.md", "It goes from \(lowest) to \(highest), and"),
    Statement(
      "Sources/GstPlayer/GstPlayer.docc/ComingFromAVPlayer.md",
      "The volume goes to \(plain(Player.volumeRange.upperBound))**"),
    Statement("docs/SEMANTICS.md", "stays while paused; \(speeds)"),
    Statement(
      "docs/SEMANTICS.md",
      "played except \(milliseconds(StreamBuffer.stallMargin)) ms, which are played after the stall"),
  ]

  static let statements =
    behaviour.map { Statement("docs", $0) } + comparison.map { Statement("docs/COMPARISON.md", $0) }
    + commandLine.map { Statement("docs/COMMAND-LINE.md", $0) } + comments

  // MARK: Documents

  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(root)/\(path)") ?? Data(), as: UTF8.self)
  }

  /// Returns the part of a document between two texts.
  private static func text(_ path: String, after start: String, upTo end: String) throws -> Substring {
    let text = text(path)
    let rest = text[try #require(text.firstRange(of: start)).upperBound...]
    return rest[..<(try #require(rest.firstRange(of: end)).lowerBound)]
  }

  /// Returns a document with its lines joined, and without comment markers; `docs` for all documents for users.
  private static func prose(_ path: String) -> String {
    guard path != "docs" else {
      return ["DBUS", "ERRORS", "COMMAND-LINE", "CONFIGURATION"].map { prose("docs/\($0).md") }.joined(separator: "\n")
    }
    return text(path).split(separator: "\n").map { line in
      let content = line.drop { $0 == " " }
      return content.hasPrefix("///") ? content.dropFirst(3).drop { $0 == " " } : content
    }.joined(separator: " ")
  }

  @Test("A document states the value of the code", arguments: statements)
  func statement(statement: Statement) {
    #expect(Self.prose(statement.document).contains(statement.phrase))
  }

  @Test("Limits that are stated in words are those of the code")
  func limits() throws {
    let buffering = Self.prose("Sources/Playback/Player/Player+Buffering.swift")
    #expect(buffering.contains("1 s to 10 min"))
    #expect(Player.Configuration.clamped(forwardBuffer: .zero) == .seconds(1))
    #expect(Player.Configuration.clamped(forwardBuffer: .seconds(9999)) == .seconds(10 * 60))
    #expect(buffering.contains("0.1 s or more."))
    #expect(Player.Configuration.clamped(timeout: .zero) == .milliseconds(100))
    #expect(Self.prose("Sources/Playback/Player/Player+TimeObservers.swift").contains("Media time, 1 ms or more."))
    #expect((try? TimeObservers.Kind(interval: .milliseconds(1))) != nil)
    #expect((try? TimeObservers.Kind(interval: .microseconds(999))) == nil)
    #expect(Self.prose("docs").contains("0 cancels it; at most a week"))
    #expect(ExtrasRules.longestSleep == .seconds(7 * 24 * 60 * 60))
    #expect(Self.prose("docs").contains("tracks, written when a track is left and every minute"))
    #expect(ResumeKeeper.pause == .seconds(60))
  }

  // MARK: Lists

  @Test("The exit statuses in COMMAND-LINE and the manual page are those of the code")
  func exitStatuses() throws {
    let source = Self.text("Sources/Playerd/Values/ExitStatus.swift")
    let statuses = [0] + source.matches(of: #/ExitCode\((\d+)\)/#).compactMap { Int($0.output.1) }
    #expect(statuses.count > 7)
    let table = try Self.text("docs/COMMAND-LINE.md", after: "| exit status | meaning |\n", upTo: "\n#")
    #expect(table.matches(of: #/(?:^|\n)\| (\d+) \|/#).compactMap { Int($0.output.1) } == statuses)
    let manual = Self.text("data/man/mpris-playerd.1.in")
    #expect(manual.matches(of: #/\n\.It (\d+)\n/#).compactMap { Int($0.output.1) } == statuses)
  }

  @Test("The failure codes in ERRORS are those of the code, except that of a cancelled task")
  func failureCodes() throws {
    let source = Self.text("Sources/Playback/Values/PlayerError.swift")
    let codes = source.matches(of: #/Code\(rawValue: "([a-z-]+)"\)/#).map { String($0.output.1) }
    #expect(codes.count > 15)
    let list = try #require(
      Self.prose("docs/ERRORS.md").firstMatch(of: #/with a code that identifies the cause: ([^.]*)\./#)
    ).output.1
    let listed = list.matches(of: #/`([a-z-]+)`/#).map { String($0.output.1) }
    #expect(Set(listed) == Set(codes).subtracting([PlayerError.Code.cancelled.rawValue]))
    #expect(Set(listed).count == listed.count)
  }

  @Test(
    "The members of an interface in DBUS, and the types of its properties, are those of the daemon",
    arguments: ["Monitor1", "Extras1", "Control1"])
  func members(interface: String) throws {
    let description = Self.text("data/interfaces/org.playerd.\(interface).xml")
    let members = description.matches(of: #/<(?:method|signal|property) name="(\w+)"(?: type="([^"]+)")?/#)
    let offered = Dictionary(
      members.map { (String($0.output.1), $0.output.2.map(String.init) ?? "") }, uniquingKeysWith: { first, _ in first }
    )
    var documented: [String: String] = [:]
    for row in try Self.text("docs/DBUS.md", after: "## \(interface)\n", upTo: "\n## ").split(separator: "\n") {
      let cells = row.split(separator: " | ")
      guard let first = cells.first, first.hasPrefix("| "), first.contains(#/[A-Z]/#), cells.count > 1 else { continue }
      let names = first.dropFirst(2).replacing(#/\([^)]*\)|→ \w+/#, with: "").split(separator: ",")
      let types = cells[1].split(separator: ", ").filter { $0 != "rw" }
      for (place, name) in names.enumerated() {
        let name = name.filter { $0 != " " }
        let type = types.count == names.count ? types[place] : types.first ?? ""
        documented[name] = offered[name]?.isEmpty == true ? "" : String(type)
      }
    }
    #expect(offered.count > 8)
    #expect(documented == offered)
  }

  @Test("The options in COMMAND-LINE are those of the command")
  func options() throws {
    let table = try Self.text("docs/COMMAND-LINE.md", after: "| option | meaning |\n", upTo: "\n## ")
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `--") }
    let names = rows.compactMap { row in row.firstRange(of: " | ").map { row[..<$0.lowerBound] } }
    let listed = names.flatMap { $0.matches(of: #/--([a-z-]+)/#).map { String($0.output.1) } }
    let help = OpenCommand.helpMessage(columns: 200)
    let options = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
      .flatMap { $0.matches(of: #/--([a-z-]+)/#).map { String($0.output.1) } }
    #expect(listed.count > 10)
    #expect(Set(listed) == Set(options).subtracting(["help", "version"]))
  }
}

extension Duration {
  /// The number of seconds, rounded up.
  fileprivate var wholeSeconds: Double { (self / .seconds(1)).rounded(.up) }
}
