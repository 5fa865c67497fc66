import TestSupport
import Testing

@testable import GstPlayer

/// Tests of gapless successors that are still being opened when another item is played.
@Suite("Interrupted successors", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct InterruptedSuccessorTests {
  @Test("Skipping a stream that is being opened plays the selected item")
  func stream() async throws {
    let (short, last) = (try await Media.sine(seconds: 0.3), try await Media.sine(seconds: 1))
    try await withHTTPServer { server in
      let uri = server.script("/a.flac", try .file(last).stalling(at: 8_000))
      try await withPlayer([fileURI(short), uri, fileURI(last)]) { harness in
        try await harness.ready()
        try await server.events.first("the stream stalls") { $0 == .stalled(path: "/a.flac") }
        harness.player.play(item: harness.items[2].id)
        try await harness.event(.itemDidPlayToEnd(harness.items[2]))
        #expect(harness.failures.isEmpty)
      }
    }
  }
}
