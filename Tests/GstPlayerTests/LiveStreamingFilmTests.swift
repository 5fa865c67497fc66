import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite(
  "Films in HTTP Live Streaming", .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
  .enabled(if: Film.isAvailable, "\(Film.unavailable)"),
  .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
struct LiveStreamingFilmTests {
  /// Playlists for the same film of 6 s.
  enum Layout: String, CaseIterable, CustomTestStringConvertible {
    case recording = "one recording"
    case variants = "two variants"
    case rendition = "a variant of video alone with a rendition of audio"
    var testDescription: String { rawValue }

    /// The films that the layout needs.
    var films: [Film] { self == .rendition ? [.videoVariant, .audioRendition] : [.transportStream] }

    /// Adds the playlists of the layout and its films to a server; returns the URI of the playlist to play.
    func serve(_ paths: [String], seconds: Double, on server: HTTPServer) throws -> String {
      switch self {
      case .recording:
        return try LiveStreaming.serve(film: paths[0], seconds: seconds, at: "/film", on: server)
      case .variants:
        for name in ["/low", "/high"] {
          _ = try LiveStreaming.serve(film: paths[0], seconds: seconds, at: name, on: server)
        }
        return LiveStreaming.serve(
          [
            "#EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=64x64", "low.m3u8",
            "#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=64x64", "high.m3u8",
          ], at: "/master.m3u8", on: server)
      case .rendition:
        _ = try LiveStreaming.serve(film: paths[0], seconds: seconds, at: "/video", on: server)
        _ = try LiveStreaming.serve(film: paths[1], seconds: seconds, at: "/audio", on: server)
        return LiveStreaming.serve(
          [
            #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,"#
              + #"URI="audio.m3u8""#,
            #"#EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=64x64,AUDIO="sound""#, "video.m3u8",
          ], at: "/master.m3u8", on: server)
      }
    }
  }

  @Test("The audio of a segmented film plays to its end once, without elements for video", arguments: Layout.allCases)
  func elements(layout: Layout) async throws {
    var paths: [String] = []
    for film in layout.films { paths.append(try await made(film, seconds: 3)) }
    try await withTemporaryDirectory { directory in
      let log = directory.file("factories.log")
      await #expect(processExitsWith: .success) {
        [paths = paths as [String], log = log as String, name = layout.rawValue as String] in
        try await expectingAudioElements(loggedTo: log) {
          try await withHTTPServer { server in
            let layout = try #require(Layout(rawValue: name))
            let uri = try layout.serve(paths, seconds: 3, on: server)
            try await withTappedPlayer([uri]) { harness, tap in
              try await harness.playToEnd()
              harness.expectEvents([.itemDidPlayToEnd(harness.items[0]), .queueEnded])
              let recorded = try tap.recorded().count
              #expect((3 * 44_100..<3 * 44_100 + 4410).contains(recorded), "\(recorded)")
            }
            let description = try await MediaInspector().inspect(uri)
            #expect(description.audioTracks.count == 1, "\(description)")
          }
        }
      }
    }
  }

  @Test("A segmented film has a duration, and continues after a seek", arguments: Layout.allCases)
  func seek(layout: Layout) async throws {
    var paths: [String] = []
    for film in layout.films { paths.append(try await made(film, seconds: 6)) }
    try await withHTTPServer { server in
      let uri = try layout.serve(paths, seconds: 6, on: server)
      try await withTappedPlayer([uri], keeping: .sinceLastBreak) { harness, tap in
        let snapshot = try await harness.ready()
        let duration = try #require(snapshot.duration)
        #expect(abs((duration - .seconds(6)) / .milliseconds(1)) < 200)
        #expect(snapshot.isSeekable)
        #expect(await harness.player.seek(to: .seconds(4)).isCompleted)
        #expect(harness.player.snapshot.position == .seconds(4))
        try await harness.playToEnd()
        #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
        #expect(harness.failures.isEmpty)
        let recorded = try tap.recorded().count
        // With video, the first sample is 0.2 s after the start of the media, and the last one is as late.
        let expected = 2 * 44_100 + (layout == .rendition ? 0 : 9_040)
        #expect((expected - 4410..<expected + 4410).contains(recorded), "\(recorded)")
      }
    }
  }
}

extension LiveStreaming {
  /// Adds a film in a transport stream to a server, in segments of about 1 s; returns the URI of its playlist.
  ///
  /// A segment starts with a program association table; `mpegtsmux` writes ten tables a second.
  static func serve(film path: String, seconds: Double, at prefix: String, on server: HTTPServer) throws -> String {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let tables = stride(from: 0, to: bytes.count - 187, by: 188).filter {
      bytes[$0] == 0x47 && bytes[$0 + 1] & 0x1F == 0 && bytes[$0 + 2] == 0
    }
    let count = Int(seconds)
    let size = (tables.count + count - 1) / count
    var lines = ["#EXT-X-TARGETDURATION:2", "#EXT-X-PLAYLIST-TYPE:VOD"]
    for first in stride(from: 0, to: tables.count, by: size) {
      let next = first + size
      let end = next < tables.count ? tables[next] : bytes.count
      server.script("\(prefix)-\(first).ts", .bytes(Array(bytes[tables[first]..<end]), type: "video/mp2t"))
      let duration = seconds * Double(min(size, tables.count - first)) / Double(tables.count)
      lines += ["#EXTINF:\(duration),", "\(prefix.dropFirst())-\(first).ts"]
    }
    return serve(lines + ["#EXT-X-ENDLIST"], at: prefix + ".m3u8", on: server)
  }

  /// Adds a playlist to a server; returns its URI.
  static func serve(_ lines: [String], at path: String, on server: HTTPServer) -> String {
    let text = (["#EXTM3U", "#EXT-X-VERSION:4"] + lines + [""]).joined(separator: "\n")
    return server.script(path, .bytes(Array(text.utf8), type: "application/vnd.apple.mpegurl"))
  }
}
