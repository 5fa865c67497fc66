import EngineProcess
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// The events of an engine that plays a plan, and the samples of the left channel at its output.
@Suite("The plan of an engine", .enabled(if: Media.isAvailable, "\(Media.unavailable)")) struct PlanTests {
  /// An engine, its reports and its commands.
  private struct Harness {
    let engine: DeckEngine
    let events = EventLog<EngineEvent>()
    var settings: EngineSettings

    init(_ configuration: Player.Configuration) {
      engine = DeckEngine(configuration: configuration)
      settings = EngineSettings(configuration)
      let events = events
      engine.open(EngineClient { events.append($0) })
    }

    func perform(_ commands: EngineCommand...) { for command in commands { engine.perform(command) } }

    func open(_ uri: String, _ stream: StreamToken, at start: Duration = .zero) {
      perform(.open(StreamRequest(uri: uri, stream: stream, start: start)))
    }

    mutating func set(_ change: (inout EngineSettings) -> Void) {
      change(&settings)
      perform(.settings(settings))
    }

    /// Waits for an event, and returns the index after it.
    @discardableResult
    func first(
      _ expectation: String, from start: Int = 0, _ isExpected: @escaping @Sendable (EngineEvent) -> Bool
    ) async throws -> Int {
      try await events.first(expectation, from: start, within: 20, where: isExpected).index + 1
    }

    @discardableResult
    func ready(_ stream: StreamToken, from start: Int = 0) async throws -> StreamFacts {
      let entry = try await events.first("\(stream.number) is ready", from: start, within: 20) {
        if case .stream(stream, .settled) = $0 { true } else { false }
      }
      guard case .stream(_, .settled(let facts)) = entry.element else { throw CancellationError() }
      return facts
    }

    @discardableResult
    func audible(_ stream: StreamToken, from start: Int = 0) async throws -> Int {
      try await first("\(stream.number) is audible", from: start) {
        if case .audible(stream, _) = $0 { true } else { false }
      }
    }

    @discardableResult
    func ended(_ stream: StreamToken, from start: Int = 0) async throws -> Int {
      try await first("\(stream.number) has ended", from: start) {
        if case .stream(stream, .ended) = $0 { true } else { false }
      }
    }

    @discardableResult
    func read(_ stream: StreamToken, from start: Int = 0) async throws -> Int {
      try await first("\(stream.number) is read", from: start) {
        if case .stream(stream, .read) = $0 { true } else { false }
      }
    }

    /// The starts and ends that were reported, with their times.
    var heard: [Heard] {
      events.elements.compactMap { event in
        switch event {
        case .audible(let stream, let time): Heard(stream, .start, time)
        case .stream(let stream, .ended(let time)): Heard(stream, .end, time)
        default: nil
        }
      }
    }

    func count(_ isCounted: (EngineEvent) -> Bool) -> Int { events.elements.count(where: isCounted) }

    var settledCount: Int { count { if case .stream(_, .settled) = $0 { true } else { false } } }
  }

  private struct Heard: Equatable {
    enum Kind { case start, end }

    let (stream, kind, time): (StreamToken, Kind, Duration?)

    init(_ stream: StreamToken, _ kind: Kind, _ time: Duration?) {
      (self.stream, self.kind, self.time) = (stream, kind, time)
    }

    static func == (one: Heard, other: Heard) -> Bool { one.stream == other.stream && one.kind == other.kind }
  }

  private static let (first, second) = (StreamToken(number: 1), StreamToken(number: 2))

  private func withEngine<Result>(
    sink: String = "fakesink sync=true", fade: Duration = .zero, _ body: (inout Harness) async throws -> Result
  ) async throws -> Result {
    var configuration = Player.Configuration(audioSink: sink)
    configuration.fade = fade
    var harness = Harness(configuration)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(&harness)) } catch { result = .failure(error) }
    harness.engine.close()
    await harness.engine.closed()
    return try result.get()
  }

  /// Runs `body` with an engine; returns the samples that were played.
  private func played(_ body: (inout Harness) async throws -> Void) async throws -> [Int16] {
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      let descriptor = unsafe Glibc.open(path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0)
      defer { Glibc.close(descriptor) }
      let sink = "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2 ! fdsink fd=\(descriptor) sync=true"
      try await withEngine(sink: sink, body)
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      return stride(from: 0, to: bytes.count - 3, by: 4).map {
        Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
      }
    }
  }

  /// Returns the URI and the samples of a file with noise.
  private func noise(seconds: Double) async throws -> (uri: String, samples: [Int16]) {
    let samples = PCM().noise(count: Int(seconds * 44_100))
    return ("file://" + (try await Media.wav(samples, PCM())), samples.map { Int16(truncatingIfNeeded: $0) })
  }

  // MARK: The start of a stream

  @Test("A stream begins exactly at the start of its request, which is reported once")
  func start() async throws {
    let (uri, samples) = try await noise(seconds: 2)
    let heard = try await played { harness in
      harness.open(uri, Self.first, at: .milliseconds(1_500))
      harness.perform(.plan([PlannedPart(Self.first)]), .setPlaying(true))
      #expect(try await harness.ready(Self.first).position == .milliseconds(1_500))
      try await harness.ended(Self.first)
      #expect(harness.settledCount == 1)
      #expect(harness.heard == [Heard(Self.first, .start, nil), Heard(Self.first, .end, nil)])
      #expect(harness.heard.last?.time == .seconds(2))
    }
    #expect(heard == Array(samples[66_150...]), "\(heard.count) samples")
  }

  @Test("Media without seeking begins at zero, and is reported as such once")
  func refusedStart() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.ogg")
      try await shell("ffmpeg -v error -y -f lavfi -i sine=d=1 -c:a libvorbis '\(path)'")
      try await withHTTPServer { server in
        try await withEngine { harness in
          harness.open(server.script("/a.ogg", try .file(path).ignoringRanges()), Self.first, at: .milliseconds(500))
          harness.perform(.plan([PlannedPart(Self.first)]), .setPlaying(true))
          let facts = try await harness.ready(Self.first)
          #expect(!facts.isSeekable && facts.position == .zero)
          try await harness.ended(Self.first)
          #expect(harness.settledCount == 1)
          #expect((harness.heard.first?.time).map { $0 < .milliseconds(300) } == true)
          #expect(harness.count { if case .stream(_, .seekRefused) = $0 { true } else { false } } == 0)
        }
      }
    }
  }

  // MARK: Ends

  @Test("A gapless part is audible after the end of the part before it, and the parts lose no sample")
  func gapless() async throws {
    let (uri, samples) = try await noise(seconds: 1)
    let heard = try await played { harness in
      harness.open(uri, Self.first)
      harness.open(uri, Self.second, at: .milliseconds(250))
      harness.perform(
        .plan([PlannedPart(Self.first, end: .milliseconds(500)), PlannedPart(Self.second)]), .setPlaying(true))
      try await harness.ended(Self.second)
      #expect(
        harness.heard == [
          Heard(Self.first, .start, nil), Heard(Self.first, .end, nil), Heard(Self.second, .start, nil),
          Heard(Self.second, .end, nil),
        ])
      #expect(harness.heard.map(\.time)[1] == .milliseconds(500))
    }
    #expect(heard == Array(samples[..<22_050] + samples[11_025...]), "\(heard.count) samples")
  }

  @Test("A part that is extended is read again, and plays on, before its end and after it", arguments: [false, true])
  func extended(isLate: Bool) async throws {
    let (uri, samples) = try await noise(seconds: 1)
    let heard = try await played { harness in
      harness.open(uri, Self.first)
      harness.perform(.plan([PlannedPart(Self.first, end: .milliseconds(400))]), .setPlaying(true))
      var place = try await harness.read(Self.first)
      if isLate { place = try await harness.ended(Self.first) }
      harness.perform(.plan([PlannedPart(Self.first)]))
      try await harness.read(Self.first, from: place)
      let end = try await harness.ended(Self.first, from: place)
      #expect(harness.heard.last?.time == .seconds(1))
      #expect(harness.count { if case .stream(_, .read) = $0 { true } else { false } } == 2)
      // At its end, it ends again.
      harness.perform(.setPlaying(false), .setPlaying(true))
      try await harness.ended(Self.first, from: end)
    }
    #expect(heard == samples, "\(heard.count) samples")
  }

  @Test("A part that fades out before it is audible has ended, and the next one plays")
  func dropped() async throws {
    let (uri, samples) = try await noise(seconds: 0.5)
    let heard = try await played { harness in
      let shape = CrossfadeShape(length: .seconds(1), curve: .linear)
      harness.open(uri, Self.first)
      try await harness.ready(Self.first)
      harness.perform(.plan([PlannedPart(Self.first, fadeOut: shape)]))
      try await harness.ended(Self.first)
      harness.open(uri, Self.second)
      harness.perform(.plan([PlannedPart(Self.first, fadeOut: shape), PlannedPart(Self.second)]), .setPlaying(true))
      try await harness.ended(Self.second)
      #expect(harness.heard.count { $0.stream == Self.first } == 1)
    }
    #expect(heard == samples, "\(heard.count) samples")
  }

  @Test("A seek in a part whose successor is audible plays both again")
  func seekBack() async throws {
    let (uri, samples) = try await noise(seconds: 1)
    let heard = try await played { harness in
      harness.open(uri, Self.first)
      harness.open(uri, Self.second)
      harness.perform(
        .plan([PlannedPart(Self.first, end: .milliseconds(300)), PlannedPart(Self.second)]), .setPlaying(true))
      let place = try await harness.audible(Self.second)
      harness.perform(.seek(Self.first, to: .milliseconds(200)))
      try await harness.audible(Self.first, from: place)
      let again = try await harness.audible(Self.second, from: place)
      try await harness.ended(Self.second, from: again)
      #expect(harness.settledCount == 3)
    }
    #expect(heard.suffix(44_100 + 4_410) == samples[8_820..<13_230] + samples, "\(heard.count) samples")
  }

  // MARK: The output

  @Test("Another rate continues at the audible sample, without a seek in the stream")
  func rate() async throws {
    try await withEngine { harness in
      harness.open(try await noise(seconds: 2).uri, Self.first)
      harness.perform(.plan([PlannedPart(Self.first)]), .setPlaying(true))
      let place = try await harness.audible(Self.first)
      harness.set { $0.rate = 2 }
      let changed = try await harness.audible(Self.first, from: place)
      try await harness.ended(Self.first, from: changed)
      #expect(harness.settledCount == 1)
      let times = harness.heard.compactMap(\.time)
      #expect(times.count == 3 && times[0] <= times[1] && times[1] < .seconds(2) && times[2] == .seconds(2))
    }
  }

  @Test("Another output continues at the audible sample, without another stream", arguments: [false, true])
  func output(isPaused: Bool) async throws {
    try await withEngine { harness in
      harness.open(try await noise(seconds: 2).uri, Self.first)
      harness.perform(.plan([PlannedPart(Self.first)]), .setPlaying(true))
      let place = try await harness.audible(Self.first)
      if isPaused { harness.perform(.setPlaying(false)) }
      harness.set { $0.sink = "fakesink sync=true name=other" }
      let opened = try await harness.first("the other output", from: place) {
        if case .output(.opened(isSilent: false)) = $0 { true } else { false }
      }
      if isPaused { harness.perform(.setPlaying(true)) }
      let changed = try await harness.audible(Self.first, from: opened)
      try await harness.ended(Self.first, from: changed)
      #expect(harness.settledCount == 1)
      let times = harness.heard.compactMap(\.time)
      #expect(times.count == 3 && times[0] <= times[1] && times[1] < .seconds(2) && times[2] == .seconds(2))
    }
  }

  @Test("A stream that is opened at its end, after the output was closed, ends")
  func endAfterClose() async throws {
    let (uri, _) = try await noise(seconds: 2)
    try await withEngine { harness in
      harness.open(uri, Self.first)
      harness.perform(.plan([PlannedPart(Self.first)]), .setPlaying(true))
      try await harness.audible(Self.first)
      harness.perform(.setPlaying(false), .close(Self.first), .plan([]))
      harness.open(uri, Self.second, at: .seconds(2))
      harness.perform(.plan([PlannedPart(Self.second)]))
      try await harness.ready(Self.second)
      harness.perform(.setPlaying(true))
      try await harness.ended(Self.second)
    }
  }

  @Test("Equal settings, and settings of the next streams, leave the output as it is")
  func sameSettings() async throws {
    try await withEngine { harness in
      harness.open(try await noise(seconds: 1).uri, Self.first)
      harness.perform(.plan([PlannedPart(Self.first)]), .setPlaying(true))
      try await harness.audible(Self.first)
      harness.set { $0.volume = 0.5 }
      harness.set { _ in }
      harness.set { ($0.forwardBuffer, $0.audioLanguages) = (.seconds(9), ["de"]) }
      harness.perform(.plan([PlannedPart(Self.first)]))
      try await harness.ended(Self.first)
      #expect(harness.heard.count == 2)
      #expect(harness.count { if case .output(.opened) = $0 { true } else { false } } == 1)
    }
  }

  @Test("A sink that cannot be made is a failure of the output, and the streams stay")
  func wrongSink() async throws {
    try await withEngine { harness in
      harness.open(try await noise(seconds: 1).uri, Self.first)
      harness.perform(.plan([PlannedPart(Self.first)]), .setPlaying(true))
      try await harness.audible(Self.first)
      harness.set { $0.sink = "nosuchsink" }
      let place = try await harness.first("the failure") {
        if case .output(.failed(let error)) = $0 { error.isUnusableOutput } else { false }
      }
      harness.set { $0.sink = nil }
      try await harness.audible(Self.first, from: place)
      try await harness.ended(Self.first)
      #expect(harness.settledCount == 1)
    }
  }

  @Test("A pause and a resumption report the audible part once")
  func pause() async throws {
    try await withEngine { harness in
      harness.open(try await noise(seconds: 1).uri, Self.first)
      harness.perform(.plan([PlannedPart(Self.first)]), .setPlaying(true))
      var place = try await harness.audible(Self.first)
      for _ in 0..<3 {
        harness.perform(.setPlaying(false), .setPlaying(true))
        place = try await harness.audible(Self.first, from: place)
      }
      try await harness.ended(Self.first)
      #expect(harness.heard.count == 5)
    }
  }
}
