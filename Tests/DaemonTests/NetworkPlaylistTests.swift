import GstPlayer
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService

@Suite("Opening playlists from servers", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct NetworkPlaylistTests {
  private func text(_ text: String, _ type: String) -> HTTPResponse { .bytes(Array(text.utf8), type: type) }

  @Test("Playlists are detected by extension or media type; their entries are relative to the redirected URI")
  func kinds() async throws {
    try await withLoader { harness, _ in
      try await withHTTPServer { server in
        let list = server.script("/old/list.m3u", .redirect(to: "/new/list.m3u"))
        server.script(
          "/new/list.m3u", text("#EXTINF:-1,One\na b.mp3\n../c.mp3\n/d.mp3\nhttp://x.example/e\n", "text/plain"))
        let quiet = server.script("/tune", text("[playlist]\nFile1=http://y.example/f\n", "audio/x-scpls"))
        let items = try await harness.open(list, quiet)
        let origin = server.origin
        #expect(
          items.map(\.uri) == [
            "\(origin)/new/a%20b.mp3", "\(origin)/c.mp3", "\(origin)/d.mp3", "http://x.example/e", "http://y.example/f",
          ])
        #expect(items.first?.externalMetadata?.title == "One")
        #expect(harness.lines.elements.isEmpty)
      }
    }
  }

  @Test("A playlist is recognised by its content, whatever its media type and its name are, and packed as well")
  func content() async throws {
    let list = "[playlist]\nFile1=http://x.example/a\n"
    // The same list, packed by gzip.
    let packed: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8B, 0x2E, 0xC8, 0x49, 0xAC, 0xCC, 0xC9, 0x2C, 0x2E,
      0x89, 0xE5, 0x72, 0xCB, 0xCC, 0x49, 0x35, 0xB4, 0xCD, 0x28, 0x29, 0x29, 0xB0, 0xD2, 0xD7, 0xAF, 0xD0, 0x4B, 0xAD,
      0x48, 0xCC, 0x2D, 0xC8, 0x49, 0xD5, 0x4F, 0xE4, 0x02, 0x00, 0xBB, 0x17, 0x23, 0xF4, 0x24, 0x00, 0x00, 0x00,
    ]
    try await withLoader { harness, _ in
      try await withHTTPServer { server in
        let uris = [
          server.script("/a.pls", text(list, "text/html")), server.script("/b", text(list, "application/octet-stream")),
          server.script("/c", text(list, "audio/mpeg")), server.script("/d.m3u", text(list, "audio/x-mpegurl")),
          server.script("/e", text("http://x.example/a\n", "text/plain").withoutLength()),
          server.script("/f.pls.gz", .bytes(packed, type: "application/gzip")),
          server.script("/g", .bytes(packed, type: "audio/x-scpls").header("Content-Encoding: gzip")),
          server.script("/h", .bytes(Array(list.utf8), type: "")),
        ]
        try harness.begin(OpenRequest(uris: uris, placement: .add))
        try await harness.settled()
        #expect(harness.player.items.map(\.uri) == uris.map { _ in "http://x.example/a" })
        #expect(harness.lines.elements.isEmpty)
      }
    }
  }

  @Test("A web page is not audio whatever its media type is, and audio is not a page")
  func pages() async throws {
    let sound = try await Media.sine(seconds: 0.3)
    try await withHTTPServer { server in
      let check = PlayabilityCheck(GStreamerFramework())
      let page = server.script("/page", text("<!DOCTYPE html><html></html>", "audio/mpeg"))
      let audio = server.script("/audio", try .file(sound, type: "text/html"))
      #expect(await check.failure(of: Player.Item(uri: page))?.code == .notMedia)
      #expect(await check.failure(of: Player.Item(uri: audio)) == nil)
    }
  }

  @Test("A server's playlist may name only the allowed schemes of servers")
  func schemes() async throws {
    try await withLoader { harness, _ in
      try await withHTTPServer { server in
        let lines = "pushfile:///a\ntestbin://b\nfd://0\nC:\\a.mp3\n\\\\nas\\a.mp3\nrtsp://c/d\nFILE:///e\n/ok.mp3\n"
        let list = server.script("/list.m3u", text(lines, "audio/x-mpegurl"))
        let first = try await harness.open(list).map(\.uri)
        #expect(first == ["\(server.origin)/ok.mp3"])
        #expect(harness.lines.count == 7)
        let policy = URIPolicy(schemes: ["file", "http", "rtsp"])
        let later = try await harness.open(list, policy: policy).dropFirst().map(\.uri)
        #expect(later == ["rtsp://c/d", "\(server.origin)/ok.mp3"])
      }
    }
  }

  @Test("The headers of an entry belong to its item, and are sent for a nested playlist")
  func headers() async throws {
    try await withLoader { harness, directory in
      try await withHTTPServer { server in
        let nested = server.script("/nested.m3u", text("#EXTM3U\n/a.mp3\n", "audio/x-mpegurl"))
        let list = try directory.write(
          "#EXTVLCOPT:http-user-agent=Radio/1\n#EXTVLCOPT:http-referrer=http://x/\n\(nested)\nhttp://x/b.mp3|User-Agent=\u{7}\n"
            + "http://x/c.mp3|User-Agent=Radio/2\n", to: "list.m3u")
        let items = try await harness.open(list)
        #expect(items.map(\.httpHeaders?.userAgent) == [nil, "Radio/2"])
        let request = try #require(server.headers(of: "/nested.m3u").first)
        #expect((request["user-agent"], request["referer"]) == ("Radio/1", "http://x/"))
        #expect(harness.lines.elements == ["\(list): line 4: no location"])
      }
    }
  }

  @Test("Playlists of servers that list each other are read a limited number of times")
  func expansion() async throws {
    try await withLoader(listLimit: 20) { harness, _ in
      try await withHTTPServer { server in
        let many = (0..<40).map { "/b.m3u?\($0)\n" }.joined() + "/a.mp3\n"
        let list = server.script("/a.m3u", text(many, "audio/x-mpegurl"))
        server.script("/b.m3u", text((0..<40).map { "/c.m3u?\($0)\n" }.joined(), "audio/x-mpegurl"))
        server.script("/c.m3u", text("/c.mp3\n", "audio/x-mpegurl"))
        let items = try await harness.open(list)
        #expect(items.count == 18)
        let requests = server.events.elements.filter { if case .requested = $0 { true } else { false } }
        #expect(requests.count == 21)
        #expect(harness.lines.elements == ["\(list): more than 20 playlists in one request; the rest is omitted"])
      }
    }
  }

  @Test("Responses that are not playlists become items: a live stream, a web page, audio")
  func others() async throws {
    try await withLoader { harness, _ in
      try await withHTTPServer { server in
        let uris = [
          server.script("/live.m3u8", text("#EXTM3U\n#EXT-X-VERSION:3\n", "application/vnd.apple.mpegurl")),
          server.script("/page.pls", text("<html></html>", "text/html; charset=utf-8")),
          server.script("/stream", text(String(repeating: "x", count: 100_000), "audio/mpeg").withoutLength()),
        ]
        try harness.begin(OpenRequest(uris: uris, placement: .add))
        try await harness.settled()
        #expect(harness.player.items.map(\.uri) == uris)
        #expect(harness.lines.elements.isEmpty)
      }
    }
  }

  @Test("A failing playlist is one line that names it, and a server's playlist must not refer to local files")
  func failures() async throws {
    try await withLoader { harness, _ in
      try await withHTTPServer { server in
        let missing = server.script("/gone.xspf", .status(404))
        let sly = server.script("/sly.m3u", text("file:///etc/passwd\n/ok.mp3\n", "audio/x-mpegurl"))
        let items = try await harness.open(missing, sly)
        #expect(items.map(\.uri) == ["\(server.origin)/ok.mp3"])
        #expect(
          harness.lines.elements == [
            "\(missing): the server responds with status 404",
            "\(sly): a remote playlist cannot contain local files",
          ])
        let pictures = text("#EXTM3U\n#EXTINF:1 tvg-logo=\"file:///x.png\",One\n/one.mp3\n", "audio/x-mpegurl")
        let report = try await harness.report(OpenRequest(uris: [server.script("/pictures.m3u", pictures)]))
        #expect(report.trackCount == 1 && report.rejectionCount == 0)
        #expect(harness.player.items.map(\.externalMetadata?.image) == [nil])
      }
    }
  }

  @Test("A newer request that replaces the queue or plays at once does not wait for a silent server")
  func silence() async throws {
    try await withLoader { harness, _ in
      try await withHTTPServer { server in
        let silent = server.script("/silent.m3u", .silence)
        for placement in [OpenRequest.Placement.replace, .now] {
          let start = server.events.count
          try harness.begin(OpenRequest(uris: [silent], startsPaused: true))
          try await server.events.first("the question", from: start) {
            $0 == .requested(path: "/silent.m3u", rangeStart: nil)
          }
          try harness.begin(OpenRequest(uris: ["file:///newer.mp3"], placement: placement, startsPaused: true))
          try await harness.settled()
          #expect(harness.player.items.map(\.uri).contains("file:///newer.mp3"))
          try await server.events.first("the connection's end", from: start) {
            $0 == .closed(path: "/silent.m3u", sent: 0, byPeer: true)
          }
        }
        #expect(harness.player.items.count <= 2)
      }
    }
  }

  @Test("Items before a silent server's playlist are added without waiting for it")
  func noWaiting() async throws {
    try await withLoader { harness, _ in
      try await withHTTPServer { server in
        let silent = server.script("/silent.m3u", .silence)
        let events = harness.player.events()
        try harness.begin(OpenRequest(uris: ["file:///first.mp3", silent], placement: .add))
        try await deadline(10, "the first item is in the queue") {
          for await _ in events where harness.player.snapshot.itemCount == 1 { return }
        }
      }
    }
  }
}
