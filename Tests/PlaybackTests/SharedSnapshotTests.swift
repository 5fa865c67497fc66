import Synchronization
import TestSupport
import Testing

@testable import Playback

@Suite("Shared snapshot") struct SharedSnapshotTests {
  /// Returns a player of an item of 60 s that plays from its start, with its engine and its clock.
  private func playing(_ uri: String) -> (Player, ScriptedEngine, ManualClock) {
    let (engine, clock) = (ScriptedEngine(), ManualClock())
    let player = Player(
      configuration: Player.Configuration(), engine: engine, clock: clock, observers: ImmediateExecutor())
    player.replaceQueue(with: [Player.Item(uri: uri)])
    player.play()
    let stream = StreamToken(number: 1)
    engine.report(.stream(stream, .settled(StreamFacts(duration: .seconds(60)))))
    engine.report(.audible(stream, at: .zero))
    return (player, engine, clock)
  }

  @Test("Between decisions a snapshot differs in position only; a decision changes its state")
  func positions() async {
    let (player, _, clock) = playing("file:///0")
    let first = player.snapshot
    // No wake-up is due in these 100 ms.
    clock.advance(by: .milliseconds(100))
    #expect(player.snapshot.position == first.position + .milliseconds(100))
    #expect(first.transport == .playing)
    #expect(first.loadedTimeRanges == [.zero..<(.seconds(60))])
    player.pause()
    #expect(player.snapshot.transport == .paused)
    clock.advance(by: .milliseconds(100))
    #expect(player.snapshot.position == first.position + .milliseconds(100))
    await player.close()
    #expect(player.snapshot.transport == .stopped)
  }

  @Test("A reader of a stream sees the data that has arrived since the last decision")
  func arrivals() async throws {
    let (player, engine, clock) = playing("http://example.org/0")
    for end in [5, 9] {
      // A range is shown for a quarter of a second at least.
      clock.advance(by: .milliseconds(300))
      engine.progress.withLock { $0 = .decoded(until: .seconds(end)) }
      #expect(player.snapshot.loadedTimeRanges.map(\.upperBound) == [.seconds(end)])
    }
    await player.close()
  }

  /// The calls of observers, until the test carries them out.
  private final class HeldCalls: ObserverExecutor {
    private let calls = Mutex<[@Sendable () -> Void]>([])

    func run(_ body: @escaping @Sendable () -> Void) { calls.withLock { $0.append(body) } }

    func carryOut() { for call in calls.withLock({ $0 }) { call() } }
  }

  /// Returns the events and the volumes in their snapshots that `body` causes, all delivered after it.
  private func reports(_ body: (Player) -> Void) -> [String] {
    let calls = HeldCalls()
    let reports = EventLog<String>()
    let player = Player(
      configuration: Player.Configuration(), engine: ScriptedEngine(), clock: ManualClock(), observers: calls)
    let observation = player.addEventObserver { event, snapshot in
      let name = if case .currentItemChanged = event { "item" } else { "\(event)" }
      reports.append("\(name) \(snapshot.volume) \(snapshot.transport)")
    }
    body(player)
    calls.carryOut()
    observation.cancel()
    return reports.elements
  }

  @Test("An event has the snapshot of its decision, also if later commands have changed the player")
  func decisions() {
    let reports = reports { player in
      for volume in [0.1, 0.2] { player.volume = volume }
      player.replaceQueue(with: [Player.Item(uri: "file:///0")])
      player.volume = 0.3
    }
    #expect(
      reports == [
        "changed 0.1 stopped", "changed 0.2 stopped", "item 0.2 stopped", "changed 0.2 stopped", "changed 0.3 stopped",
      ])
  }

  @Test("The commands of a transaction are reported as one change, with the snapshot after the last of them")
  func transaction() {
    let reports = reports { player in
      player.volume = 0.1
      player.transaction {
        player.volume = 0.2
        player.transaction { player.replaceQueue(with: [Player.Item(uri: "file:///0")]) }
        player.play()
      }
      player.volume = 0.3
    }
    #expect(reports == ["changed 0.1 stopped", "item 0.2 playing", "changed 0.2 playing", "changed 0.3 playing"])
  }
}
