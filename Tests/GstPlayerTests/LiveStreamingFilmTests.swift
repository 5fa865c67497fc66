import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite(
  "Films in HTTP Live Streaming", .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
  .enabled(if: Film.isAvailable, "\(Film.unavailable)"),
  .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
struct LiveStreamingFilmTests {
  @Test("A film in segments plays its sound to its end, once, without elements for video")
  func elements() async throws {
    let path = try await made(.transportStream, seconds: 6)
    try await withTemporaryDirectory { directory in
      let log = directory.file("factories.log")
      await #expect(processExitsWith: .success) {
        [path = path as String, log = log as String] in
        try await expectingAudioElements(loggedTo: log) {
          try await withHTTPServer { server in
            let uri = try LiveStreaming.serve(film: path, seconds: 6, at: "/film", on: server)
            try await withTappedPlayer([uri]) { stage, tap in
              try await stage.playOut()
              #expect(stage.events.elements.filter(\.isWarning).isEmpty)
              #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
              let heard = try tap.heard().count
              #expect((6 * 44_100..<6 * 44_100 + 4410).contains(heard))
            }
            let description = try await MediaInspector().inspect(uri)
            #expect(description.audioTracks.count == 1)
            #expect(abs((try #require(description.duration) - .seconds(6)) / .milliseconds(1)) < 200)
          }
        }
      }
    }
  }
}

extension LiveStreaming {
  /// Adds a film in a transport stream to a server, in segments of about 1 s; returns the URI of its playlist.
  ///
  /// A segment starts with a program association table, of which `mpegtsmux` writes ten a second.
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
