import Testing

@testable import Playback

@Suite("Rearranging the queue") struct RearrangedQueueTests {
  @Test("The current item continues, and another gapless successor is withdrawn")
  func continues() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    let offered = harness.offer()
    #expect(offered != nil)
    harness.forget()
    let (first, last) = (harness.items[0], harness.items[2])
    let new = Player.Item(uri: "file:///new")
    harness.decide(.rearrange(ItemList([last, first, new]), playOrder: nil))
    #expect(harness.snapshot.currentItem == first && harness.snapshot.currentIndex == 1)
    #expect(harness.snapshot.position == .seconds(3) && harness.snapshot.transport == .playing)
    #expect(harness.effects.loads.isEmpty && harness.effects.hasChanged)
    #expect(harness.machine.queue.next == new)
  }
}
