import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Tags before the stream is known", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct EarlyTagTests {
  private static func music(_ format: Media.Format, seconds: Double = 20) async throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: seconds, format: format))))
  }

  /// A station with the title “One” in its first data.
  private static func station(
    every interval: Int = 4000, _ format: Media.Format, next: [Int: [UInt8]] = [:]
  ) async throws -> HTTPResponse {
    let titles = next.merging([0: Array("One".utf8)]) { first, _ in first }
    return .station(Array("Radio".utf8), titles: titles, every: interval, try await music(format))
  }

  @Test(
    "The name of a station, and a title before and behind the start of the music, are shown",
    arguments: [400, 16_000], Media.Format.allCases)
  func title(interval: Int, format: Media.Format) async throws {
    let station = try await Self.station(every: interval, format)
    try await withHTTPServer { server in
      try await withPlayer([server.script("/radio", station)]) { harness in
        harness.player.play()
        try await harness.reaches("the title") {
          $0.metadata.title == "One" && $0.metadata.organization == "Radio" && $0.metadata.audioCodec != nil
            && (format != .ogg || $0.metadata.containerFormat == "Ogg")
        }
        // Otherwise the title may have been sent again.
        #expect(server.headers(of: "/radio").count == 1)
      }
    }
  }

  @Test("A station that follows gaplessly shows the title in its first data", arguments: Media.Format.allCases)
  func successor(format: Media.Format) async throws {
    let first = try await Media.sine(seconds: 1, tags: Tags(title: "First"))
    let station = try await Self.station(format)
    try await withHTTPServer { server in
      try await withPlayer([fileURI(first), server.script("/radio", station)]) { harness in
        // While it plays, the file may end between two looks at its title.
        try await harness.ready()
        try await harness.reaches("the title of the file") { $0.metadata.title == "First" }
        harness.player.play()
        try await harness.reaches("the title of the station") {
          $0.currentIndex == 1 && $0.metadata.title == "One" && $0.metadata.organization == "Radio"
        }
        #expect(server.headers(of: "/radio").count == 1)
      }
    }
  }

  @Test("Other titles replace the first one, and an empty title removes it")
  func laterTitles() async throws {
    let station = try await Self.station(.mp3, next: [8: Array("Two".utf8), 16: []])
    try await withHTTPServer { server in
      try await withPlayer([server.script("/radio", station)]) { harness in
        harness.player.play()
        try await harness.reaches("the first title") { $0.metadata.title == "One" }
        try await harness.reaches("the second title") { $0.metadata.title == "Two" }
        let silent = try await harness.reaches("no title") { $0.metadata.title == nil }
        #expect(silent.metadata.organization == "Radio")
      }
    }
  }

  @Test("An ID3 tag in front of the data is shown", arguments: [Media.Format.ogg, .wav, .flac])
  func precedingTag(format: Media.Format) async throws {
    let frame = ID3.frame("TIT2", [0] + Array("Title".utf8), 3)
    let tag = Array("ID3".utf8) + [3, 0, 0] + ID3.size(frame.count, 4) + frame
    let music = try await Self.music(format, seconds: 1)
    try await withTemporaryDirectory { directory in
      let path = try directory.write(tag + music, to: "tagged.\(format)")
      try await withPlayer([fileURI(path)]) { harness in
        try await harness.ready()
        try await harness.reaches("the title") { $0.metadata.title == "Title" }
      }
    }
  }
}
