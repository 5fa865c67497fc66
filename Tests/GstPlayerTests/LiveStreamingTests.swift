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

extension LiveStreamingTests {
  /// A fault of a server, and the error code for it.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var segment: Int
    var response: HTTPResponse
    var code: PlayerError.Code

    static let all = [
      Fault(testDescription: "a first segment that is missing", segment: 0, response: .status(404), code: .httpError),
      Fault(testDescription: "a segment that is missing", segment: 3, response: .status(404), code: .httpError),
      Fault(testDescription: "a segment without permission", segment: 3, response: .status(403), code: .httpError),
      Fault(
        testDescription: "a segment that is cut", segment: 3,
        response: .bytes([UInt8](repeating: 0, count: 2000)).cutting(at: 1000), code: .networkCut),
    ]
  }

  @Test("A segment that cannot be had is one failure, and the next item plays", arguments: Fault.all)
  func fault(fault: Fault) async throws {
    let next = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = try await LiveStreaming.serve(seconds: 24, segments: 6, on: server)
      server.script("/\(fault.segment).mp3", fault.response)
      try await withPlayer([uri, next]) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.item) == [stage.items[0]])
        #expect(stage.failures.map(\.code) == [fault.code])
        #expect(stage.story.suffix(2) == [.itemDidPlayToEnd(stage.items[1]), .queueEnded])
      }
    }
  }

  @Test("A segment whose connection is cut once is downloaded again, and nothing fails")
  func retry() async throws {
    try await withHTTPServer { server in
      let uri = try await LiveStreaming.serve(seconds: 3, segments: 3, on: server)
      server.change("/1.mp3") { $0.refusingRanges().cuttingOnce(at: 1000) }
      try await withPlayer([uri]) { stage in
        try await stage.playOut()
        #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
      }
      let downloads = server.events.elements.filter { if case .requested("/1.mp3", _) = $0 { true } else { false } }
      #expect(downloads.count > 1)
    }
  }

  @Test("Of several variants, the one of the highest bit rate up to 1.5 Mbit/s plays, and no other is opened")
  func variants() async throws {
    let rates = [("low", 64_000), ("high", 1_400_000), ("huge", 6_000_000)]
    try await withHTTPServer { server in
      let names = rates.map { "/\($0.0).m3u8" }
      _ = try await LiveStreaming.serve(seconds: 3, segments: 3, at: names, on: server)
      let lines = rates.flatMap { ["#EXT-X-STREAM-INF:BANDWIDTH=\($0.1)", "\($0.0).m3u8"] }
      let uri = LiveStreaming.serve(lines, at: "/master.m3u8", on: server)
      #expect(try await MediaInspector().inspect(uri).audioTracks.count == 1)
      try await withPlayer([uri]) { stage in
        try await stage.playOut()
        #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
      }
      let opened = server.events.elements.compactMap { event -> String? in
        if case .requested(let path, _) = event, names.contains(path) { path } else { nil }
      }
      #expect(Set(opened) == ["/high.m3u8"])
    }
  }
}

/// A recording as a server of live streams offers it.
enum LiveStreaming {
  /// Whether the pipeline knows such playlists, and segments can be made.
  static let isAvailable = Media.Format.mp3.isAvailable && isElementInstalled("hlsdemux")

  /// Puts a sine in segments of whole MP3 frames on a server; the URI of its playlist.
  static func serve(
    seconds: Double, segments: Int, at names: [String] = ["/list.m3u8"], on server: HTTPServer
  ) async throws -> String {
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
    for name in names { server.script(name, .bytes(Array(text.utf8), type: "application/vnd.apple.mpegurl")) }
    return server.origin + names[0]
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
