import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Items from the network", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct NetworkTests {
  @Test("A file plays over HTTP as from the disk: sought, and joined with the next without a gap")
  func plain() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: 80_001)
    let wavs = try await Media.continuousSine(samplesPerPart: 80_001, format: .wav).map { try samples(ofWAV: $0) }
    try await withHTTPServer { server in
      let uris = try paths.enumerated().map { server.script("/\($0).flac", try .file($1)) }
      try await withTappedPlayer(uris) { stage, tap in
        let snapshot = try await stage.ready()
        #expect(snapshot.duration == .nanoseconds(80_001 * 1_000_000_000 / 44_100))
        #expect(snapshot.isSeekable)
        #expect(await stage.player.seek(to: .milliseconds(1500)))
        try await stage.playOut()
        #expect(difference(try tap.heard(), wavs[0].dropFirst(66_150) + wavs[1]) == nil)
        #expect(stage.failures.isEmpty)
      }
    }
  }

  /// A server's answer that is a failure, and its code.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: PlayerError.Code
    var response: HTTPResponse

    static let all = [
      Refusal(testDescription: "404", code: .httpError, response: .status(404)),
      Refusal(testDescription: "403", code: .httpError, response: .status(403)),
      Refusal(testDescription: "500", code: .httpError, response: .status(500)),
      Refusal(
        testDescription: "text", code: .notMedia, response: .bytes(Array(String(repeating: "text\n", count: 99).utf8))),
    ]
  }

  @Test("A server's refusal is one failure with its code, and the next item plays", arguments: Refusal.all)
  func refusals(refusal: Refusal) async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      try await withPlayer([server.script("/bad", refusal.response), good]) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.item) == [stage.items[0]])
        #expect(stage.failures.map(\.code) == [refusal.code])
      }
    }
  }

  @Test("A server that never answers fails by the load time-out, and is skipped")
  func mute() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      try await withPlayer([server.script("/a.mp3", .silence), good], loadTimeout: .milliseconds(400)) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.item) == [stage.items[0]])
        #expect(stage.failures.map(\.code) == [.loadTimeout])
        #expect(stage.story.suffix(2) == [.itemDidPlayToEnd(stage.items[1]), .queueEnded])
      }
    }
  }

  @Test("A redirect is followed")
  func redirect() async throws {
    let path = try await Media.sine(seconds: 0.3)
    try await withHTTPServer { server in
      server.script("/there", try .file(path))
      try await withPlayer([server.script("/here", .redirect(to: "/there"))]) { stage in
        try await stage.playOut()
        #expect(stage.failures.isEmpty)
        #expect(stage.story.first == .itemDidPlayToEnd(stage.items[0]))
      }
    }
  }

  @Test(
    "A file of a server that does not mention ranges plays to its end, and cannot be sought",
    arguments: [Media.Format.ogg, .mp3, .flac, .wav])
  func noRanges(format: Media.Format) async throws {
    let path = try await Media.sine(seconds: 1, format: format)
    try await withHTTPServer { server in
      let uri = server.script("/a", try .file(path).ignoringRanges())
      try await withPlayer([uri]) { stage in
        try await stage.ready()
        #expect(!stage.player.snapshot.isSeekable)
        try await stage.playOut()
        #expect(stage.failures.isEmpty)
        #expect(stage.story.first == .itemDidPlayToEnd(stage.items[0]))
      }
    }
  }

  @Test(
    "A file of a server without ranges has no estimated duration, and its position runs to its end",
    arguments: [Media.Format.ogg, .mp3, .flac, .wav], [true, false])
  func noRangesDuration(format: Media.Format, mentionsRanges: Bool) async throws {
    // The bit rate of a sine in Vorbis is a small part of the nominal one.
    let path = try await Media.sine(seconds: 4, format: format)
    try await withHTTPServer { server in
      let response = try HTTPResponse.file(path)
      let uri = server.script("/a", mentionsRanges ? response.refusingRanges() : response.ignoringRanges())
      try await withPlayer([uri]) { stage in
        let snapshot = try await stage.ready()
        #expect(!snapshot.isSeekable)
        let known = snapshot.duration.map { abs(($0 - .seconds(4)) / .milliseconds(1)) < 100 }
        #expect(known == (format == .ogg ? nil : true))
        let late = EventLog<Duration>()
        let player = stage.player
        let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(3900)]) { _ in
          late.append(player.snapshot.position)
        }
        try await stage.playOut()
        #expect(late.elements.count == 1)
        #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
        #expect(abs((try #require(player.snapshot.duration) - .seconds(4)) / .milliseconds(1)) < 100)
        observation.cancel()
      }
    }
  }

  @Test("Without a length the duration is unknown until the stream has played to its end")
  func noLength() async throws {
    let path = try await Media.sine(seconds: 1, format: .ogg)
    try await withHTTPServer { server in
      let uri = server.script("/radio", try .file(path).withoutLength().refusingRanges())
      try await withTappedPlayer([uri]) { stage, tap in
        let snapshot = try await stage.ready()
        #expect(snapshot.duration == nil)
        #expect(!snapshot.isSeekable)
        #expect(await stage.player.seek(to: .milliseconds(500)) == false)
        try await stage.playOut()
        #expect(stage.failures.isEmpty)
        #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
        let (duration, samples) = (try #require(stage.player.snapshot.duration), try tap.heard().count)
        #expect(duration >= .seconds(1))
        #expect((duration / .seconds(1) * 44_100).rounded() == Double(samples))
      }
    }
  }

  @Test("A server that stalls makes the player wait, and it resumes by itself where it was")
  func stall() async throws {
    let path = try await Media.sine(seconds: 8, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/slow.mp3", try .file(path).stalling(at: 50_000))
      try await withPlayer([uri]) { stage in
        stage.player.play()
        let item = stage.items[0]
        try await stage.event(.playbackStalled(item))
        let stalled = try await stage.reaches("waiting") { $0.timeControlStatus == .waitingToPlay(.toMinimizeStalls) }
        #expect(stalled.transport == .playing)
        #expect(stalled.position > .zero)
        let held = stage.player.snapshot.position
        server.release("/slow.mp3")
        let resumed = try await stage.events.first("playback resumes") {
          if case .playbackResumed(item, _) = $0 { true } else { false }
        }
        guard case .playbackResumed(_, let position) = resumed.element else { return }
        #expect(abs((position - held) / .milliseconds(1)) < 100)
        #expect(stage.player.snapshot.timeControlStatus == .playing)
        stage.player.stop()
      }
    }
  }

  @Test("A server that stalls for good: what has come plays, one stall is told, then one failure, and the next plays")
  func silence() async throws {
    let path = try await Media.sine(seconds: 8, format: .mp3)
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = server.script("/slow.mp3", try .file(path).stalling(at: 50_000))
      try await withPlayer([uri, good], networkTimeout: .seconds(1)) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.code) == [.networkTimeout])
        #expect(stage.story.first == .playbackStalled(stage.items[0]))
        #expect(stage.story.suffix(2) == [.itemDidPlayToEnd(stage.items[1]), .queueEnded])
        #expect(stage.story.count == 5)
      }
    }
  }

  @Test("A forward buffer that was asked for is filled before play begins")
  func forwardBuffer() async throws {
    // Long enough to be still playing when it is looked at, however late.
    let path = try await Media.sine(seconds: 120, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/long.mp3", try .file(path))
      try await withPlayer([uri]) { stage in
        stage.player.setPreferredForwardBufferDuration(.seconds(5))
        try await stage.playing()
        let snapshot = stage.player.snapshot
        #expect(snapshot.preferredForwardBufferDuration == .seconds(5))
        let loaded = try #require(snapshot.loadedTimeRanges.first)
        #expect(loaded.contains(snapshot.position))
        #expect(loaded.upperBound >= .seconds(5))
        #expect(snapshot.seekableTimeRanges.first?.upperBound == snapshot.duration)
      }
    }
  }

  @Test("A stop closes the connection")
  func stopCloses() async throws {
    let path = try await Media.sine(seconds: 60, format: .wav)
    try await withHTTPServer { server in
      let uri = server.script("/long.wav", try .file(path).throttled(to: 400_000))
      try await withPlayer([uri]) { stage in
        try await stage.playing()
        // Most of it is still to come, however late this is.
        stage.player.stop()
        try await server.events.first("the connection is closed") {
          if case .closed(_, _, byPeer: true) = $0 { true } else { false }
        }
      }
    }
  }

  @Test("A server that is not there refuses the connection")
  func connectionRefused() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    let uri = try await withHTTPServer { $0.script("/a.flac", .status(200)) }
    try await withPlayer([uri, good]) { stage in
      try await stage.playOut()
      #expect(stage.failures.map(\.code) == [.networkRefused])
    }
  }

  @Test("A connection that is cut: what was buffered plays, then one failure")
  func cut() async throws {
    let path = try await Media.sine(seconds: 4, format: .wav)
    let original = try samples(ofWAV: path)
    try await withHTTPServer { server in
      // Slow enough that the cut comes after the first samples, and the end of a connection loses none of them.
      let response = try HTTPResponse.file(path).throttled(to: 1_000_000).cutting(at: 44 + 4 * 110_250)
      let uri = server.script("/cut.wav", response)
      try await withTappedPlayer([uri]) { stage, tap in
        try await stage.playOut()
        let heard = try tap.heard()
        #expect(difference(heard, original.prefix(heard.count)) == nil)
        #expect(heard.count > 100_000)
        #expect(stage.failures.map(\.code) == [.networkCut])
        #expect(stage.story.count == 2)
      }
    }
  }
}
