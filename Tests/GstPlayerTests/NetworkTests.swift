import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Network items", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct NetworkTests {
  @Test("The observed bit rate is the speed of the server, not that at which the media plays")
  func observedBitRate() async throws {
    let path = try await Media.sine(seconds: 4, format: .wav)
    try await withHTTPServer { server in
      // The media plays at 88 kB/s.
      let content = try Data(contentsOf: URL(filePath: path)).count
      let uri = server.script("/a.wav", try .file(path).throttled(to: 600_000))
      try await withPlayer([uri], inFastTime: false) { harness in
        harness.player.play()
        try await server.events.first("the request") { if case .requested = $0 { true } else { false } }
        let begin = ContinuousClock.now
        try await server.events.first("the end of the response") { if case .closed = $0 { true } else { false } }
        // On a loaded machine, the server is slower.
        let average = Double(content * 8) / (begin.duration(to: .now) / .seconds(1))
        try await harness.event(.queueEnded)
        let rate = Double(try #require(harness.player.accessLog.first?.observedBitRate))
        #expect((average / 3...average * 3).contains(rate), "\(rate), \(average)")
      }
    }
  }

  @Test("A file over HTTP plays like a local one: it is seekable and joins the next without a gap")
  func plain() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: 80_001)
    let wavs = try await Media.continuousSine(samplesPerPart: 80_001, format: .wav).map { try samples(ofWAV: $0) }
    try await withHTTPServer { server in
      let uris = try paths.enumerated().map { server.script("/\($0).flac", try .file($1)) }
      try await withTappedPlayer(uris) { harness, tap in
        let snapshot = try await harness.ready()
        #expect(snapshot.duration == .nanoseconds(80_001 * 1_000_000_000 / 44_100))
        #expect(snapshot.isSeekable)
        #expect(await harness.player.seek(to: .milliseconds(1500)).isCompleted)
        try await harness.playToEnd()
        expectSamples(try tap.recorded(), wavs[0].dropFirst(66_150) + wavs[1])
        #expect(harness.failures.isEmpty)
      }
    }
  }

  /// An error response of a server, and its code.
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

  @Test("An error response causes one failure with its code, and the next item plays", arguments: Refusal.all)
  func refusals(refusal: Refusal) async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      try await withPlayer([server.script("/bad", refusal.response), good]) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == [harness.items[0]])
        #expect(harness.failures.map(\.code) == [refusal.code])
      }
    }
  }

  @Test("An item of a server that never answers fails with the load time-out and is skipped")
  func mute() async throws {
    try await withHTTPServer { server in
      // A file that plays could also exceed this limit on a loaded machine.
      let uris = ["/a.mp3", "/b.mp3"].map { server.script($0, .silence) }
      try await withPlayer(uris, loadTimeout: .milliseconds(400), inFastTime: false) { harness in
        harness.player.play()
        try await harness.event(.queueEnded)
        #expect(harness.failures.map(\.item) == harness.items)
        #expect(harness.failures.map(\.code) == [.loadTimeout, .loadTimeout])
      }
    }
  }

  @Test(
    "A loop of redirects is one failure with its own code; a redirect to a scheme other than HTTP is an HTTP error",
    arguments: [("/a", PlayerError.Code.tooManyRedirects), ("file:///etc/hostname", .httpError)])
  func endlessRedirect(target: String, code: PlayerError.Code) async throws {
    try await withHTTPServer { server in
      try await withPlayer([server.script("/a", .redirect(to: target))]) { harness in
        harness.player.play()
        try await harness.event(.queueEnded)
        #expect(harness.failures.map(\.code) == [code])
      }
    }
  }

  @Test("A redirect is followed")
  func redirect() async throws {
    let path = try await Media.sine(seconds: 0.3)
    try await withHTTPServer { server in
      server.script("/there", try .file(path))
      try await withPlayer([server.script("/here", .redirect(to: "/there"))]) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
        #expect(harness.significantEvents.first == .itemDidPlayToEnd(harness.items[0]))
      }
    }
  }

  @Test(
    "A file of a server that does not mention ranges plays to its end and is not seekable",
    arguments: [Media.Format.ogg, .mp3, .flac, .wav])
  func noRanges(format: Media.Format) async throws {
    let path = try await Media.sine(seconds: 1, format: format)
    try await withHTTPServer { server in
      let uri = server.script("/a", try .file(path).ignoringRanges())
      try await withPlayer([uri]) { harness in
        try await harness.ready()
        #expect(!harness.player.snapshot.isSeekable)
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
        #expect(harness.significantEvents.first == .itemDidPlayToEnd(harness.items[0]))
      }
    }
  }

  @Test(
    "A file of a server without ranges never has an estimated duration, and its position reaches its end",
    arguments: [Media.Format.ogg, .mp3, .flac, .wav], [true, false])
  func noRangesDuration(format: Media.Format, mentionsRanges: Bool) async throws {
    // The bit rate of a sine in Vorbis is a small fraction of the nominal bit rate.
    let path = try await Media.sine(seconds: 2, format: format)
    try await withHTTPServer { server in
      let response = try HTTPResponse.file(path)
      let uri = server.script("/a", mentionsRanges ? response.refusingRanges() : response.ignoringRanges())
      try await withPlayer([uri]) { harness in
        let snapshot = try await harness.ready()
        #expect(!snapshot.isSeekable)
        if format == .ogg {
          #expect(snapshot.duration == nil)
        } else {
          let difference = abs((try #require(snapshot.duration) - .seconds(2)) / .milliseconds(1))
          #expect(difference < 100)
        }
        let late = EventLog<Duration>()
        let player = harness.player
        let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(1900)]) { _ in
          late.append(player.snapshot.position)
        }
        try await harness.playToEnd()
        // The observer has its own executor.
        try await late.first("a position before the end") { _ in true }
        #expect(late.elements.count == 1)
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
        #expect(abs((try #require(player.snapshot.duration) - .seconds(2)) / .milliseconds(1)) < 100)
        observation.cancel()
      }
    }
  }

  @Test("Without a content length the duration is unknown until the stream has played to its end")
  func noLength() async throws {
    let path = try await Media.sine(seconds: 1, format: .ogg)
    try await withHTTPServer { server in
      let uri = server.script("/radio", try .file(path).withoutLength().refusingRanges())
      try await withTappedPlayer([uri]) { harness, tap in
        let snapshot = try await harness.ready()
        #expect(snapshot.duration == nil)
        #expect(!snapshot.isSeekable)
        #expect(await harness.player.seek(to: .milliseconds(500)).isCompleted == false)
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
        let (duration, samples) = (try #require(harness.player.snapshot.duration), try tap.recorded().count)
        #expect(duration >= .seconds(1))
        #expect((duration / .seconds(1) * 44_100).rounded() == Double(samples))
      }
    }
  }

  @Test("If a server stalls, the player waits and resumes automatically at the same position")
  func stall() async throws {
    let path = try await Media.sine(seconds: 8, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/slow.mp3", try .file(path).stalling(at: 50_000))
      try await withPlayer([uri]) { harness in
        harness.player.play()
        let item = harness.items[0]
        try await harness.event(.playbackStalled(item))
        let stalled = try await harness.reaches("waiting") { $0.timeControlStatus == .waitingToPlay(.toMinimizeStalls) }
        #expect(stalled.transport == .playing)
        #expect(stalled.position > .zero)
        let held = harness.player.snapshot.position
        server.release("/slow.mp3")
        let resumed = try await harness.events.first("playback resumes") {
          if case .playbackResumed(item, _) = $0 { true } else { false }
        }
        guard case .playbackResumed(_, let position) = resumed.element else { return }
        #expect(abs((position - held) / .milliseconds(1)) < 100)
        #expect(harness.player.snapshot.timeControlStatus == .playing)
        harness.player.stop()
      }
    }
  }

  @Test("If a server stalls for good, the received part plays, one stall and one failure follow, and the next plays")
  func silence() async throws {
    let path = try await Media.sine(seconds: 8, format: .mp3)
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let uri = server.script("/slow.mp3", try .file(path).stalling(at: 50_000))
      // Two real seconds.
      try await withPlayer([uri, good], networkTimeout: .seconds(2 * FastTime.factor)) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.code) == [.networkTimeout])
        #expect(harness.significantEvents.first == .playbackStalled(harness.items[0]))
        #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[1]), .queueEnded])
        #expect(harness.significantEvents.count == 5)
      }
    }
  }

  @Test("The preferred forward buffer is filled before playback starts")
  func forwardBuffer() async throws {
    // The file is so long that it still plays when the test reads the snapshot.
    let path = try await Media.sine(seconds: 120, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/long.mp3", try .file(path))
      try await withPlayer([uri]) { harness in
        harness.player.preferredForwardBufferDuration = .seconds(5)
        try await harness.playing()
        let snapshot = harness.player.snapshot
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
      try await withPlayer([uri], inFastTime: false) { harness in
        try await harness.playing()
        // Most of the file has not been sent yet, however late this is.
        harness.player.stop()
        try await server.events.first("the connection is closed") {
          if case .closed(_, _, byPeer: true) = $0 { true } else { false }
        }
      }
    }
  }

  @Test("An item of a stopped server fails with `networkRefused`")
  func connectionRefused() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    let uri = try await withHTTPServer { $0.script("/a.flac", .status(200)) }
    try await withPlayer([uri, good]) { harness in
      try await harness.playToEnd()
      #expect(harness.failures.map(\.code) == [.networkRefused])
    }
  }

  @Test("If the connection is cut, the buffered part plays, then the item fails once")
  func cut() async throws {
    let path = try await Media.sine(seconds: 4, format: .wav)
    let original = try samples(ofWAV: path)
    try await withHTTPServer { server in
      // The rate is low enough that the cut comes after the first samples, and that closing the connection loses none
      // of them.
      let response = try HTTPResponse.file(path).throttled(to: 1_000_000).cutting(at: 44 + 4 * 110_250)
      let uri = server.script("/cut.wav", response)
      try await withTappedPlayer([uri], inFastTime: false) { harness, tap in
        try await harness.playToEnd()
        let recorded = try tap.recorded()
        expectSamples(recorded, original.prefix(recorded.count))
        #expect(recorded.count > 100_000)
        #expect(harness.failures.map(\.code) == [.networkCut])
        #expect(harness.significantEvents.count == 2)
      }
    }
  }
}
