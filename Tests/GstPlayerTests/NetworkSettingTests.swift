import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite("Settings of the network") struct NetworkSettingTests {
  /// In a separate process, because the settings belong to the process.
  @Test(
    "The user agent is sent with each request of an item, a playlist, an inspection and a read",
    .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
  func userAgent() async {
    await #expect(processExitsWith: .success) {
      Network.apply(NetworkSettings(userAgent: "Test/1.0"))
      try await withHTTPServer { server in
        _ = try await LiveStreaming.serve(seconds: 3, segments: 3, at: ["/low.m3u8"], on: server)
        let uri = LiveStreaming.serve(
          ["#EXT-X-STREAM-INF:BANDWIDTH=64000", "low.m3u8"], at: "/master.m3u8", on: server)
        try await withPlayer([uri]) { try await $0.playToEnd() }
        _ = try await MediaInspector().inspect(uri)
        _ = try await URIReader(byteLimit: 1 << 20, timeout: .seconds(20)).read(server.origin + "/0.mp3")
        for path in ["/master.m3u8", "/low.m3u8", "/0.mp3", "/2.mp3"] {
          let agents = server.headers(of: path).map { $0["user-agent"] }
          precondition(!agents.isEmpty && agents.allSatisfy { $0 == "Test/1.0" }, "\(path): \(agents)")
        }
      }
    }
  }

  @Test("The error of a network source does not contain a password or the values of the query")
  func secrets() async throws {
    try await withHTTPServer { server in
      let uri = server.script("/none", .status(404)).replacing("http://", with: "http://user:s3cret@") + "?key=t0ken"
      let error = try #require(
        await #expect(throws: PlayerError.self) { try await MediaInspector().inspect(uri) })
      #expect(error.code == .httpError)
      let text = error.message + error.detail
      #expect(text.contains("/none?key=…") && !text.contains("s3cret") && !text.contains("t0ken"), "\(text)")
    }
  }
}
