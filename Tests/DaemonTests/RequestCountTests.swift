import FoundationEssentials
import GstPlayer
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdService

/// Tests of the requests that a start sends; a station may serve one connection for each listener.
@Suite("Requests of a start", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct RequestCountTests {
  /// Opens a URI, waits until it plays, and returns the requested paths.
  private func requests(of uri: String, _ server: HTTPServer, placement: OpenRequest.Placement = .replace) async throws
    -> [String]
  {
    var paths: [String] = []
    try await withLoader(checksPlayability: true) { harness, _ in
      let player = harness.player
      let (calls, called) = AsyncStream.makeStream(of: Void.self)
      let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(100)]) { _ in called.yield() }
      let report = try await harness.report(OpenRequest(uris: [uri], placement: placement))
      #expect(report.trackCount == 1, "\(harness.lines.elements)")
      try await deadline(20, "the item plays") { for await _ in calls { return } }
      observation.cancel()
      paths = server.events.elements.compactMap { if case .requested(let path, _) = $0 { path } else { nil } }
    }
    return paths
  }

  private func music(_ format: Media.Format = .mp3) async throws -> HTTPResponse {
    try .file(try await Media.sine(seconds: 2, format: format), type: "audio/mpeg")
  }

  @Test(
    "A file, an endless station and a station without an extension are requested once",
    arguments: ["/a.mp3", "/a.flac", "/a.wav", "/radio.mp3", "/radio", "/"],
    [OpenRequest.Placement.replace, .append, .now])
  func single(path: String, placement: OpenRequest.Placement) async throws {
    let format = Media.Format.allCases.first { path.hasSuffix("/a.\($0.rawValue)") } ?? .mp3
    try await withHTTPServer { server in
      let file = try await music(format)
      let uri = server.script(path, path.hasPrefix("/a.") ? file : file.withoutLength().ignoringRanges())
      #expect(try await requests(of: uri, server, placement: placement) == [path])
    }
  }

  @Test("A file whose response the player continues has its duration, can be sought in, and plays to its end")
  func continuedFile() async throws {
    try await withHTTPServer { server in
      let uri = server.script("/a.flac", try .file(try await Media.sine(seconds: 20)).throttled(to: 1_000_000))
      try await withLoader(checksPlayability: true) { harness, _ in
        let player = harness.player
        let events = EventLog<Player.Event>()
        let observation = player.addEventObserver { event, _ in events.append(event) }
        _ = try await harness.report(OpenRequest(uris: [uri]))
        try await player.prepare()
        #expect(player.snapshot.duration == .seconds(20) && player.snapshot.isSeekable)
        #expect(await player.seek(to: .seconds(19)).isCompleted)
        try await events.first("the end") { $0 == .queueEnded }
        #expect(!events.elements.contains { if case .itemFailed = $0 { true } else { false } })
        observation.cancel()
      }
      let requests = server.events.elements.compactMap {
        if case .requested(_, let start) = $0 { start ?? 0 } else { nil }
      }
      #expect(requests.first == 0 && requests.dropFirst().allSatisfy { $0 > 0 }, "\(requests)")
    }
  }

  @Test("The descriptors of a response are closed with its item")
  func descriptors() async throws {
    let path = try await Media.sine(seconds: 2, format: .mp3)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await withHTTPServer { server in
        let uri = server.script("/radio", try .file(path, type: "audio/mpeg").withoutLength().ignoringRanges())
        try await withLoader(checksPlayability: true) { harness, _ in
          var counts: [Int] = []
          for _ in 0..<12 {
            let mark = server.events.count
            _ = try await harness.report(OpenRequest(uris: [uri]))
            try await harness.player.prepare()
            harness.player.stop()
            try await server.events.first("the connection's end", from: mark) {
              if case .closed = $0 { true } else { false }
            }
            counts.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
          }
          try #require(counts[11] < counts[3] + 8, "\(counts)")
        }
      }
    }
  }

  @Test("A station after a redirect is requested once")
  func redirect() async throws {
    try await withHTTPServer { server in
      server.script("/there", try await music().withoutLength().ignoringRanges())
      let uri = server.script("/here", .redirect(to: "/there"))
      #expect(try await requests(of: uri, server) == ["/here", "/there"])
    }
  }

  @Test("A station that responds late is requested once")
  func late() async throws {
    try await withHTTPServer { server in
      let uri = server.script("/radio", try await music().withoutLength().ignoringRanges().stalling(at: 0))
      try await withLoader(checksPlayability: true) { harness, _ in
        let report = try await harness.report(OpenRequest(uris: [uri]))
        #expect(report.trackCount == 1)
        let started = EventLog<Void>()
        let observation = try harness.player.addBoundaryTimeObserver(forTimes: [.milliseconds(100)]) { _ in
          started.append(())
        }
        server.release("/radio")
        try await started.first("playback") { true }
        observation.cancel()
        #expect(server.headers(of: "/radio").count == 1)
      }
    }
  }

  @Test(
    "A playlist with one station is requested once, and so is the station",
    arguments: [
      ("/list.m3u", "audio/x-mpegurl", "#EXTM3U\n#EXTINF:-1,One\nradio\n"),
      ("/list.pls", "audio/x-scpls", "[playlist]\nFile1=radio\n"),
      (
        "/list.xspf", "application/xspf+xml",
        "<playlist><trackList><track><location>radio</location></track></trackList></playlist>"
      ), ("/tune", "audio/x-scpls", "[playlist]\nFile1=radio\n"),
    ])
  func playlist(path: String, type: String, text: String) async throws {
    try await withHTTPServer { server in
      server.script("/radio", try await music().withoutLength().ignoringRanges())
      let uri = server.script(path, .bytes(Array(text.utf8), type: type))
      #expect(try await requests(of: uri, server) == [path, "/radio"])
    }
  }

  @Test(
    "The playlists and the first segments of an adaptive stream are requested once",
    arguments: ["/master.m3u8", "/master"])
  func adaptive(path: String) async throws {
    try await withHTTPServer { server in
      let type = "application/vnd.apple.mpegurl"
      func serve(_ path: String, _ lines: String...) -> String {
        server.script(path, .bytes(Array((["#EXTM3U"] + lines + [""]).joined(separator: "\n").utf8), type: type))
      }
      for number in 0...2 { server.script("/\(number).mp3", try await music()) }
      _ = serve(
        "/low.m3u8", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:2", "#EXTINF:2,", "0.mp3", "#EXTINF:2,", "1.mp3",
        "#EXTINF:2,", "2.mp3", "#EXT-X-ENDLIST")
      let uri = serve(path, "#EXT-X-STREAM-INF:BANDWIDTH=64000", "low.m3u8")
      let paths = try await requests(of: uri, server)
      #expect(paths.prefix(3) == [path, "/low.m3u8", "/0.mp3"])
      #expect(Set(paths).count == paths.count, "\(paths)")
    }
  }

  @Test(
    "A server is requested once if its response is not playable, and its item keeps the queue", arguments: [404, 200])
  func unplayable(status: Int) async throws {
    try await withHTTPServer { server in
      let page = HTTPResponse.bytes(Array("<html></html>".utf8), type: "text/html")
      let uri = server.script("/page", status == 404 ? .status(404) : page)
      try await withLoader(checksPlayability: true) { harness, _ in
        let report = try await harness.report(OpenRequest(uris: [uri]))
        #expect(report.trackCount == 0)
        #expect(harness.lines.elements.count == 1)
      }
      #expect(server.headers(of: "/page").count == 1)
    }
  }

  @Test("A response that no player continues is closed")
  func abandoned() async throws {
    try await withHTTPServer { server in
      let uri = server.script("/radio", try await music().withoutLength().ignoringRanges().stalling(at: 20_000))
      let reader = URIReader(byteLimit: 0, timeout: .seconds(20))
      #expect(try await reader.read(uri, forPlayback: true) { _, _ in false } == nil)
      try await server.events.first("the end of the connection", within: 20) {
        if case .closed = $0 { true } else { false }
      }
    }
  }
}
