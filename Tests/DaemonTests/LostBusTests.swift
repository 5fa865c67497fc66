import EventLoop
import Playback
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService

@Suite("A daemon without its bus") struct LostBusTests {
  @Test("The time runs while the bus is lost and nothing plays")
  func rule() {
    #expect(LostBus.Rule(isLost: true, isPlaying: false).isRunning)
    #expect(!LostBus.Rule(isLost: true, isPlaying: true).isRunning)
    #expect(!LostBus.Rule(isLost: false, isPlaying: false).isRunning)
  }

  @Test("A stopped player ends after the time, and one that plays when it pauses")
  func end() async throws {
    for plays in [false, true] {
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let player = ScriptedMedia().makePlayer(Player.Configuration(), observers: LoopObservers(loop: loop))
      let ends = EventLog<Player.Transport>()
      let lostBus = LostBus(player, on: loop, after: .milliseconds(1)) { ends.append(player.snapshot.transport) }
      if plays {
        player.append(contentsOf: [Player.Item(uri: "file:///a")])
        player.play()
      }
      lostBus.note(isLost: false)
      // The loop has seen the start.
      await withCheckedContinuation { continuation in loop.submit { continuation.resume() } }
      lostBus.note(isLost: true)
      if plays { player.pause() }
      let end = try await ends.first("the end")
      #expect(end.element == (plays ? .paused : .stopped))
      lostBus.stop()
      await player.close()
    }
  }
}
