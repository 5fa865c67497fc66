import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer
@testable import Playback

@Suite("A player with a hostile engine process") struct HostileReportTests {
  /// An engine that ignores its commands; the test reports its events.
  private final class SilentEngine: PlaybackEngine {
    let clients = EventLog<EngineClient>()

    func open(_ client: EngineClient) { clients.append(client) }
    func perform(_ command: EngineCommand) {}
    func progress(of stream: StreamToken) -> StreamProgress? { nil }
    func close() {}
    func closed() async {}
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

  @Test("Reports with extreme values never end the process of the player", .seeded)
  func extremeValues() async throws {
    let generatorSeed = SeededGenerator()
    var generator = generatorSeed
    let engine = SilentEngine()
    let player = Player(
      configuration: Player.Configuration(), engine: engine, clock: DispatchClock(), observers: ObserverQueue())
    let client = try await engine.clients.first("the client").element
    let samples = try Samples.events.map { try WireEncoder.encode(EngineReport.event($0)) }
    player.replaceQueue(with: (0..<50).map { Player.Item(uri: "file:///\($0)") })
    player.loop = .playlist
    let ticks = try player.addPeriodicTimeObserver(forInterval: .seconds(10)) { _ in }
    var accepted = 0
    for index in 0..<6_000 {
      if index % 40 == 0 {
        player.play()
        player.seek(to: .milliseconds(index))
      }
      guard let sample = samples.randomElement(using: &generator) else { continue }
      // The player ignores the events of unknown streams, so the event gets the number of the present one.
      let stream = player.core.inspection.stream
      let value = changed(sample, &generator)
      guard let report = try? WireDecoder.decode(EngineReport.self, from: renamed(value, stream)), report.fault == nil,
        case .event(let event) = report
      else { continue }
      accepted += 1
      client.report(event)
      _ = player.snapshot
    }
    #expect(accepted > 1_000)
    ticks.cancel()
    await player.close()
  }

  /// Returns a value in which another number replaces the stream number of the samples.
  private func renamed(_ value: WireValue, _ stream: UInt64) -> WireValue {
    switch value {
    case .record(let fields):
      if fields.count == 1, fields["number"] == .integer(7) { return .record(["number": .integer(Int64(stream))]) }
      return .record(fields.mapValues { renamed($0, stream) })
    case .list(let values): return .list(values.map { renamed($0, stream) })
    default: return value
    }
  }
}
