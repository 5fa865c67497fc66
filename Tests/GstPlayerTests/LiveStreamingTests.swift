import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("HTTP Live Streaming", .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
struct LiveStreamingTests {
  @Test("A segmented recording has its duration, is seekable, and plays to its end and on to the next item")
  func recording() async throws {
    let next = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = try await LiveStreaming.serve(seconds: 24, segments: 6, on: server)
      try await withPlayer([uri, next]) { harness in
        let snapshot = try await harness.ready()
        let duration = try #require(snapshot.duration)
        #expect(abs((duration - .seconds(24)) / .milliseconds(1)) < 200)
        #expect(snapshot.isSeekable)
        #expect(await harness.player.seek(to: .seconds(22)).isCompleted)
        #expect(harness.player.snapshot.position == .seconds(22))
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
        #expect(harness.significantEvents.filter { if case .itemDidPlayToEnd = $0 { true } else { false } }.count == 2)
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
      Fault(testDescription: "a missing first segment", segment: 0, response: .status(404), code: .httpError),
      Fault(testDescription: "a missing segment", segment: 3, response: .status(404), code: .httpError),
      Fault(testDescription: "a segment without permission", segment: 3, response: .status(403), code: .httpError),
      Fault(
        testDescription: "a truncated segment", segment: 3,
        response: .bytes([UInt8](repeating: 0, count: 2000)).cutting(at: 1000), code: .networkCut),
    ]
  }

  @Test("A segment that cannot be downloaded causes one failure, and the next item plays", arguments: Fault.all)
  func fault(fault: Fault) async throws {
    let next = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = try await LiveStreaming.serve(seconds: 12, segments: 6, on: server)
      server.script("/\(fault.segment).mp3", fault.response)
      try await withPlayer([uri, next]) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == [harness.items[0]])
        #expect(harness.failures.map(\.code) == [fault.code])
        #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[1]), .queueEnded])
      }
    }
  }

  @Test("A segment whose connection is cut once is downloaded again without a failure")
  func retry() async throws {
    try await withHTTPServer { server in
      let uri = try await LiveStreaming.serve(seconds: 3, segments: 3, on: server)
      server.change("/1.mp3") { $0.refusingRanges().cuttingOnce(at: 1000) }
      try await withPlayer([uri]) { harness in
        try await harness.playToEnd()
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
      }
      let downloads = server.events.elements.filter { if case .requested("/1.mp3", _) = $0 { true } else { false } }
      #expect(downloads.count > 1)
    }
  }

  @Test("The access log counts the downloaded segments and the time of their transfer; a file has neither")
  func accessLog() async throws {
    let next = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = try await LiveStreaming.serve(seconds: 3, segments: 3, on: server)
      try await withPlayer([uri, next]) { harness in
        try await harness.playToEnd()
        let entries = harness.player.accessLog
        #expect(entries.map(\.mediaRequestCount) == [3, nil])
        let time = try #require(entries.first?.transferDuration)
        #expect(time > .zero && entries[1].transferDuration == nil)
        let requests = server.events.elements.filter { event in
          if case .requested(let path, _) = event { path.hasSuffix(".mp3") } else { false }
        }
        #expect(requests.count == 3)
      }
    }
  }

  @Test("The variant with the highest bit rate up to 1.5 Mbit/s plays, and no other variant is opened")
  func variants() async throws {
    let rates = [("low", 64_000), ("high", 1_400_000), ("huge", 6_000_000)]
    try await withHTTPServer { server in
      let names = rates.map { "/\($0.0).m3u8" }
      _ = try await LiveStreaming.serve(seconds: 3, segments: 3, at: names, on: server)
      let lines = rates.flatMap { ["#EXT-X-STREAM-INF:BANDWIDTH=\($0.1)", "\($0.0).m3u8"] }
      let uri = LiveStreaming.serve(lines, at: "/master.m3u8", on: server)
      #expect(try await MediaInspector().inspect(uri).audioTracks.count == 1)
      try await withPlayer([uri]) { harness in
        try await harness.playToEnd()
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
      }
      let opened = server.events.elements.compactMap { event -> String? in
        if case .requested(let path, _) = event, names.contains(path) { path } else { nil }
      }
      #expect(Set(opened) == ["/high.m3u8"])
    }
  }
}

extension LiveStreamingTests {
  @Test("A live stream is seekable within the window of its server, also while that moves")
  func window() async throws {
    try await withHTTPServer { server in
      let (uri, offer) = try await LiveStreaming.broadcast(seconds: 60, offering: 0..<20, on: server)
      try await withPlayer([uri], inFastTime: false) { harness in
        harness.player.play()
        try await harness.reaches("the window of the server") { $0.seekableTimeRanges.first?.lowerBound == .zero }
        let snapshot = harness.player.snapshot
        #expect(snapshot.duration == nil && snapshot.isSeekable)
        // Its end is three segments before the end of the playlist.
        let end = try #require(snapshot.seekableTimeRanges.first?.upperBound)
        #expect(end > .seconds(16) && end < .seconds(18), "\(end)")
        #expect(await harness.player.seek(to: .seconds(4)).isCompleted)
        #expect(harness.player.snapshot.position >= .seconds(4) && harness.player.snapshot.position < .seconds(8))
        offer(10..<30)
        try await harness.reaches("the window has moved") {
          $0.seekableTimeRanges.first.map { $0.lowerBound > .seconds(11) && $0.upperBound > .seconds(26) } ?? false
        }
        #expect(await harness.player.seek(to: .zero).isCompleted)
        let first = harness.player.snapshot.position
        #expect(first > .seconds(11) && first < .seconds(15), "\(first)")
        #expect(await harness.player.seek(to: .seconds(500)).isCompleted)
        let last = harness.player.snapshot.position
        #expect(last > .seconds(26) && last < .seconds(31), "\(last)")
        #expect(harness.failures.isEmpty)
        harness.player.stop()
      }
    }
  }

  @Test("A live stream whose server is away is reconnected, and plays on when the server is back")
  func lostPlaylist() async throws {
    try await withHTTPServer { server in
      let (uri, offer) = try await LiveStreaming.broadcast(seconds: 60, offering: 0..<10, on: server)
      try await withPlayer([uri], inFastTime: false) { harness in
        harness.player.play()
        try await harness.playing()
        server.script("/live.m3u8", .status(503))
        let stalled = try await harness.event(.playbackStalled(harness.items[0]), within: 60)
        try await harness.reaches("the connection is lost") { $0.isReconnecting }
        offer(10..<20)
        try await harness.events.first("playback resumes", from: stalled, within: 60) {
          if case .playbackResumed(harness.items[0], _) = $0 { true } else { false }
        }
        #expect(harness.failures.isEmpty)
        harness.player.stop()
      }
    }
  }
}

/// An HTTP Live Streaming recording on a test server.
enum LiveStreaming {
  /// Whether the pipeline supports HTTP Live Streaming and segments can be made.
  static let isAvailable = Media.Format.mp3.isAvailable && isElementInstalled("hlsdemux")

  /// Splits a sine into segments of whole MP3 frames and serves them; returns the URI of the playlist.
  static func serve(
    seconds: Double, segments: Int, at names: [String] = ["/list.m3u8"], on server: HTTPServer
  ) async throws -> String {
    let durations = try await serveSegments(seconds: seconds, count: segments, on: server)
    let text = playlist(durations, durations.indices, "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-ENDLIST")
    for name in names { server.script(name, text) }
    return server.origin + names[0]
  }

  /// Splits a sine into segments of a second, of which a playlist offers a range; returns its URI, and what changes the range.
  static func broadcast(
    seconds: Int, offering range: Range<Int>, on server: HTTPServer
  ) async throws -> (uri: String, offer: (Range<Int>) -> Void) {
    let durations = try await serveSegments(seconds: Double(seconds), count: seconds, on: server)
    let offer = { (range: Range<Int>) in
      _ = server.script("/live.m3u8", playlist(durations, range, "#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)"))
    }
    offer(range)
    return (server.origin + "/live.m3u8", offer)
  }

  /// Serves the segments of a sine; returns their durations in seconds.
  private static func serveSegments(seconds: Double, count: Int, on server: HTTPServer) async throws -> [Double] {
    let path = try await Media.sine(seconds: seconds, format: .mp3)
    let frames = frames(of: Array(try Data(contentsOf: URL(filePath: path))))
    let size = (frames.count + count - 1) / count
    return stride(from: 0, to: frames.count, by: size).enumerated().map { number, start in
      let part = frames[start..<min(start + size, frames.count)]
      server.script("/\(number).mp3", .bytes(part.flatMap { Array($0) }, type: "audio/mpeg"))
      return Double(part.count) * 1152 / 44_100
    }
  }

  private static func playlist(
    _ durations: [Double], _ range: Range<Int>, _ type: String, _ end: String? = nil
  ) -> HTTPResponse {
    let longest = Int(durations.max() ?? 0) + 1
    let segments = range.clamped(to: durations.indices).flatMap { ["#EXTINF:\(durations[$0]),", "\($0).mp3"] }
    let head = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:\(longest)", type]
    let text = (head + segments + [end, ""].compactMap { $0 }).joined(separator: "\n")
    return .bytes(Array(text.utf8), type: "application/vnd.apple.mpegurl")
  }

  /// Returns the frames of an MPEG-1 layer 3 file at 44 100 Hz, without the header frame that only contains their
  /// count.
  static func frames(of file: [UInt8]) -> [ArraySlice<UInt8>] {
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
