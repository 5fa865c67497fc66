import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

/// Tests of redirects: <https://www.rfc-editor.org/rfc/rfc9110#section-15.4>.
@Suite("Redirects", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct RedirectTests {
  /// The redirects of a server from `/a`, and the paths that are requested at the start and by a seek.
  struct Chain: Sendable, CustomTestStringConvertible {
    let redirects: [(from: String, status: Int, to: String)]
    let requests: [String]
    var testDescription: String { redirects.map { "\($0.status)" }.joined(separator: ", ") }

    static let all =
      [302, 303, 307].map { Chain(redirects: [("/a", $0, "/b")], requests: ["/a", "/b", "/a", "/b"]) }
      + [301, 308].map { Chain(redirects: [("/a", $0, "/b")], requests: ["/a", "/b", "/b"]) } + [
        Chain(redirects: [("/a", 301, "/b"), ("/b", 302, "/c")], requests: ["/a", "/b", "/c", "/b", "/c"]),
        Chain(redirects: [("/a", 302, "/b"), ("/b", 301, "/c")], requests: ["/a", "/b", "/c", "/a", "/b", "/c"]),
      ]

    func serve(_ response: HTTPResponse, on server: HTTPServer) -> String {
      for redirect in redirects {
        server.script(redirect.from, .redirect(to: redirect.to, status: redirect.status))
        server.script(redirect.to, response)
      }
      for redirect in redirects { server.script(redirect.from, .redirect(to: redirect.to, status: redirect.status)) }
      return server.origin + "/a"
    }
  }

  private func requests(of server: HTTPServer) -> [String] {
    server.events.elements.compactMap { if case .requested(let path, _) = $0 { path } else { nil } }
  }

  @Test("A seek requests the URI before the first temporary redirect", arguments: Chain.all)
  func seek(chain: Chain) async throws {
    let path = try await Media.sine(seconds: 60, format: .wav)
    try await withHTTPServer { server in
      let uri = chain.serve(try .file(path).throttled(to: 500_000), on: server)
      try await withPlayer([uri], inFastTime: false) { harness in
        try await harness.ready()
        #expect(await harness.player.seek(to: .seconds(50)).isCompleted)
        #expect(requests(of: server) == chain.requests)
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test("After a lost connection, the URI before the first temporary redirect is requested", arguments: Chain.all)
  func lostConnection(chain: Chain) async throws {
    let path = try await Media.sine(seconds: 1, format: .wav)
    try await withHTTPServer { server in
      let uri = chain.serve(try .file(path).cuttingOnce(at: 60_000), on: server)
      try await withPlayer([uri]) { harness in
        try await harness.playToEnd()
        #expect(requests(of: server) == chain.requests)
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test("After a redirect to another server, the first server gets the credentials again, and the other one none")
  func credentials() async throws {
    let path = try await Media.sine(seconds: 1, format: .wav)
    try await withHTTPServer { server in
      try await withHTTPServer { other in
        let target = other.script("/b", try .file(path).cuttingOnce(at: 60_000))
        let uri = server.script("/a", .redirect(to: target.replacing("127.0.0.1", with: "localhost")))
        let headers = try HTTPRequestHeaders(["Authorization": "Bearer secret"])
        try await withPlayer(items: [Player.Item(uri: uri, httpHeaders: headers)]) { harness in
          try await harness.playToEnd()
          #expect(harness.failures.isEmpty)
        }
        #expect(server.headers(of: "/a").map { $0["authorization"] } == ["Bearer secret", "Bearer secret"])
        #expect(Set(server.headers(of: "/a").map { $0["host"] }).count == 1)
        #expect(other.headers(of: "/b").map { $0["authorization"] } == [nil, nil])
        #expect(other.headers(of: "/b").allSatisfy { $0["host"]?.hasPrefix("localhost:") == true })
      }
    }
  }

  @Test(
    "The playlist of a live stream is requested again before its redirect",
    .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
  func livePlaylist() async throws {
    try await withHTTPServer { server in
      _ = try await LiveStreaming.serve(seconds: 6, segments: 6, at: ["/b.m3u8"], on: server)
      server.change("/b.m3u8") {
        $0.replacing("#EXT-X-ENDLIST\n", with: "").replacing("#EXT-X-PLAYLIST-TYPE:VOD\n", with: "")
      }
      let uri = server.script("/a.m3u8", .redirect(to: "/b.m3u8"))
      try await withPlayer([uri], inFastTime: false) { harness in
        harness.player.play()
        try await server.events.first("the second request", from: 1) {
          $0 == .requested(path: "/a.m3u8", rangeStart: nil)
        }
      }
    }
  }
}
