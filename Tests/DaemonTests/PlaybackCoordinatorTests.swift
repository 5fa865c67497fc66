import GstPlayer
import Playback
import PlayerdInterfaces
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService

@Suite("Commands before the events of the player are delivered") struct PlaybackCoordinatorTests {
  /// An executor that calls no observer, as while an earlier call takes long.
  private struct BusyExecutor: ObserverExecutor {
    func run(_ body: @escaping @Sendable () -> Void) {}
  }

  @Test("If the player has paused by itself while a request is opened, the status and PlayPause agree")
  func pauseBeforeEvent() async throws {
    let player = Player(
      configuration: Player.Configuration(), engine: SilentEngine(), clock: StandingClock(), observers: BusyExecutor())
    let opens = OpenQueue()
    let coordinator = PlaybackCoordinator(player, opens)
    player.replaceQueue(with: [Player.Item(uri: "file:///nowhere/a.flac")])
    coordinator.play()
    try opens.accept(OpenRequest(uris: ["http://192.0.2.1/a.m3u"], placement: .now))
    #expect(coordinator.snapshot.status == .playing)
    // As after the removal of the output.
    player.pause()
    #expect(coordinator.snapshot.status == .paused && coordinator.snapshot.intent == .paused)
    coordinator.playPause()
    #expect(coordinator.snapshot.status == .playing)
    coordinator.playPause()
    #expect(coordinator.snapshot.status == .paused)
    await player.close()
  }

  @Test("A request that is accepted after the player has paused by itself plays")
  func requestAfterPause() async throws {
    let player = Player(
      configuration: Player.Configuration(), engine: SilentEngine(), clock: StandingClock(), observers: BusyExecutor())
    let opens = OpenQueue()
    let coordinator = PlaybackCoordinator(player, opens)
    player.replaceQueue(with: [Player.Item(uri: "file:///nowhere/a.flac")])
    coordinator.play()
    player.pause()
    try opens.accept(OpenRequest(uris: ["http://192.0.2.1/a.m3u"], placement: .now))
    #expect(coordinator.snapshot.status == .playing && coordinator.snapshot.intent == .playing)
    coordinator.playPause()
    #expect(coordinator.snapshot.status == .paused)
    await player.close()
  }
}
