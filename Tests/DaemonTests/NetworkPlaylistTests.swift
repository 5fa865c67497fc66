import GstPlayer
import TestSupport
import Testing

@testable import mpris_playerd

@Suite("Playlists of servers become items", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct NetworkPlaylistTests {
  private func text(_ text: String, _ type: String) -> HTTPResponse { .bytes(Array(text.utf8), type: type) }

  @Test("By the ending or the media type; what they list is seen from where they came from in the end")
  func kinds() async throws {
    try await withOpener { bench, _ in
      try await withHTTPServer { server in
        let list = server.script("/old/list.m3u", .redirect(to: "/new/list.m3u"))
        server.script(
          "/new/list.m3u", text("#EXTINF:-1,One\na b.mp3\n../c.mp3\n/d.mp3\nhttp://x.example/e\n", "text/plain"))
        let quiet = server.script("/tune", text("[playlist]\nFile1=http://y.example/f\n", "audio/x-scpls"))
        let items = try await bench.open(list, quiet)
        let origin = server.origin
        #expect(
          items.map(\.uri) == [
            "\(origin)/new/a%20b.mp3", "\(origin)/c.mp3", "\(origin)/d.mp3", "http://x.example/e", "http://y.example/f",
          ])
        #expect(items.first?.hints?.title == "One")
        #expect(bench.lines.elements.isEmpty)
      }
    }
  }

  @Test("What is none after all is an item: a live stream, a web page, sound")
  func others() async throws {
    try await withOpener { bench, _ in
      try await withHTTPServer { server in
        let uris = [
          server.script("/live.m3u8", text("#EXTM3U\n#EXT-X-VERSION:3\n", "application/vnd.apple.mpegurl")),
          server.script("/page.pls", text("<html></html>", "text/html; charset=utf-8")),
          server.script("/stream", text(String(repeating: "x", count: 100_000), "audio/mpeg").withoutLength()),
        ]
        bench.begin(OpenRequest(uris: uris, placement: .add))
        try await bench.settled()
        #expect(bench.player.items.map(\.uri) == uris)
        #expect(bench.lines.elements.isEmpty)
      }
    }
  }

  @Test("A failing playlist is one line that names it, and files of this machine are not a server's to name")
  func failures() async throws {
    try await withOpener { bench, _ in
      try await withHTTPServer { server in
        let missing = server.script("/gone.xspf", .status(404))
        let sly = server.script("/sly.m3u", text("file:///etc/passwd\n/ok.mp3\n", "audio/x-mpegurl"))
        let items = try await bench.open(missing, sly)
        #expect(items.map(\.uri) == ["\(server.origin)/ok.mp3"])
        #expect(
          bench.lines.elements == [
            "\(missing): the server answers with status 404",
            "\(sly): a server's playlist cannot name files of this machine",
          ])
      }
    }
  }

  @Test("A newer request to replace, or to be heard now, does not wait for a silent server")
  func silence() async throws {
    try await withOpener { bench, _ in
      try await withHTTPServer { server in
        let silent = server.script("/silent.m3u", .silence)
        for placement in [OpenRequest.Placement.replace, .now] {
          let start = server.events.count
          bench.begin(OpenRequest(uris: [silent], startsPaused: true))
          try await server.events.first("the question", from: start) {
            $0 == .requested(path: "/silent.m3u", rangeStart: nil)
          }
          bench.begin(OpenRequest(uris: ["file:///newer.mp3"], placement: placement, startsPaused: true))
          try await bench.settled()
          #expect(bench.player.items.map(\.uri).contains("file:///newer.mp3"))
          try await server.events.first("the connection's end", from: start) {
            $0 == .closed(path: "/silent.m3u", sent: 0, byPeer: true)
          }
        }
        #expect(bench.player.items.count <= 2)
      }
    }
  }

  @Test("What is there already does not wait for a server that follows")
  func noWaiting() async throws {
    try await withOpener { bench, _ in
      try await withHTTPServer { server in
        let silent = server.script("/silent.m3u", .silence)
        let events = bench.player.events()
        bench.begin(OpenRequest(uris: ["file:///first.mp3", silent], placement: .add))
        try await deadline(10, "the first item is in the queue") {
          for await _ in events where bench.player.snapshot.itemCount == 1 { return }
        }
      }
    }
  }
}
