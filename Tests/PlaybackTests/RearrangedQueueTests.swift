import Testing

@testable import Playback

@Suite("Rearranging the queue") struct RearrangedQueueTests {
  @Test("The current item continues, and another item is opened instead of the open one")
  func continues() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    let offered = harness.offer()
    #expect(offered?.uri == "file:///1")
    harness.forget()
    let (first, last) = (harness.items[0], harness.items[2])
    let new = Player.Item(uri: "file:///new")
    harness.decide(.rearrange(ItemList([last, first, new]), playOrder: nil, keepsAlbums: false))
    #expect(harness.snapshot.currentItem == first && harness.snapshot.currentIndex == 1)
    #expect(harness.snapshot.position == .seconds(3) && harness.snapshot.transport == .playing)
    #expect(harness.effects.loads == ["file:///new"] && harness.effects.hasChanged)
    #expect(harness.effects.closed == [offered?.stream])
    #expect(harness.machine.queue.next == new)
  }
}
