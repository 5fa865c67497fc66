import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("HTTP headers of items", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct RequestHeaderTests {
  private static let fields = ["Authorization": "Bearer secret", "X-Client": "radio 1"]

  /// Returns the fields of one request that the tests set.
  private static func own(_ request: [String: String]) -> [String: String] {
    var own = request.filter { ["authorization", "cookie", "x-client"].contains($0.key) }
    if let agent = request["user-agent"], !agent.hasPrefix("GStreamer ") { own["user-agent"] = agent }
    return own
  }

  @Test("In a gapless change, each request has only its item's headers")
  func gapless() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: 30_001)
    let headers = try HTTPRequestHeaders(Self.fields, userAgent: "Test/1.0")
    try await withHTTPServer { server in
      let uris = try ["/0.flac", "/1.flac", "/2.flac"].enumerated().map {
        server.script($1, try .file(paths[$0 % paths.count]))
      }
      let items = [
        Player.Item(uri: uris[0], httpHeaders: headers), Player.Item(uri: uris[1]),
        Player.Item(uri: uris[2], httpHeaders: try HTTPRequestHeaders(["Cookie": "a=b; c=d"])),
      ]
      try await withPlayer(items: items) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
      }
      let expected: [[String: String]] = [
        ["authorization": "Bearer secret", "x-client": "radio 1", "user-agent": "Test/1.0"], [:],
        ["cookie": "a=b; c=d"],
      ]
      for (index, expected) in expected.enumerated() {
        let requests = server.headers(of: "/\(index).flac").map(Self.own)
        #expect(!requests.isEmpty)
        #expect(requests.allSatisfy { $0 == expected }, "\(requests)")
      }
    }
  }

  @Test("A redirect to another server is followed without the credentials; an item with cookies does not follow it")
  func redirect() async throws {
    let path = try await Media.sine(seconds: 0.3)
    try await withHTTPServer { server in
      try await withHTTPServer { other in
        let target = other.script("/there.flac", try .file(path)).replacing("127.0.0.1", with: "localhost")
        let uri = server.script("/here.flac", .redirect(to: target))
        let items = [
          Player.Item(uri: uri, httpHeaders: try HTTPRequestHeaders(Self.fields)),
          Player.Item(uri: uri, httpHeaders: try HTTPRequestHeaders(["Cookie": "a=b"])),
        ]
        try await withPlayer(items: items) { harness in
          try await harness.playToEnd()
          #expect(harness.failures.map(\.item) == [items[1]])
        }
        #expect(
          server.headers(of: "/here.flac").first.map(Self.own) == [
            "authorization": "Bearer secret", "x-client": "radio 1",
          ])
        #expect(server.headers(of: "/here.flac").contains { $0["cookie"] == "a=b" })
        let requests = other.headers(of: "/there.flac").map(Self.own)
        #expect(!requests.isEmpty)
        // From GStreamer 1.28 on, another server does not receive the headers.
        #expect(requests.allSatisfy { $0 == ["x-client": "radio 1"] || $0.isEmpty }, "\(requests)")
      }
    }
  }

  @Test("An inspection sends the headers of the item")
  func inspection() async throws {
    let path = try await Media.sine(seconds: 0.3)
    try await withHTTPServer { server in
      let uri = server.script("/a.flac", try .file(path))
      let item = Player.Item(
        uri: uri, httpHeaders: try HTTPRequestHeaders(["X-Client": "radio 1"], userAgent: "Test/1.0"))
      _ = try await MediaInspector().inspect(item)
      let requests = server.headers(of: "/a.flac").map(Self.own)
      #expect(!requests.isEmpty)
      #expect(requests.allSatisfy { $0 == ["x-client": "radio 1", "user-agent": "Test/1.0"] }, "\(requests)")
    }
  }

  /// The use of an item with headers.
  enum Use: String, CaseIterable, CustomTestStringConvertible {
    case playback, inspection
    var testDescription: String { rawValue }
  }

  @Test(
    "Every playlist and segment is requested with the headers, and another server receives no credentials",
    .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"), arguments: Use.allCases)
  func adaptive(use: Use) async throws {
    let headers = try HTTPRequestHeaders(Self.fields, userAgent: "Test/1.0")
    try await withHTTPServer { server in
      try await withHTTPServer { other in
        _ = try await LiveStreaming.serve(seconds: 3, segments: 3, at: ["/low.m3u8"], on: server)
        // The second segment is on another server.
        _ = try await LiveStreaming.serve(seconds: 3, segments: 3, at: ["/unused.m3u8"], on: other)
        let elsewhere = other.origin + "/1.mp3"
        server.change("/low.m3u8") { $0.replacing("\n1.mp3", with: "\n" + elsewhere) }
        let uri = LiveStreaming.serve(
          ["#EXT-X-STREAM-INF:BANDWIDTH=64000", "low.m3u8"], at: "/master.m3u8", on: server)
        let item = Player.Item(uri: uri, httpHeaders: headers)
        switch use {
        case .playback:
          try await withPlayer(items: [item]) { harness in
            try await harness.playToEnd()
            #expect(harness.failures.isEmpty)
          }
          let foreign = other.headers(of: "/1.mp3").map(Self.own)
          #expect(!foreign.isEmpty)
          #expect(foreign.allSatisfy { $0 == ["x-client": "radio 1", "user-agent": "Test/1.0"] }, "\(foreign)")
        case .inspection: _ = try await MediaInspector().inspect(item)
        }
        for path in ["/master.m3u8", "/low.m3u8", "/0.mp3"] + (use == .playback ? ["/2.mp3"] : []) {
          let requests = server.headers(of: path).map(Self.own)
          #expect(!requests.isEmpty, "\(path)")
          let expected = ["authorization": "Bearer secret", "x-client": "radio 1", "user-agent": "Test/1.0"]
          #expect(requests.allSatisfy { $0 == expected }, "\(path) \(requests)")
        }
      }
    }
  }
}
