import TestSupport
import Testing

@testable import PlaylistFormats

/// The tests of arbitrary bytes: what is read from them is possible, and does not depend on the kind of line ends.
struct HostileTests {
  /// Words that reach the inner states of the parsers.
  private static let words = [
    "#EXTM3U\n", "#EXTINF:", "-1", ",", "\"", "tvg-logo=", "#EXTIMG:", "[playlist]\n", "File", "Title", "Length", "=",
    "9223372036854775808", "1", "<playlist>", "<trackList>", "<track>", "</track>", "<location>", "</location>",
    "<duration>", "<!DOCTYPE a [", "<!ENTITY b \"c\">", "]>", "&b;", "FILE ", "TRACK ", "INDEX 01 ", "99999:59:74",
    "AUDIO", "\n", "\r", " ", "\t", "fLaC", "CUESHEET=", "\\", "%", "%zz", "://", "file:", "é", "\u{0}",
  ].map { Array($0.utf8) }

  @Test("Every format reads random bytes and random words", arguments: PlaylistFormat.allCases)
  func random(format: PlaylistFormat) {
    var generator = SeededGenerator(seed: 20)
    for round in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<60, using: &generator) {
        if round.isMultiple(of: 3) || Int.random(in: 0..<8, using: &generator) == 0 {
          bytes.append(.random(in: 0...255, using: &generator))
        } else {
          bytes += Self.words.randomElement(using: &generator) ?? []
        }
      }
      guard let playlist = format.read(bytes) else { continue }
      #expect(playlist.entries.count <= Playlist.entryLimit)
      for entry in playlist.entries {
        #expect(entry.location.paths(from: Array("/music".utf8)).allSatisfy { $0.first == UInt8(ascii: "/") })
        #expect(!entry.location.referenceText().isEmpty)
        if let start = entry.start, let end = entry.end { #expect(start < end) }
      }
      if !bytes.contains(UInt8(ascii: "\r")) {
        let windows = bytes.flatMap { $0 == UInt8(ascii: "\n") ? Array("\r\n".utf8) : [$0] }
        #expect(
          format.read(windows)?.entries == playlist.entries,
          "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
      }
      _ = FLACCueSheet.read { Array((Array("fLaC".utf8) + bytes).dropFirst($0).prefix($1)) }
    }
  }

  @Test("A file above the size limit is one warning")
  func tooLarge() {
    let bytes = [UInt8](repeating: 0x61, count: Playlist.byteLimit + 1)
    guard let playlist = PlaylistFormat.m3u.read(bytes) else {
      Issue.record("no playlist")
      return
    }
    #expect(playlist.entries.isEmpty)
    #expect(playlist.warnings.count == 1)
  }
}
