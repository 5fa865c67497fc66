import ArgumentParser
import FoundationEssentials
import Playback
import PlayerdInterfaces
import Testing

@testable import Playerd

/// Keys, fields, members, options and statuses in the documents for users, against the code.
@Suite("Documented keys and fields") struct DocumentedFieldTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// Returns the cells of the table rows between two texts of a document, without the header of the table.
  private static func rows(of document: String, after start: String, upTo end: String = "\n\n") throws -> [[String]] {
    let data = try #require(FileManager.default.contents(atPath: "\(root)/docs/\(document)"))
    let text = String(decoding: data, as: UTF8.self) + "\n\n"
    let rest = text[try #require(text.firstRange(of: start)).upperBound...]
    return rest[..<(try #require(rest.firstRange(of: end)).lowerBound)].split(separator: "\n")
      .filter { $0.hasPrefix("| ") }
      .map { $0.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init) }
  }

  /// Returns the words of a cell that are in backticks.
  private static func names(_ cell: String) -> [String] { cell.matches(of: #/`(\w+)`/#).map { String($0.output.1) } }

  /// Returns the names of the fields of a JSON object.
  private static func fields(_ json: String) -> Set<String> {
    Set(json.matches(of: #/[{,]"(\w+)":/#).map { String($0.output.1) })
  }

  @Test("The keys in CONFIGURATION have the names, defaults, values and reloading of the code")
  func keys() throws {
    let rows = try Self.rows(of: "CONFIGURATION.md", after: "| key | default | values | on reload | meaning |\n")
    let documented = rows.map { $0.prefix(4).joined(separator: " | ") }
    let keys = ConfigurationKey.all.map {
      "`\($0.name)` | `\($0.value(in: Configuration()).toml)` | \($0.kind.description) | \($0.isLive ? "yes" : "no")"
    }
    #expect(documented == keys)
  }

  @Test("The fields of status in JSON are those of the command")
  func status() throws {
    let rows = try Self.rows(of: "JSON.md", after: "## status\n", upTo: "\n## ")
    let documented = rows.dropFirst().flatMap { Self.names($0[0]) }
    #expect(Set(documented) == Self.fields(PlayerStatus().json))
    #expect(Set(documented).count == documented.count)
  }

  @Test("The fields of queue in JSON are those of the command")
  func queue() throws {
    let rows = try Self.rows(of: "JSON.md", after: "## queue\n", upTo: "\n## ")
    let documented = rows.dropFirst().flatMap { Self.names($0[0]) }
    #expect(Set(documented) == Self.fields(QueuedTrack().json))
    #expect(Set(documented).count == documented.count)
  }

  @Test("The events of watch in JSON have the fields of the command")
  func watch() throws {
    let common = try Self.rows(of: "JSON.md", after: "All events have these fields:\n\n| field | value |\n")
      .flatMap { Self.names($0[0]) }
    let rows = try Self.rows(of: "JSON.md", after: "| event | condition | fields |\n")
    let events: [WatchRecord.Event] = [
      .state(status: "", timeControlStatus: "", reason: ""),
      .track(title: nil, artist: nil, album: nil, uri: nil, duration: nil), .periodic, .boundary(0), .seeked(from: nil),
      .buffering(percent: 0), .stalled, .ended, .failed(code: "", message: "", uri: nil),
      .chapter(index: nil, title: ""),
      .volume(1), .mute(true), .shuffle(true), .loop("None"), .speed(1),
      .output(""), .sleepTimer(remaining: nil, afterTrack: false), .stopAfter(0), .repeatAB(nil),
      .crossfade(0, onSkip: 0),
      .queue, .gone,
    ]
    try #require(rows.count == events.count)
    for (row, event) in zip(rows, events) {
      let record = WatchRecord(event: event, monotonic: 0)
      #expect(row[0] == "`\(record.name)`")
      #expect(Set(Self.names(row[2]) + common) == Self.fields(record.json), "\(record.name)")
    }
  }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(root)/\(path)") ?? Data(), as: UTF8.self)
  }

  /// All documents, in one text.
  private static let documents: String = {
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/docs")) ?? []
    return files.filter { $0.hasSuffix(".md") }.map { text("docs/\($0)") }.joined(separator: "\n")
  }()

  @Test("The exit statuses in COMMAND-LINE and the manual page are those of the code")
  func exitStatuses() throws {
    let source = Self.text("Sources/Playerd/Values/ExitStatus.swift")
    let statuses = [0] + source.matches(of: #/ExitCode\((\d+)\)/#).compactMap { Int($0.output.1) }
    #expect(statuses.count > 7)
    let rows = try Self.rows(of: "COMMAND-LINE.md", after: "| exit status | meaning |\n", upTo: "\n\n")
    #expect(rows.compactMap { Int($0[0]) } == statuses)
    let manual = Self.text("data/man/mpris-playerd.1.in")
    #expect(manual.matches(of: #/\n\.It (\d+)\n/#).compactMap { Int($0.output.1) } == statuses)
  }

  @Test("Each failure code, except that of a cancelled task, is in a document")
  func failureCodes() {
    let source = Self.text("Sources/Playback/Values/PlayerError.swift")
    let codes = source.matches(of: #/Code\(rawValue: "([a-z-]+)"\)/#).map { String($0.output.1) }
    #expect(codes.count > 15)
    let expected = codes.filter { $0 != PlayerError.Code.cancelled.rawValue }
    #expect(expected.filter { !Self.documents.contains("`\($0)`") } == [])
  }

  @Test("Each member of the daemon's own interfaces is in a document", arguments: ["Monitor1", "Extras1"])
  func members(interface: String) {
    let description = Self.text("data/interfaces/org.playerd.\(interface).xml")
    let names = description.matches(of: #/<(?:method|signal|property) name="(\w+)"/#).map { String($0.output.1) }
    #expect(names.count > 8)
    let words = Set(Self.documents.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    #expect(names.filter { !words.contains($0) } == [])
  }

  @Test("Each option that starts the daemon is in COMMAND-LINE")
  func options() {
    let options = OpenCommand.helpMessage(columns: 200).matches(of: #/(?m)^  (?:-., )?(--[a-z-]+)/#).map(\.output.1)
    #expect(options.count > 10)
    let text = Self.text("docs/COMMAND-LINE.md")
    #expect(options.filter { $0 != "--version" && $0 != "--help" && !text.contains($0) } == [])
  }
}
