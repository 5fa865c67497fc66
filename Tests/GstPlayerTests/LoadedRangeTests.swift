import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

/// The loaded range of a stream while it plays, as every event reports it.
@Suite("Loaded ranges of streams") struct LoadedRangeTests {
  /// A file on a server that sends it at a speed, in multiples of its bit rate in the time of the player.
  struct Served: Sendable, CustomTestStringConvertible {
    var format: Media.Format
    var speed: Double
    var hasRanges = true
    var testDescription: String { "\(format), \(speed) times as fast\(hasRanges ? "" : ", without ranges")" }

    func response(_ path: String, seconds: Double) throws -> HTTPResponse {
      let response = try HTTPResponse.file(path)
      let bytes = Double(try Data(contentsOf: URL(filePath: path)).count) / seconds * speed * Double(FastTime.factor)
      let throttled = response.throttled(to: Int(bytes))
      return hasRanges ? throttled : throttled.refusingRanges()
    }

    static let all = [
      Served(format: .mp3, speed: 1.5), Served(format: .mp3, speed: 12.5),
      Served(format: .mp3, speed: 2, hasRanges: false),
      Served(format: .flac, speed: 2), Served(format: .ogg, speed: 2), Served(format: .wav, speed: 3, hasRanges: false),
    ]
  }

  @Test(
    "While a stream plays, its loaded range contains the position, and its end grows to that of the file",
    arguments: Served.all)
  func growth(served: Served) async throws {
    let path = try await Media.sine(seconds: 20, format: served.format)
    try await withHTTPServer { server in
      let uri = server.script("/file", try served.response(path, seconds: 20))
      try await withPlayer([uri]) { harness in
        let seen = EventLog<Player.Snapshot>()
        let observer = harness.player.addEventObserver { _, snapshot in seen.append(snapshot) }
        try await harness.playToEnd()
        observer.cancel()
        let playing = seen.elements.filter { $0.timeControlStatus == .playing && $0.itemStatus == .readyToPlay }
        for snapshot in playing where snapshot.position != snapshot.duration {
          #expect(snapshot.loadedTimeRanges.contains { $0.contains(snapshot.position) }, "at \(snapshot.position)")
        }
        let ends = playing.compactMap { $0.loadedTimeRanges.last?.upperBound }
        #expect(ends == ends.sorted())
        #expect(Set(ends).count >= 4)
        #expect(ends.last == playing.last?.duration)
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test("After a seek, the loaded range contains the position again", arguments: [true, false])
  func seek(hasRanges: Bool) async throws {
    let path = try await Media.sine(seconds: 20, format: .mp3)
    try await withHTTPServer { server in
      let served = Served(format: .mp3, speed: 3, hasRanges: hasRanges)
      let uri = server.script("/file", try served.response(path, seconds: 20))
      try await withPlayer([uri]) { harness in
        try await harness.playing()
        guard await harness.player.seek(to: .seconds(12)).isCompleted else { return #expect(!hasRanges) }
        let seen = EventLog<Player.Snapshot>()
        let observer = harness.player.addEventObserver { _, snapshot in seen.append(snapshot) }
        try await harness.event(.queueEnded)
        observer.cancel()
        let playing = seen.elements.filter { $0.timeControlStatus == .playing && $0.position != $0.duration }
        for snapshot in playing {
          #expect(snapshot.loadedTimeRanges.contains { $0.contains(snapshot.position) }, "at \(snapshot.position)")
        }
        #expect(playing.allSatisfy { $0.position >= .seconds(12) })
      }
    }
  }

  @Test("A server that is slower than the media keeps up only once the rest of the file makes up for it")
  func slow() async throws {
    let path = try await Media.sine(seconds: 20, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/file", try Served(format: .mp3, speed: 0.5).response(path, seconds: 20))
      try await withPlayer([uri]) { harness in
        harness.player.play()
        try await harness.reaches("playing, and not likely to keep up") {
          $0.timeControlStatus == .playing && !$0.isPlaybackLikelyToKeepUp
        }
        harness.player.stop()
      }
    }
  }
}
