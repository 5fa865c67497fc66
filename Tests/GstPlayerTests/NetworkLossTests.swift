import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Servers that deliver only a part of a file", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct NetworkLossTests {
  /// A file of 20 s, and the number of its bytes that a server sends at once.
  struct Portion: Sendable, CustomTestStringConvertible {
    var format: Media.Format
    var bytes: Int
    var acceptsRanges = true
    var testDescription: String { "\(bytes) bytes of \(format)\(acceptsRanges ? "" : ", without ranges")" }

    static let all = [
      Portion(format: .mp3, bytes: 59_200), Portion(format: .mp3, bytes: 59_200, acceptsRanges: false),
      Portion(format: .wav, bytes: 600_000), Portion(format: .flac, bytes: 50_000),
    ]

    static let duration = Duration.seconds(20)
    /// The audio that may be missing at the end: a FLAC block, or the look-ahead of an MP3 parser and decoder.
    static let lookahead = Duration.milliseconds(200)

    func response(_ content: [UInt8]) -> HTTPResponse {
      let response = HTTPResponse.bytes(content)
      return acceptsRanges ? response : response.refusingRanges()
    }

    /// Returns the duration of the sent bytes; after the header, the bit rate of a sine is constant.
    func time(of content: [UInt8]) -> Duration {
      let header = format == .flac ? flacHeader(of: content) : 0
      return Self.duration * (bytes - header) / (content.count - header)
    }

    /// Returns the size of the metadata blocks of a FLAC file.
    private func flacHeader(of content: [UInt8]) -> Int {
      var place = 4
      var isLast = false
      while !isLast, place + 4 <= content.count {
        isLast = content[place] & 0x80 != 0
        place += 4 + content[(place + 1)...(place + 3)].reduce(0) { $0 << 8 | Int($1) }
      }
      return place
    }

    func content() async throws -> [UInt8] {
      let seconds = Self.duration / .seconds(1)
      return Array(try Data(contentsOf: URL(filePath: await Media.sine(seconds: seconds, format: format))))
    }
  }

  @Test("If a connection is cut while loading, the received part plays before the failure", arguments: Portion.all)
  func cutWhileLoading(portion: Portion) async throws {
    let content = try await portion.content()
    let original = try samples(ofWAV: await Media.sine(seconds: Portion.duration / .seconds(1), format: .wav))
    try await withHTTPServer { server in
      let uri = server.script("/cut", portion.response(content).cutting(at: portion.bytes))
      try await withTappedPlayer([uri]) { harness, tap in
        try await harness.playToEnd()
        let recorded = try tap.recorded()
        #expect(Duration.seconds(1) * recorded.count / 44_100 > portion.time(of: content) - Portion.lookahead)
        if portion.format != .mp3 { expectSamples(recorded, original.prefix(recorded.count)) }
        #expect(harness.failures.map(\.code) == [.networkCut])
        #expect(harness.significantEvents.count == 2)
      }
    }
  }

  @Test("An Ogg file whose connection is cut while it loads fails once, without the load time-out")
  func cutOgg() async throws {
    let content = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 8, format: .ogg))))
    let next = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      // `oggdemux` seeks to the end for the duration. The source has already failed by then and rejects the seek.
      let uri = server.script("/cut.ogg", .bytes(content).cutting(at: content.count / 2))
      try await withPlayer([uri, next], loadTimeout: .seconds(3600)) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == [harness.items[0]])
        #expect(harness.failures.map(\.code) == [.networkCut])
        #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[1]), .queueEnded])
      }
    }
  }

  @Test("A connection that is cut within its first kilobyte causes one failure, with and without ranges")
  func cutAtOnce() async throws {
    let path = try await Media.sine(seconds: 1, format: .mp3)
    try await withHTTPServer { server in
      let uris = try [0, 100, 900].flatMap { bytes in
        let response = try HTTPResponse.file(path).cutting(at: bytes)
        return [
          server.script("/\(bytes).mp3", response), server.script("/whole/\(bytes).mp3", response.refusingRanges()),
        ]
      }
      try await withPlayer(uris) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == harness.items)
        #expect(harness.failures.map(\.code) == uris.map { _ in .networkCut })
      }
    }
  }

  @Test(
    "If a server stalls, the received part is reported as loaded and plays before the stall", arguments: Portion.all)
  func silence(portion: Portion) async throws {
    let content = try await portion.content()
    let received = portion.time(of: content)
    try await withHTTPServer { server in
      let uri = server.script("/stall", portion.response(content).stalling(at: portion.bytes))
      try await withPlayer([uri]) { harness in
        let (player, early) = (harness.player, EventLog<Player.Snapshot>())
        let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(500)]) { _ in
          early.append(player.snapshot)
        }
        player.play()
        let playing = try await early.first("half a second has been played") { _ in true }.element
        #expect(!playing.isPlaybackBufferEmpty)
        let loaded = try #require(playing.loadedTimeRanges.first)
        #expect(loaded.contains(playing.position))
        #expect(loaded.upperBound > received - Portion.lookahead)
        #expect(loaded.upperBound < received + .milliseconds(300))
        try await harness.event(.playbackStalled(harness.items[0]))
        let stalled = player.snapshot
        #expect(stalled.position > received - Portion.lookahead)
        #expect(stalled.isPlaybackBufferEmpty)
        #expect(harness.significantEvents == [.playbackStalled(harness.items[0])])
        observation.cancel()
        player.stop()
      }
    }
  }

  @Test("A stall loses no sample")
  func resumption() async throws {
    let path = try await Media.sine(seconds: 5, format: .wav)
    try await withHTTPServer { server in
      let uri = server.script("/slow.wav", try .file(path).stalling(at: 500_000))
      try await withTappedPlayer([uri]) { harness, tap in
        harness.player.play()
        let stall = try await harness.event(.playbackStalled(harness.items[0]))
        server.release("/slow.wav")
        try await harness.event(.queueEnded, from: stall)
        expectSamples(try tap.recorded(), try samples(ofWAV: path))
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test("A player that does not wait starts while the buffer fills, without reporting a stall")
  func firstFilling() async throws {
    let path = try await Media.sine(seconds: 3, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/slow.mp3", try .file(path).throttled(to: 30_000))
      try await withPlayer([uri], inFastTime: false) { harness in
        harness.player.automaticallyWaitsToMinimizeStalling = false
        try await harness.playToEnd()
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
      }
    }
  }
}
