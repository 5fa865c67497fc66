import FoundationEssentials
import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite("Backpressure of a deck", .serialized, .enabled(if: Tool.areAvailable("ffmpeg"), "ffmpeg is missing"))
struct DeckBackpressureTests {
  /// The path of an hour of silence, which needs few bytes.
  private static let hour = Task {
    let path = try TemporaryDirectory().file("hour.flac")
    try await shell("ffmpeg -v error -y -f lavfi -i anullsrc=r=44100:d=3600 -ac 2 '\(path)'")
    return path
  }

  /// Waits until the streaming thread waits for the `count`-th time.
  private static func waits(_ count: Int, _ harness: DeckHarness) async throws {
    try await deadline(20, "\(count) waits") {
      // The wait sends no event: nothing is delivered.
      while harness.deck.waits < count { await Task.yield() }
    }
  }

  @Test("A deck whose samples stay unused decodes a few seconds")
  func bounded() async throws {
    try await DeckHarness.with(Self.hour.value, usesSamples: false) { harness in
      try await Self.waits(1, harness)
      let end = try #require(harness.blocks().last?.end)
      #expect((4 * 44_100...5 * 44_100).contains(Int(end)))
      let count = harness.log.count
      // An advance of less than half of the limit wakes nothing.
      harness.deck.advance(Passage(DeckHarness.stream), to: 44_100)
      #expect(harness.deck.waits == 1)
      #expect(harness.log.count == count)
    }
  }

  @Test("The bytes are bounded as well")
  func bytes() async throws {
    let limit = SampleSink.Limit(time: .seconds(4), bytes: 100_000)
    try await DeckHarness.with(Self.hour.value, usesSamples: false, limit: limit) { harness in
      try await Self.waits(1, harness)
      #expect((100_000...140_000).contains(harness.bytes().count))
    }
  }

  @Test("Decoding runs in bursts")
  func bursts() async throws {
    try await DeckHarness.with(Self.hour.value, usesSamples: false) { harness in
      try await Self.waits(1, harness)
      // A minute is used, in steps of 100 ms; the deck is given the time for each burst.
      let passage = Passage(DeckHarness.stream)
      for step in 1...600 {
        let frame = Int64(step) * 4_410
        let before = harness.deck.waits
        let ahead = (harness.blocks().last?.end ?? 0) - frame
        harness.deck.advance(passage, to: frame)
        if ahead <= 2 * 44_100 { try await Self.waits(before + 1, harness) }
      }
      // 2 s of audio in each.
      #expect((25...35).contains(harness.deck.waits))
    }
  }

  @Test("The thread of the decoder delivers the blocks, without playbin's queue")
  func thread() async throws {
    let path = try await Self.hour.value
    let names = EventLog<String>()
    let request = DeckRequest(
      StreamRequest(uri: "file://\(path)", stream: DeckHarness.stream), settings: EngineSettings(Player.Configuration())
    )
    let deck = Deck(request, configuration: Player.Configuration(), factory: DeckHarness.factory) { delivery in
      guard case .block = delivery else { return }
      let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      names.append(name ?? "")
    }
    deck.open()
    let name = try await names.first("a block").element
    deck.close()
    try await deadline(10, "the deck closes") { await deck.closed() }
    #expect(name.hasPrefix("flacparse"))
  }

  @Test("A blocked deck can be closed, and seeks at once")
  func blocked() async throws {
    let path = try await Self.hour.value
    let harness = DeckHarness("file://\(path)", usesSamples: false)
    harness.deck.open()
    try await Self.waits(1, harness)
    let passage = harness.seek(to: .seconds(1_800), exactly: true)
    try await harness.frames(1, of: passage)
    try await Self.waits(2, harness)
    harness.deck.close()
    let count = harness.log.count
    try await deadline(10, "the deck closes") { await harness.deck.closed() }
    #expect(harness.log.count == count)
    #expect(harness.failures.isEmpty)
  }
}
