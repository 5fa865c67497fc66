import Joining
import PlayerClock
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer
@testable import Playback

@Suite("A player with a hostile engine process") struct HostileReportTests {
  /// An engine whose processes are played by the test: a playout whose commands to them do nothing.
  private final class PlayedEngine: PlaybackEngine {
    private struct State {
      var client: EngineClient?
      var playout: Playout
      var parts: [Part] = []
      var streams: Set<StreamToken> = []
    }

    private let state: Mutex<State>

    init(_ configuration: Player.Configuration) {
      state = Mutex(State(playout: Playout(configuration, EngineSettings(configuration))))
    }

    /// The parts of the last plan.
    var parts: [Part] { state.withLock { $0.parts } }

    func open(_ client: EngineClient) { state.withLock { $0.client = client } }
    func perform(_ command: EngineCommand) { _ = change { $0.perform(command) } }
    func progress(of stream: StreamToken) -> StreamProgress? { nil }
    func close() { state.withLock { $0.client = nil } }
    func closed() async {}

    /// Handles a report of a process, or its end.
    func report(_ body: (inout Playout, _ streams: [StreamToken]) -> Void) {
      let streams = state.withLock { $0.streams.sorted { $0.number < $1.number } }
      let events = change { body(&$0, streams) }
      let client = state.withLock { $0.client }
      for event in events { client?.report(event) }
    }

    private func change(_ body: (inout Playout) -> Void) -> [EngineEvent] {
      state.withLock { state in
        state.playout.now = .now
        body(&state.playout)
        var events: [EngineEvent] = []
        for effect in state.playout.takeEffects() {
          switch effect {
          case .output(.plan(let parts, _)): state.parts = parts
          case .deck(let stream, .open): state.streams.insert(stream)
          case .deck(let stream, .close): state.streams.remove(stream)
          case .report(let event): events.append(event)
          case .output, .deck, .judge: break
          }
        }
        return events
      }
    }
  }

  /// Returns a value with random changes: other numbers, durations, texts, and fewer or more elements.
  private func changed(_ value: WireValue, _ generator: inout SeededGenerator) -> WireValue {
    let limit: Int64 = 1 << 53
    let isChanged = Int.random(in: 0..<6, using: &generator) == 0
    switch value {
    case .integer(let number):
      let values: [Int64] = [limit, -limit, 0, -1, 1, number &+ 1, Int64.max >> 11, 9_223_372_036, 999_999_999]
      return .integer(isChanged ? values.randomElement(using: &generator) ?? 0 : number)
    case .number(let number):
      let values = [Double(limit), -Double(limit), 0, -0.0, 1e-300, 0.5]
      return .number(isChanged ? values.randomElement(using: &generator) ?? 0 : number)
    case .bool(let value): return .bool(isChanged ? !value : value)
    case .text(let text):
      let values = ["", "\u{0}", String(repeating: "ä", count: 5_000), "file:///0", "\n\u{202E}", "%zz"]
      return .text(isChanged ? values.randomElement(using: &generator) ?? "" : text)
    case .bytes(let bytes): return .bytes(isChanged ? [] : bytes)
    case .list(var values):
      values = values.map { changed($0, &generator) }
      if isChanged, let first = values.first { values += repeatElement(first, count: 3) }
      return .list(values)
    case .record(let fields):
      var result: [String: WireValue] = [:]
      for name in fields.keys.sorted() {
        guard let value = fields[name], !isChanged || name != "duration" else { continue }
        result[name] = changed(value, &generator)
      }
      return .record(result)
    case .null: return isChanged ? .list([.integer(limit), .integer(0), .integer(0)]) : .null
    }
  }

  @Test("Reports with extreme values, and ends of the processes, never end the process of the player", .seeded)
  func extremeValues() async throws {
    var generator = SeededGenerator()
    let configuration = Player.Configuration()
    let engine = PlayedEngine(configuration)
    let player = Player(
      configuration: configuration, engine: engine, clock: DispatchClock(), observers: ObserverQueue())
    let samples = try Samples.reports.map { try WireEncoder.encode($0) }
    player.replaceQueue(with: (0..<50).map { Player.Item(uri: "file:///\($0)") })
    player.loop = .playlist
    let ticks = try player.addPeriodicTimeObserver(forInterval: .seconds(10)) { _ in }
    var (accepted, ofParts) = (0, 0)
    for index in 0..<10_000 {
      if index % 40 == 0 {
        // An output that has failed is tried again at once.
        if engine.parts.isEmpty { player.stop() }
        player.play()
        player.seek(to: .milliseconds(index))
        // A stream that is ready has parts.
        let present = player.core.internals.stream
        engine.report { playout, _ in
          playout.take(.event(.settled(Samples.facts)), of: StreamToken(number: present))
        }
      }
      switch index % 200 {
      case 20: engine.report { $0.decksEnded($1, of: "decoding", because: "a test") }
      case 60: engine.report { playout, _ in playout.outputEnded(because: "a test") }
      case 61: engine.report { playout, _ in playout.outputBegan() }
      default: break
      }
      guard let sample = samples.randomElement(using: &generator) else { continue }
      // The player ignores the reports of unknown streams and parts, so they get the numbers of present ones.
      let stream = player.core.internals.stream
      let part = engine.parts.randomElement(using: &generator)?.id.number ?? 0
      let value = renamed(changed(sample, &generator), stream, part)
      guard let report = try? WireDecoder.decode(EngineReport.self, from: value), report.fault == nil else { continue }
      switch report {
      case .output(let report): engine.report { playout, _ in playout.take(report) }
      case .deck(let stream, let report): engine.report { playout, _ in playout.take(report, of: stream) }
      default: continue
      }
      accepted += 1
      if part != 0 { ofParts += 1 }
      _ = player.snapshot
    }
    #expect(accepted > 1_000)
    #expect(ofParts > 1_000)
    ticks.cancel()
    await player.close()
  }

  /// Returns a value in which other numbers replace the numbers of the stream and of the part of the samples.
  private func renamed(_ value: WireValue, _ stream: UInt64, _ part: UInt64) -> WireValue {
    switch value {
    case .record(let fields):
      guard fields.count == 1 else { return .record(fields.mapValues { renamed($0, stream, part) }) }
      switch fields["number"] {
      case .integer(7): return .record(["number": .integer(Int64(stream))])
      case .integer(70): return .record(["number": .integer(Int64(part))])
      default: return .record(fields.mapValues { renamed($0, stream, part) })
      }
    case .list(let values): return .list(values.map { renamed($0, stream, part) })
    default: return value
    }
  }
}
