import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Timed metadata, live", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimedMetadataLiveTests {
  /// Plays until metadata that satisfies `isLast` was delivered; returns all of it.
  private func played(
    _ harness: PlayerHarness, until isLast: @escaping @Sendable (Player.TimedMetadata) -> Bool
  ) async throws -> [Player.TimedMetadata] {
    let log = EventLog<Player.TimedMetadata>()
    let observation = harness.player.addTimedMetadataObserver { log.append($0) }
    harness.player.play()
    try await log.first("the last metadata", within: 30, where: isLast)
    observation.cancel()
    harness.player.stop()
    return log.elements
  }

  @Test("A station's title has the time of the audio that follows it in the stream")
  func station() async throws {
    let interval = 4000
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 20, format: .mp3))))
    // 128 kbit/s: 48 000 bytes are 3 s.
    let titles = [0: "One", 12: "Two"]
    var content: [UInt8] = []
    for (block, start) in stride(from: 0, to: music.count, by: interval).enumerated() {
      content += music[start..<min(start + interval, music.count)]
      let title = titles[block == 0 ? 0 : block + 1]
      let text = Array((title.map { "StreamTitle='\($0)';" } ?? "").utf8)
      let size = (text.count + 15) / 16
      content += [UInt8(size)] + text + [UInt8](repeating: 0, count: size * 16 - text.count)
    }
    try await withHTTPServer { server in
      let response = HTTPResponse.bytes(content, type: "audio/mpeg").withoutLength().refusingRanges()
        .header("icy-metaint: \(interval)").header("icy-name: The Station")
      let uri = server.script("/radio", response)
      try await withPlayer([uri], inFastTime: false) { harness in
        let found = try await played(harness) { $0.content == .streamTitle("Two") }
        #expect(found.map(\.content) == [.streamTitle("One"), .streamTitle("Two")])
        let time = try #require(found.last?.time)
        // A parser passes whole frames on, so a title is placed at a frame: the frame that its bytes divide, and the LAME
        // header, which is a frame that is not played, move it. The measured difference is 73 ms, less than three frames.
        let difference = abs((time - .seconds(3)) / .milliseconds(1))
        #expect(difference < 78, "\(time)")
      }
    }
  }

  @Test("The lines of synchronised lyrics in an MP3 file are delivered at their times")
  func lyrics() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 2, format: .mp3))))
    let times = [200, 700, 1100]
    var lines: [UInt8] = []
    for (text, time) in zip(["One", "Two", "Three"], times) {
      lines += Array(text.utf8)
      lines += [0, 0, 0, UInt8(time >> 8), UInt8(time & 0xFF)]
    }
    let content: [UInt8] = [3] + Array("eng".utf8) + [2, 1, 0] + lines
    let frame = ID3.frame("SYLT", content, 4)
    try await withTemporaryDirectory { directory in
      let header: [UInt8] = Array("ID3".utf8) + [4, 0, 0] + ID3.size(frame.count, 4)
      let path = try directory.write(header + frame + music, to: "lyrics.mp3")
      try await withPlayer([fileURI(path)], inFastTime: false) { harness in
        let found = try await played(harness) { $0.content == .lyrics("Three") }
        #expect(found.map(\.content) == [.lyrics("One"), .lyrics("Two"), .lyrics("Three")])
        #expect(found.map(\.time) == times.map { .milliseconds($0) })
      }
    }
  }
}
