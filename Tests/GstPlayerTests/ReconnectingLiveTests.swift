import GstPlayer
import TestSupport
import Testing

@Suite("Reconnecting to stations, with a real server", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ReconnectingLiveTests {
  private static func response(_ path: String) throws -> HTTPResponse {
    try .file(path, type: "audio/mpeg").withoutLength().refusingRanges().header("icy-name: The Station")
  }

  @Test("If a station closes the connection, playback resumes, with one stall and one resumption reported")
  func ended() async throws {
    let short = try await Media.sine(seconds: 3, format: .mp3)
    let long = try await Media.sine(seconds: 60, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/radio", try Self.response(short))
      try await withPlayer([uri], inFastTime: false) { harness in
        let item = harness.items[0]
        harness.player.play()
        try await harness.reaches("the station's name") { $0.metadata.organization == "The Station" }
        server.script("/radio", try Self.response(long))
        let stalled = try await harness.event(.playbackStalled(item))
        #expect(harness.player.snapshot.transport == .playing)
        let resumed = try await harness.events.first("playback resumes", from: stalled) {
          if case .playbackResumed(item, _) = $0 { true } else { false }
        }
        guard case .playbackResumed(_, let position) = resumed.element else { return }
        // Playback continues at the position of the loss; it does not start from zero.
        #expect(position > .seconds(2), "\(position)")
        #expect(harness.player.snapshot.metadata.organization == "The Station")
        #expect(harness.failures.isEmpty)
        harness.player.stop()
      }
    }
  }

  @Test("If a station stops sending, the player reconnects")
  func silent() async throws {
    let path = try await Media.sine(seconds: 60, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/radio", try Self.response(path).stalling(at: 80_000))
      try await withPlayer([uri], networkTimeout: .seconds(1), inFastTime: false) { harness in
        let item = harness.items[0]
        harness.player.play()
        let stalled = try await harness.event(.playbackStalled(item))
        server.script("/radio", try Self.response(path))
        try await harness.events.first("playback resumes", from: stalled) {
          if case .playbackResumed(item, _) = $0 { true } else { false }
        }
        #expect(harness.failures.isEmpty)
        #expect(server.events.elements.filter { if case .requested = $0 { true } else { false } }.count >= 2)
        harness.player.stop()
      }
    }
  }

  @Test("If reconnecting to a station times out, the item fails once and the next item plays")
  func gone() async throws {
    let path = try await Media.sine(seconds: 3, format: .mp3)
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = server.script("/radio", try Self.response(path))
      try await withPlayer([uri, good], reconnectTimeout: .seconds(2), inFastTime: false) { harness in
        harness.player.play()
        try await harness.reaches("the station's name") { $0.metadata.organization == "The Station" }
        server.script("/radio", .status(404))
        try await harness.event(.queueEnded, within: 30)
        #expect(harness.failures.map(\.item) == [harness.items[0]])
        #expect(harness.failures.map(\.code) == [.networkCut])
      }
    }
  }
}
