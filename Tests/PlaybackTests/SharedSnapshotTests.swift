import Synchronization
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
    engine.report(.settled(stream, StreamFacts(duration: .seconds(60))))
    engine.report(.running(stream, position: .zero))
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
    let (player, engine, _) = playing("http://example.org/0")
    for end in [5, 9] {
      engine.progress.withLock { $0 = .decoded(until: .seconds(end)) }
      #expect(player.snapshot.loadedTimeRanges == [.zero..<(.seconds(end))])
    }
    await player.close()
  }
}
