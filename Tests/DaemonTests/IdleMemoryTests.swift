import EventLoop
import Playback
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService

@Suite("The memory of an idle daemon") struct IdleMemoryTests {
  @Test("Memory is given back after the start, and after an event")
  func released() async throws {
    let loop = PollLoop(name: "test")
    let player = ScriptedMedia().makePlayer(Player.Configuration(), observers: LoopObservers(loop: loop))
    let releases = EventLog<Void>()
    let memory = IdleMemory(player, on: loop, after: .zero) { releases.append(()) }
    try await releases.first("the start")
    player.replaceQueue(with: [Player.Item(uri: "http://192.0.2.1/1.mp3")])
    try await releases.first("the event", from: 1)
    memory.stop()
    await player.close()
    loop.stop()
  }
}
