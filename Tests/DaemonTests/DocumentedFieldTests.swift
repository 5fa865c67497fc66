import ArgumentParser
import FoundationEssentials
import Playback
import PlayerdInterfaces
import TestSupport
import Testing

@testable import Playerd
@testable import PlayerdClient
@testable import PlayerdConfiguration
@testable import PlayerdSystem

/// Keys, fields, members, options and statuses in the documents for users, computed or compared with the code.
@Suite("Documented keys and fields") struct DocumentedFieldTests {
  /// Returns the names of the fields of a JSON object, in their order.
  private static func fields(_ json: String) -> [String] {
    json.matches(of: #/[{,]"(\w+)":/#).map { String($0.output.1) }
  }

  @Test("The keys in CONFIGURATION have the names, defaults, values and reloading of the code")
  func keys() throws {
    try GeneratedTable("keys", in: "docs/CONFIGURATION.md").expect(
      rows: ConfigurationKey.all.map {
        let isLive = $0.isLive ? "yes" : "no"
        return ($0.name, ["`\($0.name)`", "`\($0.value(in: Configuration()).toml)`", $0.kind.description, isLive])
      })
  }

  @Test(
    "JSON lists the fields of each command",
    arguments: [
      ("status", PlayerStatus().json), ("queue", QueuedTrack().json), ("devices", ListedDevice().json),
      ("playlist", ListedPlaylist().json), ("places", SavedPlace().json), ("chapter", ListedChapter().json),
    ])
  func fields(command: String, json: String) throws {
    try GeneratedTable(command, in: "docs/JSON.md").expect(rows: Self.fields(json).map { ($0, ["`\($0)`"]) })
  }

  @Test("The events of watch in JSON have the fields of the command")
  func watch() throws {
    let events: [WatchRecord.Event] = [
      .state(status: "", timeControlStatus: "", reason: ""),
      .track(title: nil, artist: nil, album: nil, uri: nil, duration: nil), .periodic, .boundary(0), .seeked(from: nil),
      .buffering(percent: 0), .stalled, .ended, .failed(code: "", message: "", uri: nil),
      .chapter(index: nil, title: ""),
      .volume(1), .mute(true), .shuffle("tracks"), .loop("None"), .speed(1),
      .output(""), .sleepTimer(remaining: nil, afterTrack: false), .stopAfter(0), .repeatAB(nil),
      .crossfade(0, onSkip: 0), .consume(true), .pausedFor(nil), .book(nil),
      .queue, .gone,
    ]
    let records = events.map { WatchRecord(event: $0, monotonic: 0) }
    let common = Self.fields(WatchRecord(event: .gone, monotonic: 0).json)
    try GeneratedTable("events", in: "docs/JSON.md").expect(
      rows: records.map { record in
        let fields = Self.fields(record.json).filter { !common.contains($0) }.map { "`\($0)`" }.joined(separator: ", ")
        return (record.name, ["`\(record.name)`", fields.isEmpty ? "none" : fields])
      })
    try GeneratedTable("all events", in: "docs/JSON.md").expect(rows: common.map { ($0, ["`\($0)`"]) })
  }

  @Test("COMMAND-LINE lists the fields and the functions of a template")
  func templates() throws {
    try GeneratedTable("template fields", in: "docs/COMMAND-LINE.md").expect(
      rows: StatusTemplate.fieldNames.map { ($0, ["`\($0)`"]) })
    try GeneratedTable("template functions", in: "docs/COMMAND-LINE.md").expect(
      rows: StatusFunction.allCases.map { ($0.rawValue, ["`\($0.form)`"]) })
  }

  @Test("The metadata fields of a template are the entries that the player sends")
  func metadataFields() throws {
    let source = try Self.text("Sources/MPRISService/MetadataEntries.swift")
    let entries = source.matches(of: #/\badd\w*\("([\w:]+)"/#).map { String($0.output.1) }
    #expect(entries.count > 20 && entries == StatusTemplate.metadataNames)
  }

  /// Returns the text of a file of the package.
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(GeneratedTable.package)/\(path)", encoding: .utf8)
  }

  @Test(
    "The members of the daemon's own interfaces in DBUS have the types of the interface files",
    arguments: ["Monitor1", "Extras1", "Control1"])
  func members(interface: String) throws {
    let element =
      #/<(method|signal|property) name="(\w+)"(?: type="(.*?)" access="(\w+)")?(.*?)(?=<method|<sig|<prop|<.int)/#
      .dotMatchesNewlines()
    let argument = #/<arg name="(\w+)" type="(.*?)"(?: direction="(\w+)")?/#
    var rows: [String: [(name: String, cells: [String])]] = [:]
    for (_, kind, name, type, access, content) in try Self.text("data/interfaces/org.playerd.\(interface).xml")
      .matches(of: element).map(\.output)
    {
      let arguments = content.matches(of: argument).map(\.output)
      let (results, parameters) = (arguments.filter { $0.3 == "out" }, arguments.filter { $0.3 != "out" })
      let list = { (arguments: [(Substring, Substring, Substring, Substring?)]) in
        arguments.map { "\($0.2) \($0.1)" }.joined(separator: ", ")
      }
      let result = results.isEmpty ? "" : " → \(list(results))"
      let cells = type.map { ["\(name)", access == "readwrite" ? "\($0), rw" : "\($0)"] }
      rows["\(kind)", default: []].append(("\(name)", cells ?? ["\(name)(\(list(parameters)))\(result)"]))
    }
    for (kind, rows) in rows { try GeneratedTable("\(interface) \(kind)", in: "docs/DBUS.md").expect(rows: rows) }
  }

  @Test("COMMAND-LINE and the manual page list the exit statuses of the code")
  func exitStatuses() throws {
    let source = try Self.text("Sources/PlayerdSystem/Processes/ExitStatus.swift")
    let statuses = source.matches(of: #/ExitStatus\((\d+)\)/#).compactMap { Int($0.output.1) }
    #expect(statuses.count > 7)
    try GeneratedTable("exit statuses", in: "docs/COMMAND-LINE.md").expect(rows: statuses.map { ("\($0)", ["\($0)"]) })
    let manual = try Self.text("data/man/mpris-playerd.1.in")
    #expect(manual.matches(of: #/\n\.It (\d+)\n/#).compactMap { Int($0.output.1) } == statuses)
  }

  @Test("ERRORS lists each failure code, except the code of a cancelled task")
  func failureCodes() throws {
    let source = try Self.text("Sources/Playback/Values/PlayerError.swift")
    let codes = source.matches(of: #/Code\(rawValue: "([a-z-]+)"\)/#).map { String($0.output.1) }
    #expect(codes.count > 15)
    let expected = codes.filter { $0 != PlayerError.Code.cancelled.rawValue }
    let text = try Self.text("docs/ERRORS.md")
    #expect(expected.filter { !text.contains("`\($0)`") } == [])
  }

  @Test("Each option that starts the daemon is in COMMAND-LINE")
  func options() throws {
    let options = OpenCommand.helpMessage(columns: 200).matches(of: #/(?m)^  (?:-., )?(--[a-z-]+)/#).map(\.output.1)
    #expect(options.count > 10)
    let text = try Self.text("docs/COMMAND-LINE.md")
    #expect(options.filter { $0 != "--version" && $0 != "--help" && !text.contains($0) } == [])
  }
}
