import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

/// Tests of a deck that keeps the received frames of a station, with a real server.
@Suite("Going back in a station", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimeShiftTests {
  /// Runs `body` with a station of 128 kbit/s, which ends after these seconds; it sends four times as fast as it is heard.
  private func withStation(
    seconds: Int, format: String = "mp3", kept: Duration = .seconds(600), usesSamples: Bool = true,
    _ change: (HTTPResponse) -> HTTPResponse = { $0 }, _ body: (DeckHarness, HTTPServer) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.\(format)")
      let options = format == "mp3" ? "-write_xing 0 -id3v2_version 0" : "-f adts -aac_pns 0"
      try await shell("ffmpeg -v error -y -f lavfi -i anoisesrc=d=\(seconds):r=44100 -b:a 128k \(options) '\(path)'")
      let response = HTTPResponse.bytes(try contents(path), type: format == "mp3" ? "audio/mpeg" : "audio/aac")
        .withoutLength().refusingRanges().header("icy-name: Radio").throttled(to: 64_000)
      try await withHTTPServer { server in
        var configuration = Player.Configuration()
        configuration.timeShift = kept
        let uri = server.script("/radio", change(response))
        let harness = DeckHarness(uri, configuration: configuration, usesSamples: usesSamples)
        try await harness.opened { try await body($0, server) }
      }
    }
  }

  /// Waits until the received frames that are kept satisfy a condition.
  private func kept(
    _ harness: DeckHarness, _ expectation: String, _ isWanted: @escaping @Sendable (Range<Duration>) -> Bool
  ) async throws {
    try await harness.event(expectation, within: 60) { event in
      if case .buffering(_, let progress) = event, let kept = progress.kept, isWanted(kept) { true } else { nil }
    }
  }

  /// Returns how many bytes of a passage differ from the first passage at the same frames; nil if they are equal.
  private func difference(_ harness: DeckHarness, _ passage: Passage) throws -> String? {
    let (old, new) = (try #require(harness.blocks().first), try #require(harness.blocks(of: passage).first))
    let offset = Int(new.first - old.first) * old.format.bytesPerFrame
    let (expected, bytes) = (harness.bytes().dropFirst(offset), harness.bytes(of: passage))
    let count = min(expected.count, bytes.count)
    try #require(harness.isContinuous() && harness.isContinuous(passage) && count > 44_100)
    if expected.prefix(count) == bytes.prefix(count) { return nil }
    return "\(zip(expected, bytes).count { $0 != $1 }) of \(count) bytes"
  }

  @Test(
    "A seek back plays the same samples again, exactly from its target, without another request",
    arguments: ["mp3", "adts"])
  func back(format: String) async throws {
    try await withStation(seconds: 40, format: format) { harness, server in
      try await harness.frames(44_100 * 15, of: Passage(DeckHarness.stream))
      let facts = try await harness.settled()
      #expect(!facts.isSeekable && facts.duration == nil)
      let passage = harness.seek(to: .seconds(5), exactly: true)
      try await harness.frames(44_100 * 5, of: passage)
      let first = try #require(harness.blocks(of: passage).first?.first)
      #expect(first == 220_500 && harness.isContinuous(passage))
      let difference = try difference(harness, passage)
      #expect(difference == nil)
      let again = harness.seek(to: .seconds(12), exactly: true)
      try await harness.frames(44_100 * 20, of: again)
      #expect(harness.blocks(of: again).first?.first == 44_100 * 12 && harness.isContinuous(again))
      try await harness.end(of: again, within: 60)
      #expect(server.headers(of: "/radio").count == 1 && harness.failures.isEmpty)
    }
  }

  @Test("During a pause the station is received on, and all of it is played afterwards")
  func pause() async throws {
    try await withStation(seconds: 40, usesSamples: false) { harness, server in
      try await kept(harness, "30 s are received") { $0.upperBound > .seconds(30) }
      let decoded = harness.blocks().reduce(0) { $0 + $1.frames }
      #expect(decoded < 44_100 * 6, "the deck decodes only ahead of the output: \(decoded)")
      harness.use(true)
      try await harness.end(within: 60)
      #expect(harness.isContinuous())
      #expect(harness.blocks().reduce(0) { $0 + $1.frames } >= 44_100 * 39)
      #expect(server.headers(of: "/radio").count == 1)
    }
  }

  @Test("A seek leads to the oldest data after a pause that was longer than the data is kept")
  func longPause() async throws {
    try await withStation(seconds: 60, kept: .seconds(10), usesSamples: false) { harness, _ in
      try await kept(harness, "the oldest data is removed") { $0.lowerBound > .seconds(20) }
      let passage = harness.seek(to: .seconds(30), exactly: true)
      harness.use(true)
      try await harness.end(of: passage, within: 60)
      let first = try #require(harness.blocks(of: passage).first?.first)
      #expect(first >= 44_100 * 30 && harness.isContinuous(passage) && harness.failures.isEmpty, "\(first)")
    }
  }

  @Test("A server that is not live is held up, so nothing is lost although less is kept")
  func fastServer() async throws {
    try await withStation(seconds: 120, kept: .seconds(70), usesSamples: false) {
      $0.throttled(to: 64_000_000)
    } _: {
      harness, server in
      try await kept(harness, "a minute is received") { $0.upperBound > .seconds(60) }
      harness.use(true)
      try await harness.end(within: 60)
      #expect(harness.isContinuous())
      #expect(harness.blocks().reduce(0) { $0 + $1.frames } >= 44_100 * 119)
      #expect(server.headers(of: "/radio").count == 1)
    }
  }

  @Test("The data in memory is played, and can be sought, after the connection was cut")
  func cut() async throws {
    // 25 s are 400,000 bytes.
    try await withStation(seconds: 40, usesSamples: false) {
      $0.cutting(at: 400_000)
    } _: { harness, _ in
      try await kept(harness, "the data before the cut is received") { $0.upperBound > .seconds(24) }
      let passage = harness.seek(to: .seconds(3), exactly: true)
      harness.use(true)
      try await harness.end(of: passage, within: 60)
      #expect(harness.blocks(of: passage).reduce(0) { $0 + $1.frames } > 44_100 * 21)
    }
  }

  @Test("Nothing is kept of a stream whose server supports seeking, or with a time of zero")
  func others() async throws {
    try await withStation(seconds: 4, kept: .zero) { harness, _ in
      try await harness.end()
      #expect(harness.deck.progress.kept == nil)
    }
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.mp3")
      try await shell("ffmpeg -v error -y -f lavfi -i anoisesrc=d=4 '\(path)'")
      try await withHTTPServer { server in
        var configuration = Player.Configuration()
        configuration.timeShift = .seconds(600)
        let uri = server.script("/a.mp3", try .file(path, type: "audio/mpeg"))
        try await DeckHarness(uri, configuration: configuration).opened { harness in
          try await harness.end()
          #expect(harness.deck.progress.kept == nil)
        }
      }
    }
  }

  @Test("The title of the sound at the target is reported after a seek back", arguments: ["mp3", "adts"])
  func titles(format: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.\(format)")
      let options = format == "mp3" ? "-write_xing 0 -id3v2_version 0" : "-f adts -aac_pns 0"
      try await shell("ffmpeg -v error -y -f lavfi -i anoisesrc=d=20 -b:a 128k \(options) '\(path)'")
      // After a quarter of a second and 8 s.
      let titles = [0: Array("One".utf8), 32: Array("Two".utf8)]
      let station = HTTPResponse.station(Array("Radio".utf8), titles: titles, try contents(path))
      try await withHTTPServer { server in
        var configuration = Player.Configuration()
        configuration.timeShift = .seconds(600)
        let harness = DeckHarness(server.script("/radio", station), configuration: configuration)
        let title = { @Sendable (delivery: Deck.Delivery) -> String? in
          if case .event(.tags(let tags, _)) = delivery { tags.title } else { nil }
        }
        try await harness.opened { harness in
          try await harness.log.first("the second title") { title($0) == "Two" }
          let mark = harness.log.count
          harness.seek(to: .seconds(4), exactly: true)
          try await harness.log.first("the first title", from: mark) { title($0) == "One" }
          try await harness.log.first("the second title again", from: mark) { title($0) == "Two" }
          let again = harness.log.elements[mark...].compactMap(title)
          #expect(again.first == "One" && again.last == "Two", "\(again)")
        }
      }
    }
  }
}
