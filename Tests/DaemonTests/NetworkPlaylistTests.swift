import GstPlayer
import PlayerdInterfaces
import TestSupport
import Testing

@testable import Playerd

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
