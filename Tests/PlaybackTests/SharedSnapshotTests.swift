import Testing

@testable import Playback

@Suite("The snapshot that readers share") struct SharedSnapshotTests {
  @Test("Between decisions each reader has its own position; after one, the new state")
  func positions() async {
    let (engine, clock) = (ScriptedEngine(), ManualClock())
    let player = Player(
      configuration: PlayerConfiguration(), engine: engine, clock: clock, observers: ImmediateExecutor())
    player.replaceQueue(with: [PlayerItem(uri: "file:///0")])
    player.play()
    let stream = StreamToken(number: 1)
    engine.report(.settled(stream, StreamFacts(duration: .seconds(60))))
    engine.report(.running(stream, position: .zero))
    let first = player.snapshot
    // No wake-up is due in between.
    clock.advance(by: .milliseconds(100))
    #expect(player.snapshot.position == first.position + .milliseconds(100))
    #expect(first.transport == .playing)
    player.pause()
    #expect(player.snapshot.transport == .paused)
    clock.advance(by: .milliseconds(100))
    #expect(player.snapshot.position == first.position + .milliseconds(100))
    await player.close()
    #expect(player.snapshot.transport == .stopped)
  }
}
