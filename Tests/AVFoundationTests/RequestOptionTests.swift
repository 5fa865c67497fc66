import AVFoundation
import TestSupport
import Testing

/// Tests of the HTTP headers in the options of an asset.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct RequestOptionTests {
  private static let fieldsKey = "AVURLAssetHTTPHeaderFieldsKey"

  private static func own(_ request: [String: String]) -> [String: String] {
    request.filter { ["user-agent", "x-client"].contains($0.key) }
  }

  @Test(
    "Playback and loading send the headers and the user agent of the asset; its option takes precedence over its field",
    arguments: [("Test/1.0", nil), (nil, "Test/1.0"), ("Test/1.0", "Other/1.0")] as [(String?, String?)])
  func valid(option: String?, field: String?) async throws {
    let fields = field.map { ["X-Client": "radio 1", "user-agent": $0] } ?? ["X-Client": "radio 1"]
    let options: [String: Any] =
      option.map { [AVURLAssetHTTPUserAgentKey: $0, Self.fieldsKey: fields] } ?? [Self.fieldsKey: fields]
    try await withSilentPlayers {
      let path = try await Media.sine(seconds: 0.3)
      try await withHTTPServer { server in
        let urls = try ["/loaded.flac", "/played.flac"].map {
          try #require(URL(string: server.script($0, try .file(path))))
        }
        let loaded = AVURLAsset(url: urls[0], options: options)
        #expect(try await deadline(20, "the asset is loaded") { try await loaded.load(.isPlayable) })
        let item = AVPlayerItem(asset: AVURLAsset(url: urls[1], options: options))
        let player = AVPlayer(playerItem: item)
        try await item.settled()
        #expect(item.status == .readyToPlay && player.currentItem === item)
        for name in ["/loaded.flac", "/played.flac"] {
          let requests = server.headers(of: name).map(Self.own)
          #expect(!requests.isEmpty)
          #expect(requests.allSatisfy { $0 == ["x-client": "radio 1", "user-agent": "Test/1.0"] }, "\(requests)")
        }
      }
    }
  }

  @Test("An invalid header fails the item and the asset with an error that names it, and no request is sent")
  func invalid() async throws {
    try await withSilentPlayers {
      try await withHTTPServer { server in
        let uri = server.script("/a.flac", try .file(try await Media.sine(seconds: 0.3)))
        let asset = AVURLAsset(
          url: try #require(URL(string: uri)), options: [Self.fieldsKey: ["X-Bad": "one\r\nX-Two: 2"]])
        let item = AVPlayerItem(asset: asset)
        let player = AVPlayer(playerItem: item)
        try await item.settled()
        let error = try #require(item.error)
        #expect(item.status == .failed && error.localizedDescription.contains("X-Bad"), "\(error)")
        let event = try #require(item.errorLog()?.events.first)
        #expect(event.errorComment?.contains("X-Bad") == true && event.uri == uri)
        let failure = await #expect(throws: (any Error).self) {
          try await deadline(20, "the asset fails") { try await asset.load(.isPlayable) }
        }
        #expect(failure?.localizedDescription.contains("X-Bad") == true)
        #expect(server.headers(of: "/a.flac").isEmpty && player.currentItem === item)
      }
    }
  }
}
