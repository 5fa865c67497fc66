import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Timed ID3 metadata, live", .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
struct TimedID3LiveTests {
  /// The time of an MP3 frame.
  private static let frame = 1152.0 / 44_100
  /// The number of frames in a segment of about 2 s.
  private static let framesPerSegment = 76

  /// The ways in which a segment carries its tags.
  enum Container: String, CaseIterable, CustomTestStringConvertible {
    case transportStream = "a transport stream"
    case packedAudio = "packed audio"
    var testDescription: String { rawValue }

    /// The time of the tag of a segment after the start of the segment, in seconds.
    var offset: Double { self == .transportStream ? 0.5123 : 0 }
  }

  private static func time(of segment: Int, in container: Container) -> Double {
    Double(segment * framesPerSegment) * frame + container.offset
  }

  /// Adds a stream to a server, with one tag in each segment; returns the URI of its playlist.
  private func serve(_ container: Container, segments: Int, on server: HTTPServer) async throws -> String {
    let path = try await Media.sine(seconds: 12, format: .mp3)
    let frames = LiveStreaming.frames(of: Array(try Data(contentsOf: URL(filePath: path))))
    var stream = TransportStream()
    var lines = ["#EXT-X-TARGETDURATION:3", "#EXT-X-PLAYLIST-TYPE:VOD"]
    for segment in 0..<segments {
      let first = segment * Self.framesPerSegment
      let part = frames[first..<first + Self.framesPerSegment]
      let content = [
        ID3.frame("TIT2", [3] + Array("Tag \(segment)".utf8), 4), ID3.frame("TXXX", [3] + Array("key\0value".utf8), 4),
        ID3.frame("PRIV", Array("owner\0".utf8) + [1, 2, 3], 4),
        ID3.frame("GEOB", [0] + Array("a/b\0f\0d\0".utf8) + [7], 4),
      ].flatMap { $0 }
      let name = "/\(segment).\(container == .transportStream ? "ts" : "mp3")"
      switch container {
      case .transportStream:
        stream.beginSegment()
        for (index, frame) in part.enumerated() {
          if index == 10 { stream.append(tag: TransportStream.tag(content), at: Self.time(of: segment, in: container)) }
          stream.append(audio: frame, at: Double(first + index) * Self.frame)
        }
        server.script(name, .bytes(stream.bytes, type: "video/mp2t"))
      case .packedAudio:
        let tag = TransportStream.segmentTag(at: Self.time(of: segment, in: container), content)
        server.script(name, .bytes(tag + part.flatMap { Array($0) }, type: "audio/mpeg"))
      }
      lines += ["#EXTINF:\(Double(part.count) * Self.frame),", String(name.dropFirst())]
    }
    return LiveStreaming.serve(lines + ["#EXT-X-ENDLIST"], at: "/list.m3u8", on: server)
  }

  /// Plays to the end, after a seek to a position if there is one; expects the tags of some segments.
  private func expectTags(
    of expected: ClosedRange<Int>, in container: Container, after target: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withHTTPServer { server in
      let uri = try await serve(container, segments: expected.upperBound + 1, on: server)
      try await withPlayer([uri]) { harness in
        let log = EventLog<Player.TimedMetadata>()
        if let target {
          _ = try await harness.ready()
          #expect(await harness.player.seek(to: target).isCompleted)
        }
        let observation = harness.player.addTimedMetadataObserver { log.append($0) }
        try await harness.playToEnd()
        observation.cancel()
        let found = log.elements
        #expect(found.map(\.title) == expected.map { "Tag \($0)" }, sourceLocation: sourceLocation)
        for (metadata, segment) in zip(found, expected) {
          let time = Self.time(of: segment, in: container)
          #expect(abs(metadata.time / .seconds(1) - time) < 0.005, "\(metadata.time), expected \(time)")
          guard case .id3(let tag) = metadata.content else { continue }
          #expect(
            tag.frames.map { "\($0.id) \($0.name) \($0.bytes.count)" } == ["PRIV owner 3", "TXXX key 5", "GEOB  10"])
        }
        #expect(!harness.events.elements.contains { if case .warning = $0 { true } else { false } })
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test("Each tag of a segmented stream is delivered with its frames at its time", arguments: Container.allCases)
  func tags(container: Container) async throws { try await expectTags(of: 0...2, in: container) }

  @Test("The tags after the target of a seek in a segmented stream are delivered", arguments: Container.allCases)
  func seek(container: Container) async throws {
    // The target lies at the end of the segment before the next tag's.
    try await expectTags(of: 3...4, in: container, after: .seconds(5.9))
  }
}

extension Player.TimedMetadata {
  fileprivate var title: String? {
    if case .id3(let tag) = content { tag.fields.title } else { nil }
  }
}
