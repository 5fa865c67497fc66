import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Texts that are not UTF-8", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct StationTextTests {
  /// A station whose name, genre and title are one text, in any encoding.
  private static func station(_ text: [UInt8], _ music: [UInt8]) -> HTTPResponse {
    .station(text, titles: [0: text], genre: text, music)
  }

  /// Returns the metadata of a station once its title is known.
  private static func metadata(of uri: String) async throws -> MediaMetadata {
    var metadata = MediaMetadata()
    try await withPlayer([uri]) { harness in
      harness.player.play()
      let known = try await harness.reaches("the title") { $0.metadata.title != nil && $0.metadata.organization != nil }
      metadata = known.metadata
    }
    return metadata
  }

  private static func music() async throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 20, format: .mp3))))
  }

  @Test(
    "The name, the genre and the title of a station are read as UTF-8 or else as Windows-1252",
    arguments: [
      ("Radio Österreich", Array("Radio Österreich".utf8)),
      ("Radio Österreich", Array("Radio ".utf8) + [0xD6] + Array("sterreich".utf8)),
      ("“R”", [0x93, 0x52, 0x94]),
    ] as [(String, [UInt8])])
  func station(text: String, bytes: [UInt8]) async throws {
    let music = try await Self.music()
    try await withHTTPServer { server in
      let uri = server.script("/radio", Self.station(bytes, music))
      let metadata = try await Self.metadata(of: uri)
      #expect(metadata.organization == text)
      #expect(metadata.title == text)
      #expect(metadata.genres == [text])
      // A redirect, and a name after it on the same connection.
      let moved = server.script("/moved", .redirect(to: "/radio").header("icy-name", bytes: [0xFF]))
      #expect(try await Self.metadata(of: moved).organization == text)
    }
  }

  @Test("With a code page, the texts of stations and ID3 tags are read in it, unless they are UTF-8")
  func codePage() async throws {
    let music = try await Self.music()
    await #expect(processExitsWith: .success) { [music = music as [UInt8]] in
      LegacyText.setCodePage("windows-1251")
      let (cyrillic, kino): (String, [UInt8]) = ("Кино", [0xCA, 0xE8, 0xED, 0xEE])
      try await withHTTPServer { server in
        let other = server.script("/1251", Self.station(kino, music))
        let metadata = try await Self.metadata(of: other)
        try #require(metadata.organization == cyrillic && metadata.title == cyrillic && metadata.genres == [cyrillic])
        let plain = server.script("/utf-8", Self.station(Array("Björk".utf8), music))
        let known = try await Self.metadata(of: plain)
        try #require(known.organization == "Björk" && known.title == "Björk")
      }
      try await withTemporaryDirectory { directory in
        let lyrics = ID3.frame("USLT", [0] + Array("rus".utf8) + [0] + kino, 3)
        let frames = ID3.frame("TIT2", [0] + kino, 3) + ID3.frame("TPE1", [0] + kino, 3) + lyrics
        let header: [UInt8] = Array("ID3".utf8) + [3, 0, 0] + ID3.size(frames.count, 4)
        let tagged = try await MediaInspector().inspect(
          fileURI(try directory.write(header + frames + music, to: "2.mp3"))
        ).metadata
        try #require(tagged.title == cyrillic && tagged.artists == [cyrillic] && tagged.lyrics == cyrillic)
        let old = Array("TAG".utf8) + kino + [UInt8](repeating: 0, count: 121)
        let first = try await MediaInspector().inspect(fileURI(try directory.write(music + old, to: "1.mp3"))).metadata
        try #require(first.title == cyrillic)
      }
    }
  }
}
