import Dispatch
import EngineProcess
import Glibc
import Playback
import PlayerClock
import TestSupport
import Testing

@testable import GstPlayer

/// The instant at which the first sample of a stream is audible.
@Suite("A start at an instant", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct EntranceTests {
  /// The instants at which a sink writes into a pipe.
  private final class Arrivals {
    let log = EventLog<MonotonicTime>()
    private let source: any DispatchSourceRead
    private let ends: (read: Int32, write: Int32)

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(unsafe pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
      let (log, reading) = (log, ends[0])
      self.ends = (ends[0], ends[1])
      source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: DispatchQueue(label: "arrivals"))
      source.setEventHandler {
        log.append(.now)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while unsafe read(reading, &bytes, bytes.count) > 0 {}
      }
      source.activate()
    }

    deinit {
      source.cancel()
      close(ends.read)
      close(ends.write)
    }

    var sink: String { "fdsink fd=\(ends.write) sync=true" }
  }

  private func withEngine(
    _ body: (DeckEngine, EventLog<EngineEvent>, Arrivals) async throws -> Void
  ) async throws {
    let arrivals = try Arrivals()
    let (engine, events) = (
      DeckEngine(configuration: Player.Configuration(audioSink: arrivals.sink)), EventLog<EngineEvent>()
    )
    engine.open(EngineClient { events.append($0) })
    let uri = "file://" + (try await Media.sine(seconds: 30, format: .wav))
    engine.perform(.open(StreamRequest(uri: uri, stream: Self.stream)))
    engine.perform(.plan([PlannedPart(Self.stream)]))
    try await events.first("ready", within: 20, where: isSettled)
    try await body(engine, events, arrivals)
    engine.close()
    await engine.closed()
  }

  private static let stream = StreamToken(number: 1)

  private func isSettled(_ event: EngineEvent) -> Bool { if case .stream(_, .settled) = event { true } else { false } }

  private func audible(_ event: EngineEvent) -> Duration? {
    if case .audible(_, let position) = event { position } else { nil }
  }

  @Test("The first sample is audible at the instant, and the start is reported then")
  func due() async throws {
    try await withEngine { engine, events, arrivals in
      // On a busy machine, the seek and the readings of the clocks may take longer than the first delays.
      for delay in [1, 4, 16] {
        let (place, first, instant) = (events.count, arrivals.log.count, MonotonicTime.now + .seconds(delay))
        engine.perform(.setPlaying(false))
        engine.perform(.seek(Self.stream, to: .seconds(5)))
        engine.perform(.start(at: instant))
        engine.perform(.setPlaying(true))
        let heard = try await arrivals.log.first("a sample", from: first, within: 60).element
        let start = try await events.first("the start", from: place, within: 60) { audible($0) != nil }
        #expect(MonotonicTime.now >= instant)
        let position = try #require(audible(start.element))
        #expect(position >= .seconds(5) && position < .seconds(6))
        #expect(instant - heard <= .milliseconds(1))
        if heard - instant < .milliseconds(2) { return }
      }
      Issue.record("the first sample is not heard at the instant")
    }
  }

  @Test("A part that was audible continues at the instant, and this is reported then and once", arguments: [1.0, 2])
  func continued(rate: Double) async throws {
    try await withEngine { engine, events, arrivals in
      var settings = EngineSettings(Player.Configuration())
      settings.rate = rate
      engine.perform(.settings(settings))
      engine.perform(.setPlaying(true))
      try await events.first("the start", within: 20) { audible($0) != nil }
      engine.perform(.setPlaying(false))
      let instant = MonotonicTime.now + .seconds(2)
      let place = events.count
      engine.perform(.start(at: instant))
      engine.perform(.setPlaying(true))
      let start = try await events.first("the start", from: place, within: 60) { audible($0) != nil }
      #expect(MonotonicTime.now >= instant)
      let position = try #require(audible(start.element))
      #expect(position < .seconds(4))
      let count = events.count
      engine.perform(.samplePosition(of: Self.stream))
      try await events.first("a measurement", from: count, within: 20) {
        if case .stream(_, .sampled) = $0 { true } else { false }
      }
      #expect(events.elements.dropFirst(place).count { audible($0) != nil } == 1)
    }
  }

  @Test("A pause before the instant and a resumption keep it")
  func paused() async throws {
    try await withEngine { engine, events, arrivals in
      let instant = MonotonicTime.now + .seconds(3)
      let place = events.count
      engine.perform(.seek(Self.stream, to: .seconds(5)))
      engine.perform(.start(at: instant))
      engine.perform(.setPlaying(true))
      try await events.first("ready", from: place, where: isSettled)
      engine.perform(.setPlaying(false))
      engine.perform(.setPlaying(true))
      let heard = try await arrivals.log.first("a sample", within: 60).element
      #expect(instant - heard <= .milliseconds(1) && heard - instant < .seconds(1))
    }
  }

  @Test(
    "A seek without an instant ends the wait for one, while playing and paused", arguments: [true, false],
    [2, 3600])
  func released(isPlaying: Bool, delay: Int) async throws {
    try await withEngine { engine, events, _ in
      let place = events.count
      engine.perform(.seek(Self.stream, to: .seconds(5)))
      engine.perform(.start(at: .now + .seconds(delay)))
      engine.perform(.setPlaying(isPlaying))
      try await events.first("ready", from: place, where: isSettled)
      let next = events.count
      engine.perform(.seek(Self.stream, to: .seconds(7)))
      engine.perform(.setPlaying(true))
      let start = try await events.first("the start", from: next, within: 20) { audible($0) != nil }
      #expect(events.elements[place..<next].allSatisfy { audible($0) == nil })
      let position = try #require(audible(start.element))
      #expect(position >= .seconds(7) && position < .seconds(8))
    }
  }
}
