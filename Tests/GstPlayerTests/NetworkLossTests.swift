import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Servers that give a part of a file", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct NetworkLossTests {
  /// A file of 20 s, and how much of it a server gives at once.
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
    /// What may be missing at the end: a block of FLAC, or what an MP3 parser and decoder look ahead.
    static let lookahead = Duration.milliseconds(200)

    func response(_ content: [UInt8]) -> HTTPResponse {
      let response = HTTPResponse.bytes(content)
      return acceptsRanges ? response : response.refusingRanges()
    }

    /// How much of the media the bytes are: behind the header, a sine has the same bit rate everywhere.
    func time(of content: [UInt8]) -> Duration {
      let header = format == .flac ? flacHeader(of: content) : 0
      return Self.duration * (bytes - header) / (content.count - header)
    }

    /// The size of the metadata blocks of a FLAC file.
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

  @Test("A connection that is cut while the item loads: what has come plays, then one failure", arguments: Portion.all)
  func cutWhileLoading(portion: Portion) async throws {
    let content = try await portion.content()
    let original = try samples(ofWAV: await Media.sine(seconds: Portion.duration / .seconds(1), format: .wav))
    try await withHTTPServer { server in
      let uri = server.script("/cut", portion.response(content).cutting(at: portion.bytes))
      try await withTappedPlayer([uri]) { stage, tap in
        try await stage.playOut()
        let heard = try tap.heard()
        #expect(Duration.seconds(1) * heard.count / 44_100 > portion.time(of: content) - Portion.lookahead)
        if portion.format != .mp3 { #expect(difference(heard, original.prefix(heard.count)) == nil) }
        #expect(stage.failures.map(\.code) == [.networkCut])
        #expect(stage.story.count == 2)
      }
    }
  }

  @Test("An Ogg file whose connection is cut while it loads is one failure, without the load time-out")
  func cutOgg() async throws {
    let content = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 8, format: .ogg))))
    let next = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      // `oggdemux` seeks to the end for the duration. The source has failed by then, and refuses the seek.
      let uri = server.script("/cut.ogg", .bytes(content).cutting(at: content.count / 2))
      try await withPlayer([uri, next], loadTimeout: .seconds(3600)) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.item) == [stage.items[0]])
        #expect(stage.failures.map(\.code) == [.networkCut])
        #expect(stage.story.suffix(2) == [.itemDidPlayToEnd(stage.items[1]), .queueEnded])
      }
    }
  }

  @Test("A connection that is cut within its first kilobyte is one failure, with and without ranges")
  func cutAtOnce() async throws {
    let path = try await Media.sine(seconds: 1, format: .mp3)
    try await withHTTPServer { server in
      let uris = try [0, 100, 900].flatMap { bytes in
        let response = try HTTPResponse.file(path).cutting(at: bytes)
        return [
          server.script("/\(bytes).mp3", response), server.script("/whole/\(bytes).mp3", response.refusingRanges()),
        ]
      }
      try await withPlayer(uris) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.item) == stage.items)
        #expect(stage.failures.map(\.code) == uris.map { _ in .networkCut })
      }
    }
  }

  @Test(
    "A server that goes silent: what has come plays before the stall, and is loaded until then", arguments: Portion.all)
  func silence(portion: Portion) async throws {
    let content = try await portion.content()
    let received = portion.time(of: content)
    try await withHTTPServer { server in
      let uri = server.script("/stall", portion.response(content).stalling(at: portion.bytes))
      try await withPlayer([uri]) { stage in
        let (player, early) = (stage.player, EventLog<Player.Snapshot>())
        let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(500)]) { _ in
          early.append(player.snapshot)
        }
        player.play()
        let playing = try await early.first("half a second has been heard") { _ in true }.element
        #expect(!playing.isPlaybackBufferEmpty)
        let loaded = try #require(playing.loadedTimeRanges.first)
        #expect(loaded.contains(playing.position))
        #expect(loaded.upperBound > received - Portion.lookahead)
        #expect(loaded.upperBound < received + .milliseconds(300))
        try await stage.event(.playbackStalled(stage.items[0]))
        let stalled = player.snapshot
        #expect(stalled.position > received - Portion.lookahead)
        #expect(stalled.isPlaybackBufferEmpty)
        #expect(stage.story == [.playbackStalled(stage.items[0])])
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
      try await withTappedPlayer([uri]) { stage, tap in
        stage.player.play()
        let stall = try await stage.event(.playbackStalled(stage.items[0]))
        server.release("/slow.wav")
        try await stage.event(.queueEnded, from: stall)
        #expect(difference(try tap.heard(), try samples(ofWAV: path)) == nil)
        #expect(stage.failures.isEmpty)
      }
    }
  }

  @Test("A player that does not wait begins while the buffer fills, and that is no stall")
  func firstFilling() async throws {
    let path = try await Media.sine(seconds: 3, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/slow.mp3", try .file(path).throttled(to: 30_000))
      try await withPlayer([uri]) { stage in
        stage.player.setAutomaticallyWaitsToMinimizeStalling(false)
        try await stage.playOut()
        #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
      }
    }
  }
}
