import Synchronization
import Testing

@testable import Playback

/// The gain of a stream by the measured loudness of its file.
///
/// It is requested when the stream is opened, and each plan with the stream contains it.
@Suite("The measured gain of a stream")
struct MeasuredGainRuleTests {
  private static let gain = LoudnessGain(gain: -6, peak: 0.5)

  private static let configuration: Player.Configuration = {
    var gain = Player.Configuration.ReplayGain(mode: .track)
    gain.measurement = Player.Configuration.ReplayGain.Measurement()
    return Player.Configuration(replayGain: gain)
  }()

  private func requests(_ effects: [Effect]) -> [Effect] {
    effects.filter { if case .requestLoudness = $0 { true } else { false } }
  }

  @Test("A file enters the plan when its gain is known, and keeps that gain", arguments: [nil, gain])
  func awaited(gain: LoudnessGain?) throws {
    var harness = MachineHarness(2, configuration: Self.configuration)
    let effects = harness.play()
    let first = harness.token
    #expect(requests(effects) == [.requestLoudness(of: "file:///0", for: first, asSuccessor: false)])
    harness.settle(duration: 60)
    #expect(harness.plan.isEmpty)
    harness.decide(.loudness(.gain(gain, of: first)))
    let part = PlannedPart(first, measured: gain)
    #expect(harness.plan == [part])
    harness.run()
    let read = harness.report(.stream(first, .read))
    let next = try #require(harness.lastSuccessor)
    #expect(requests(read) == [.requestLoudness(of: "file:///1", for: next, asSuccessor: true)])
    harness.settleNext(next, duration: 60)
    #expect(harness.plan == [part])
    harness.decide(.loudness(.gain(Self.gain, of: next)))
    let nextPart = PlannedPart(next, measured: Self.gain)
    #expect(harness.plan == [part, nextPart])
    harness.report(.stream(first, .ended(at: .seconds(60))))
    harness.report(.audible(next, at: .zero))
    #expect(harness.plan == [nextPart] && harness.violations.isEmpty)
  }

  @Test("A gain may arrive before the stream is ready, and is ignored after the stream was closed")
  func early() {
    var harness = MachineHarness(2, configuration: Self.configuration)
    _ = harness.play()
    let first = harness.token
    _ = harness.next()
    let second = harness.token
    #expect(first != second)
    harness.decide(.loudness(.gain(Self.gain, of: second)))
    harness.decide(.loudness(.gain(nil, of: first)))
    harness.settle(duration: 60)
    #expect(harness.plan == [PlannedPart(second, measured: Self.gain)])
    _ = harness.stop()
    harness.decide(.loudness(.gain(Self.gain, of: second)))
    #expect(harness.plan.isEmpty && harness.violations.isEmpty)
  }

  @Test("A network stream does not wait for a gain, nor does a file whose silence alone is searched for")
  func unneeded() {
    var server = MachineHarness(1, configuration: Self.configuration, scheme: "http")
    #expect(requests(server.play()).isEmpty)
    server.settle(duration: 60)
    #expect(server.plan == [PlannedPart(server.token)])
    var configuration = Player.Configuration()
    configuration.silenceTrimming = .init()
    var silence = MachineHarness(1, configuration: configuration)
    #expect(requests(silence.play()) == [.requestLoudness(of: "file:///0", for: silence.token, asSuccessor: false)])
    silence.settle(duration: 60)
    #expect(silence.plan == [PlannedPart(silence.token)])
  }

  /// A source of loudness that records its requests, and sends the reports of a test.
  private final class Source: LoudnessSource {
    struct State {
      var report: (@Sendable (LoudnessReport) -> Void)?
      var requests: [StreamToken] = []
      var announced: [[[String]]] = []
      var isClosed = false
    }

    private let recorded = Mutex(State())

    var state: State { recorded.withLock { $0 } }

    func open(_ report: @escaping @Sendable (LoudnessReport) -> Void) { recorded.withLock { $0.report = report } }
    func announce(_ groups: [[String]]) { recorded.withLock { $0.announced.append(groups) } }
    func request(_ uri: String, for stream: StreamToken, asSuccessor isSuccessor: Bool) {
      recorded.withLock { $0.requests.append(stream) }
    }
    func close() { recorded.withLock { $0.isClosed = true } }
    func closed() async {}
  }

  /// The last plan that was sent to an engine.
  private func plan(_ engine: ScriptedEngine) -> [PlannedPart]? {
    engine.commands.compactMap { if case .plan(let parts) = $0 { parts } else { nil } }.last
  }

  @Test("A player passes requests to its source and the reports to its rules; without a source, nothing is awaited")
  func source() async throws {
    for hasSource in [true, false] {
      let (engine, source) = (ScriptedEngine(), Source())
      let player = Player(
        configuration: Self.configuration, engine: engine, loudness: hasSource ? source : nil, clock: ManualClock(),
        observers: ImmediateExecutor())
      player.replaceQueue(with: (0..<2).map { Player.Item(uri: "file:///\($0)") })
      player.play()
      let stream = StreamToken(number: 1)
      engine.report(.stream(stream, .settled(StreamFacts(duration: .seconds(60)))))
      guard hasSource else {
        #expect(plan(engine) == [PlannedPart(stream)])
        await player.close()
        continue
      }
      #expect(plan(engine) == nil)
      #expect(source.state.requests == [stream])
      #expect(source.state.announced == [[["file:///1"], ["file:///0"]]])
      let report = try #require(source.state.report)
      report(.gain(Self.gain, of: stream))
      #expect(plan(engine) == [PlannedPart(stream, measured: Self.gain)])
      await player.close()
      #expect(source.state.isClosed)
    }
  }
}
