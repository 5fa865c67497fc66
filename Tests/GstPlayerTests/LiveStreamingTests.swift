import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("HTTP Live Streaming", .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
struct LiveStreamingTests {
  @Test("A recording in segments has its duration, is sought, and plays to its end and on to the next item")
  func recording() async throws {
    let next = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = try await LiveStreaming.serve(seconds: 24, segments: 6, on: server)
      try await withPlayer([uri, next]) { stage in
        let snapshot = try await stage.ready()
        let duration = try #require(snapshot.duration)
        #expect(abs((duration - .seconds(24)) / .milliseconds(1)) < 200)
        #expect(snapshot.isSeekable)
        #expect(await stage.player.seek(to: .seconds(22)))
        #expect(stage.player.snapshot.position == .seconds(22))
        try await stage.playOut()
        #expect(stage.failures.isEmpty)
        #expect(stage.story.filter { if case .itemDidPlayToEnd = $0 { true } else { false } }.count == 2)
      }
    }
  }
}

/// A recording as a server of live streams offers it.
enum LiveStreaming {
  /// Whether the pipeline knows such playlists, and segments can be made.
  static let isAvailable = Media.Format.mp3.isAvailable && isElementInstalled("hlsdemux")

  /// Puts a sine in segments of whole MP3 frames on a server; the URI of its playlist.
  static func serve(seconds: Double, segments: Int, on server: HTTPServer) async throws -> String {
    let path = try await Media.sine(seconds: seconds, format: .mp3)
    let frames = frames(of: Array(try Data(contentsOf: URL(filePath: path))))
    let size = (frames.count + segments - 1) / segments
    var lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:\(Int(seconds) / segments + 1)"]
    lines.append("#EXT-X-PLAYLIST-TYPE:VOD")
    for (number, start) in stride(from: 0, to: frames.count, by: size).enumerated() {
      let part = frames[start..<min(start + size, frames.count)]
      server.script("/\(number).mp3", .bytes(part.flatMap { Array($0) }, type: "audio/mpeg"))
      lines += ["#EXTINF:\(Double(part.count) * 1152 / 44_100),", "\(number).mp3"]
    }
    let text = (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
    return server.script("/list.m3u8", .bytes(Array(text.utf8), type: "application/vnd.apple.mpegurl"))
  }

  /// The frames of a file of MPEG-1 layer 3 at 44 100 Hz, without the one that only says how many there are.
  private static func frames(of file: [UInt8]) -> [ArraySlice<UInt8>] {
    let rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
    var frames: [ArraySlice<UInt8>] = []
    var rest = file[...]
    if rest.starts(with: "ID3".utf8), rest.count > 10 {
      rest = rest.dropFirst(10 + rest[6..<10].reduce(0) { $0 << 7 | Int($1) })
    }
    while rest.count > 4, rest[rest.startIndex] == 0xFF {
      let bits = rest[rest.startIndex + 2]
      let length = 144 * rates[Int(bits >> 4)] * 1000 / 44_100 + Int(bits >> 1 & 1)
      guard length > 0 else { break }
      frames.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return Array(frames.dropFirst())
  }
}
