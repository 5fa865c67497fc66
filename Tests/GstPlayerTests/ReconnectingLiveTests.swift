import GstPlayer
import TestSupport
import Testing

@Suite("Stations that are lost, on a real server", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ReconnectingLiveTests {
  private static func response(_ path: String) throws -> HTTPResponse {
    try .file(path, type: "audio/mpeg").withoutLength().refusingRanges().header("icy-name: The Station")
  }

  @Test("A station that ends the connection is heard again, once told as stalled and once as resumed")
  func ended() async throws {
    let short = try await Media.sine(seconds: 3, format: .mp3)
    let long = try await Media.sine(seconds: 60, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/radio", try Self.response(short))
      try await withPlayer([uri]) { stage in
        let item = stage.items[0]
        stage.player.play()
        try await stage.reaches("the station's name") { $0.metadata.organization == "The Station" }
        server.script("/radio", try Self.response(long))
        let stalled = try await stage.event(.playbackStalled(item))
        #expect(stage.player.snapshot.transport == .playing)
        let resumed = try await stage.events.first("play goes on", from: stalled) {
          if case .playbackResumed(item, _) = $0 { true } else { false }
        }
        guard case .playbackResumed(_, let position) = resumed.element else { return }
        // It goes on where it was lost, and has not begun anew.
        #expect(position > .seconds(2), "\(position)")
        #expect(stage.player.snapshot.metadata.organization == "The Station")
        #expect(stage.failures.isEmpty)
        stage.player.stop()
      }
    }
  }

  @Test("A station that goes silent is asked again")
  func silent() async throws {
    let path = try await Media.sine(seconds: 60, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/radio", try Self.response(path).stalling(at: 80_000))
      try await withPlayer([uri], networkTimeout: .seconds(1)) { stage in
        let item = stage.items[0]
        stage.player.play()
        let stalled = try await stage.event(.playbackStalled(item))
        server.script("/radio", try Self.response(path))
        try await stage.events.first("play goes on", from: stalled) {
          if case .playbackResumed(item, _) = $0 { true } else { false }
        }
        #expect(stage.failures.isEmpty)
        #expect(server.events.elements.filter { if case .requested = $0 { true } else { false } }.count >= 2)
        stage.player.stop()
      }
    }
  }

  @Test("A station that is gone is looked for, then it is one failure and the next item plays")
  func gone() async throws {
    let path = try await Media.sine(seconds: 3, format: .mp3)
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = server.script("/radio", try Self.response(path))
      try await withPlayer([uri, good], reconnectTimeout: .seconds(2)) { stage in
        stage.player.play()
        try await stage.reaches("the station's name") { $0.metadata.organization == "The Station" }
        server.script("/radio", .status(404))
        try await stage.event(.queueEnded, within: 30)
        #expect(stage.failures.map(\.item) == [stage.items[0]])
        #expect(stage.failures.map(\.code) == [.networkCut])
      }
    }
  }
}
