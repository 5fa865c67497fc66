import TestSupport
import Testing

@testable import Playback

/// A value that is not Sendable, such as a view.
private final class View {
  var texts: [String] = []
}

/// An object that finishes a log when it is released.
private final class Released: Sendable {
  private let log: EventLog<Never>

  init(_ log: EventLog<Never>) { self.log = log }

  deinit { log.finish() }
}

/// A player of one item of 100 s that plays when its clock is advanced.
private struct PlayingPlayer: Sendable {
  let player: Player
  let clock = ManualClock()

  init() {
    let engine = ScriptedEngine()
    player = Player(
      configuration: Player.Configuration(), engine: engine, clock: clock, observers: ImmediateExecutor())
    player.replaceQueue(with: [Player.Item(uri: "file:///0")])
    player.play()
    let stream = StreamToken(number: 1)
    engine.report(.stream(stream, .settled(StreamFacts(duration: .seconds(100)))))
    engine.report(.audible(stream, at: .zero))
  }
}

@Suite("Observers on an actor") struct ActorObserverTests {
  /// Waits until the closure of an observer has been released; no call of it follows.
  private func waitForRelease(_ log: EventLog<Never>) async throws {
    try await deadline(10, "the closure is released") { for await _ in log.entries() {} }
  }

  @Test("Observers on the main actor use its state, and each is called in order") @MainActor
  func mainActor() async throws {
    let (playing, view, all) = (PlayingPlayer(), View(), EventLog<Never>())
    func note(_ text: String) {
      MainActor.assertIsolated()
      view.texts.append(text)
      if view.texts.count == 8 { all.finish() }
    }
    let observations = [
      try playing.player.addBoundaryTimeObserver(forTimes: [.seconds(1), .seconds(2)], on: MainActor.shared) {
        note("time \($0.boundary.seconds)")
      },
      try playing.player.addBoundaryTimeObserver(forFractions: [0.03, 0.04], on: MainActor.shared) {
        note("fraction \($0.boundary.seconds)")
      },
      try playing.player.addBoundaryTimeObserver(forTimeRemaining: .seconds(95), on: MainActor.shared) {
        note("remaining \($0.boundary.seconds)")
      },
      try playing.player.addPeriodicTimeObserver(forInterval: .seconds(50), on: MainActor.shared) {
        note("periodic \($0.seconds)")
      },
      playing.player.addEventObserver(on: MainActor.shared) { event, _ in
        if case .currentItemChanged = event { note("event") }
      },
    ]
    playing.clock.advance(by: .seconds(51))
    playing.player.replaceQueue(with: [])
    // The main actor is busy with this test.
    #expect(view.texts.isEmpty)
    try await deadline(10, "every observer is called") { for await _ in all.entries() {} }
    let texts = Dictionary(grouping: view.texts) { $0.prefix { $0 != " " } }
    #expect(texts["time"] == ["time 1.0", "time 2.0"])
    #expect(texts["fraction"] == ["fraction 3.0", "fraction 4.0"])
    #expect(texts["remaining"] == ["remaining 5.0"])
    #expect(texts["periodic"]?.map { $0.prefix(11) } == ["periodic 50", "periodic 0."])
    #expect(texts["event"] == ["event"])
    for observation in observations { observation.cancel() }
    await playing.player.close()
  }

  @Test("An observer on an actor receives every boundary in order")
  func ownActor() async throws {
    let playing = PlayingPlayer()
    let recorder = Recorder()
    let observation = try await recorder.observe(playing.player)
    for _ in 1...998 { playing.clock.advance(by: .milliseconds(99)) }
    playing.clock.advance(by: .seconds(1))
    try await deadline(10, "every boundary is reported") { for await _ in recorder.log.entries() {} }
    #expect(await recorder.boundaries == Recorder.times)
    observation.cancel()
    await playing.player.close()
  }

  /// An actor that records boundaries in its own state.
  private actor Recorder {
    static let times = (1...1000).map { Duration.milliseconds(99 * $0) }
    let log = EventLog<Never>()
    private(set) var boundaries: [Duration] = []

    func observe(_ player: Player) throws -> Player.Observer {
      try player.addBoundaryTimeObserver(forTimes: Self.times, on: self) { [self] crossing in
        boundaries.append(crossing.boundary)
        if boundaries.count == Self.times.count { log.finish() }
      }
    }
  }

  @Test("After a cancel on the actor, no pending call is made, and the closure is released") @MainActor
  func cancelled() async throws {
    let (playing, view, released) = (PlayingPlayer(), View(), EventLog<Never>())
    let observation = try playing.player.addBoundaryTimeObserver(forTimes: [.seconds(1)], on: MainActor.shared) {
      [probe = Released(released)] _ in
      withExtendedLifetime(probe) {}
      view.texts.append("called")
    }
    playing.clock.advance(by: .seconds(2))
    observation.cancel()
    try await waitForRelease(released)
    #expect(view.texts.isEmpty)
    await playing.player.close()
  }

  @Test("An observer on an actor ends when its observation is released, and when its player is closed") @MainActor
  func ended() async throws {
    let playing = PlayingPlayer()
    let (first, second, third) = (EventLog<Never>(), EventLog<Never>(), EventLog<Never>())
    func observe(_ log: EventLog<Never>) -> Player.Observer {
      playing.player.addEventObserver(on: MainActor.shared) { [probe = Released(log)] _, _ in
        withExtendedLifetime(probe) {}
      }
    }
    _ = observe(first)
    try await waitForRelease(first)
    let observation = observe(second)
    await playing.player.close()
    try await waitForRelease(second)
    let late = observe(third)
    try await waitForRelease(third)
    withExtendedLifetime([observation, late]) {}
  }
}
