import FoundationEssentials
import Testing

@testable import PlayerdClient
@testable import PlayerdConfiguration
@testable import PlayerdInterfaces
@testable import PlayerdSystem

@Suite("Printed texts") struct PrintedTextTests {
  /// Characters that control a terminal, end a line, or set the direction of text.
  private static let controls: [UInt32] =
    Array(0...0x1F) + Array(0x7F...0x9F) + [0x061C, 0x200E, 0x200F, 0x2028, 0x2029] + Array(0x202A...0x202E)
    + Array(0x2066...0x2069)

  @Test("Control characters become spaces, and marks of the direction disappear", arguments: controls)
  func control(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let text = "a\(Character(scalar))b"
    #expect(text.withoutControls == (scalar.properties.isBidiControl ? "ab" : "a b"))
    #expect(text.printable == (value == 0x0A || value == 0x09 ? text : text.withoutControls))
    #expect(!text.printable.unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\t" })
  }

  @Test(
    "Other characters stay as they are",
    arguments: ["", "Déjà vu – “x”", "音楽", "שלום עולם", "👩‍👩‍👧", "e\u{301}", "a b\u{A0}c"])
  func others(text: String) {
    #expect(text.withoutControls == text)
    #expect(text.printable == text)
  }

  @Test("A line of JSON contains them only as escapes, and its value is unchanged", arguments: controls)
  func json(value: UInt32) throws {
    var status = PlayerStatus()
    status.title = "a\(Character(try #require(Unicode.Scalar(value))))b"
    #expect(!status.json.unicodeScalars.contains { $0.isControl })
    let read = try JSONDecoder().decode([String: JSONValue].self, from: Data(status.json.utf8))
    #expect(read["title"] == JSONValue(status.title))
  }

  // NUL is invalid in TOML.
  @Test("A configuration contains them only as escapes", arguments: controls.dropFirst())
  func configuration(value: UInt32) throws {
    let text = "a\(Character(try #require(Unicode.Scalar(value))))b"
    let toml = ConfigurationValue.text(text).toml
    #expect(!toml.unicodeScalars.contains { $0.isControl })
    let file = try ConfigurationFile("key = \(toml)", path: "c")
    #expect(file.entries.map(\.value) == [.text(text)])
  }
}
