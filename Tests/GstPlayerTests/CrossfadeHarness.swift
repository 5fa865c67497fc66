import EngineProcess
import Glibc
import PlayerClock
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// An engine whose commands a test gives itself, with the events that it has reported.
final class ScriptedEngine: Sendable {
  let engine: DeckEngine
  let events = EventLog<EngineEvent>()

  /// Creates an engine, in ``FastTime`` if `isFast`.
  init(_ configuration: Player.Configuration = Player.Configuration(), isFast: Bool = false) {
    engine = isFast ? FastTime.engine(configuration) : DeckEngine(configuration: configuration)
    let events = events
    engine.open(EngineClient { events.append($0) })
  }

  func perform(_ commands: EngineCommand...) { for command in commands { engine.perform(command) } }

  /// Waits for an event of a stream, and returns it.
  @discardableResult
  func event(
    _ kind: EventKind, of stream: StreamToken, from start: Int = 0
  ) async throws -> EngineEvent {
    try await events.first("\(kind) of \(stream.number)", from: start, within: 20) {
      $0.kind == kind && $0.stream == stream
    }.element
  }

  /// Waits until an audible stream has passed a position, by measurements, or has ended on a busy machine.
  func passed(_ position: Duration, of stream: StreamToken) async throws {
    // Before this event, the position is unknown.
    try await event(.audible, of: stream)
    while true {
      let place = events.count
      // One that has ended is not measured any more.
      let end: (EngineEvent) -> Bool = { $0.stream == stream && $0.kind == .ended }
      guard !events.elements.contains(where: end) else { return }
      perform(.samplePosition(of: stream))
      let reported = try await events.first("sampled of \(stream.number)", from: place, within: 20) {
        $0.stream == stream && [.sampled, .ended].contains($0.kind)
      }.element
      guard case .stream(_, .sampled(let sampled, _)) = reported, sampled < position else { return }
      let timer = WakeTimer(queue: DispatchClock.queue)
      await withCheckedContinuation { continuation in timer.set(.now + (position - sampled)) { continuation.resume() } }
      timer.set(nil) {}
    }
  }

  func close() async {
    engine.close()
    await engine.closed()
  }

  func open(_ uri: String, _ stream: StreamToken, at start: Duration = .zero) {
    perform(.open(StreamRequest(uri: uri, stream: stream, start: start)))
  }

  /// Opens a stream, and plays it alone.
  func play(_ uri: String, _ stream: StreamToken) {
    open(uri, stream)
    perform(.plan([PlannedPart(stream)]), .setPlaying(true))
  }

  /// Opens two streams, and plays them with an overlap that begins at a time of the first one.
  func play(_ first: String, then second: String, at time: Duration, _ shape: CrossfadeShape) async throws {
    open(first, .first)
    open(second, .second)
    try await event(.settled, of: .first)
    try await event(.settled, of: .second)
    perform(
      .plan([PlannedPart(.first, end: time + shape.length), PlannedPart(.second, join: .overlap(shape))]),
      .setPlaying(true))
  }

  /// Lets an audible stream fade out, and another one fade in beside it.
  func skip(_ stream: StreamToken, to uri: String, _ next: StreamToken, _ shape: CrossfadeShape) async throws {
    perform(.plan([PlannedPart(stream, fadeOut: shape)]))
    open(uri, next)
    try await event(.settled, of: next)
    perform(.plan([PlannedPart(stream, fadeOut: shape), PlannedPart(next, join: .fadeIn(shape))]))
  }

  /// Plays one stream, and crossfades to another one.
  func crossfade(_ first: String, _ second: String, at time: Duration, _ shape: CrossfadeShape) async throws {
    try await play(first, then: second, at: time, shape)
    try await event(.audible, of: .second)
    try await event(.ended, of: .first)
    try await event(.ended, of: .second)
  }

  /// The reports of a stream from an index of the log on.
  func reports(of stream: StreamToken, from place: Int) -> [EventKind] {
    events.elements.dropFirst(place).filter { $0.stream == stream }.compactMap(\.kind)
  }
}

/// The kinds of events that the tests of crossfades expect.
enum EventKind: Sendable {
  case settled
  case sampled
  case audible
  case read
  case ended
  case failed
}

extension EngineEvent {
  var kind: EventKind? {
    switch self {
    case .stream(_, .settled): .settled
    case .stream(_, .sampled): .sampled
    case .stream(_, .read): .read
    case .stream(_, .ended): .ended
    case .stream(_, .failed): .failed
    case .audible: .audible
    default: nil
    }
  }
}

extension StreamToken {
  static let first = StreamToken(number: 1)
  static let second = StreamToken(number: 2)
}

/// A use of the engine whose sound is recorded.
enum CrossfadeScenario: String {
  /// A crossfade to the end of the second stream.
  case whole
  /// The same, with a pause in the overlap.
  case paused
  /// The same, with a pause before the overlap, whose first samples are already written.
  case pausedEarly
  /// The second stream is closed in the overlap.
  case released
  /// The second stream is closed just before its first sample, which is already written.
  case releasedEarly
  /// A third stream replaces both in the overlap, and plays to its end.
  case replaced
  /// The first stream is skipped.
  case skipped
  /// A crossfade of two seconds after three, to the end of the second stream.
  case long

  /// The instant and the shape of the crossfade.
  static let time = Duration.milliseconds(1_500)
  static let shape = CrossfadeShape(length: .seconds(1), curve: .equalPower)

  func run(_ first: String, _ second: String) async throws {
    let engine = ScriptedEngine()
    switch self {
    case .whole: try await engine.crossfade(first, second, at: Self.time, Self.shape)
    case .long:
      let shape = CrossfadeShape(length: .seconds(2), curve: .equalPower)
      try await engine.crossfade(first, second, at: .seconds(3), shape)
    case .paused:
      try await engine.play(first, then: second, at: Self.time, Self.shape)
      try await engine.event(.audible, of: .second)
      try await engine.passed(.milliseconds(300), of: .second)
      engine.perform(.setPlaying(false), .setPlaying(true))
      try await engine.event(.ended, of: .first)
      try await engine.event(.ended, of: .second)
    case .pausedEarly:
      try await engine.play(first, then: second, at: Self.time, Self.shape)
      try await engine.passed(Self.time - .milliseconds(400), of: .first)
      engine.perform(.setPlaying(false), .setPlaying(true))
      try await engine.event(.audible, of: .second)
      try await engine.event(.ended, of: .first)
      try await engine.event(.ended, of: .second)
    case .released:
      try await engine.play(first, then: second, at: Self.time, Self.shape)
      try await engine.passed(Self.time + .milliseconds(200), of: .first)
      engine.perform(.close(.second), .plan([PlannedPart(.first)]))
      try await engine.event(.ended, of: .first)
    case .releasedEarly:
      try await engine.play(first, then: second, at: Self.time, Self.shape)
      // The output is written 2 s ahead.
      try await engine.passed(Self.time - .milliseconds(700), of: .first)
      engine.perform(.close(.second), .plan([PlannedPart(.first)]))
      try await engine.event(.ended, of: .first)
      #expect(engine.engine.progress(of: .second) == nil)
    case .replaced:
      try await engine.play(first, then: second, at: Self.time, Self.shape)
      try await engine.event(.audible, of: .second)
      try await engine.passed(.milliseconds(300), of: .second)
      let third = StreamToken(number: 3)
      engine.perform(.close(.first), .close(.second))
      engine.play(first, third)
      try await engine.event(.ended, of: third)
    case .skipped:
      engine.play(first, .first)
      try await engine.passed(.milliseconds(500), of: .first)
      try await engine.skip(.first, to: second, .second, Self.shape)
      try await engine.event(.ended, of: .second)
    }
    await engine.close()
  }
}

/// The sound of both channels; each channel has one stream.
struct RecordedCrossfade {
  let first: [Double]
  let second: [Double]
  let rate: Int

  /// Records the sound of a scenario at a private sound server.
  static func record(_ scenario: CrossfadeScenario, _ first: String, _ second: String) async throws -> Self {
    try await withPulseServer { server in
      try await record(scenario, first, second, at: PulseServer.sink, environment: server.environment)
    }
  }

  /// Records the sound of a scenario at an output of a sound server.
  static func record(
    _ scenario: CrossfadeScenario, _ first: String, _ second: String, at sink: String, environment: [String: String]
  ) async throws -> Self {
    try await withSoundRecorder(of: sink, environment: environment, milliseconds: 20) { recorder in
      // libpulse reads the server address from the environment, which is shared by the whole process.
      await #expect(processExitsWith: .success) {
        [
          first = first as String, second = second as String, environment = environment as [String: String],
          name = scenario.rawValue as String
        ] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        try await CrossfadeScenario(rawValue: name)?.run(first, second)
      }
      let (left, right) = try await recorder.channels(until: Waveform.sampleRate / 2)
      return RecordedCrossfade(
        first: left.map { Double($0) }, second: right.map { Double($0) }, rate: Waveform.sampleRate)
    }
  }

  /// The indices of the first sample of the second stream and of the last one of the first stream.
  var overlap: (begin: Int, end: Int)? {
    guard let begin = second.firstIndex(where: { $0 != 0 }), let end = first.lastIndex(where: { $0 != 0 }) else {
      return nil
    }
    return (begin, end)
  }

  /// The length of the overlap, in milliseconds.
  var overlapLength: Double { overlap.map { Double($0.end + 1 - $0.begin) * 1000 / Double(rate) } ?? 0 }

  /// Returns the power of both streams in windows of this many samples, from an index on.
  func powers(_ window: Int, from begin: Int = 0) -> [Double] {
    stride(from: begin, to: first.count - window, by: window).map { start in
      (start..<start + window).reduce(0) { $0 + first[$1] * first[$1] + second[$1] * second[$1] } / Double(window)
    }
  }

  /// Returns the root of the mean square of samples in windows of this many samples.
  static func levels(_ samples: [Double], _ window: Int) -> [Double] {
    stride(from: 0, to: samples.count - window, by: window).map { start in
      (samples[start..<start + window].reduce(0) { $0 + $1 * $1 } / Double(window)).squareRoot()
    }
  }

  /// The greatest difference between adjoining samples.
  static func greatestStep(_ samples: [Double]) -> Double {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
  }
}

/// Sounds on one of two channels.
enum OneChannel {
  /// Returns the URI of a WAV file with white noise, whose samples differ from 0.
  static func noise(_ seconds: Double, isLeft: Bool, rate: Int = Waveform.sampleRate) async throws -> String {
    var generator = SeededGenerator(seed: isLeft ? 1 : 2)
    // Without the frequencies that a change of the rate removes.
    let numbers = (0..<Int(seconds * Double(rate)) + 1).map { _ in Int32.random(in: -7_000...7_000, using: &generator) }
    let samples = zip(numbers, numbers.dropFirst()).map { $0 + $1 == 0 ? 1 : $0 + $1 }
    return try await file(samples, isLeft: isLeft, PCM(rate: rate))
  }

  /// Returns the URI of a WAV file with a sine, which is cut at its end.
  static func sine(_ seconds: Double, isLeft: Bool, _ format: PCM = PCM()) async throws -> String {
    let samples = format.sine(frequency: 441, count: Int(seconds * Double(format.rate)))
    return try await file(samples, isLeft: isLeft, format)
  }

  private static func file(_ samples: [Int32], isLeft: Bool, _ format: PCM) async throws -> String {
    let silence = [Int32](repeating: 0, count: samples.count)
    return fileURI(try await Media.wav(channels: isLeft ? [samples, silence] : [silence, samples], format))
  }
}
