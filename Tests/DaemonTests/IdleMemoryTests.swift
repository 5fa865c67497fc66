import Playback
import TestSupport
import Testing

@testable import Playerd

@Suite("The memory of an idle daemon") struct IdleMemoryTests {
  /// Calls observers at once.
  private struct InlineObservers: ObserverExecutor {
    func run(_ body: @escaping @Sendable () -> Void) { body() }
  }

  @Test("Memory is given back after the start, and after an event")
  func packs() async throws {
    let player = ScriptedMedia().makePlayer(Player.Configuration(), observers: InlineObservers())
    let packs = EventLog<Void>()
    let memory = IdleMemory(player, on: QueueExecutor(label: "test.memory"), after: .zero) { packs.append(()) }
    try await packs.first("the start")
    player.replaceQueue(with: [Player.Item(uri: "http://192.0.2.1/1.mp3")])
    try await packs.first("the event", from: 1)
    memory.stop()
    await player.close()
  }
}
