import TestSupport
import Testing

@testable import Playback

@Suite("Looking up items of an edited queue") struct PlayQueueLookupTests {
  @Test("After random edits, each item is found at its index, as in an array that is searched", arguments: 1...40)
  func randomEdits(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var queue = PlayQueue()
    var model: [Player.Item] = []
    var gone: [Player.Item] = []
    queue.setShuffleMode([.off, .tracks, .albums][seed % 3])
    for _ in 0..<150 {
      edit(&queue, &model, &gone, &random)
      #expect(queue.items == model)
      for (index, item) in model.enumerated() { #expect(queue.index(of: item.id) == index) }
      for item in gone { #expect(queue.index(of: item.id) == nil && !queue.contains(item.id)) }
      #expect((queue.current == nil) == model.isEmpty)
      #expect(queue.order.map { $0.sorted() == Array(model.indices) } ?? true)
      let order = (queue.order ?? Array(model.indices)).map { model[$0].id }
      if let first = order.first, let last = order.last {
        #expect(queue.plays(first, before: last) == (order.count > 1) && !queue.plays(last, before: first))
        for item in gone.prefix(1) { #expect(!queue.plays(item.id, before: last)) }
      }
    }
  }

  private func edit(
    _ queue: inout PlayQueue, _ model: inout [Player.Item], _ gone: inout [Player.Item], _ random: inout SeededGenerator
  ) {
    func pick(_ limit: Int) -> Int { Int(random.next(below: UInt64(max(1, limit)))) }
    let place = pick(model.count)
    let current = queue.current
    switch pick(12) {
    case 0:
      gone += model
      model = makeItems(pick(20))
      queue.replace(with: model, startingAt: place)
    case 1, 2, 3:
      let new = makeItems(pick(8))
      queue.insert(new, after: model.isEmpty ? nil : model[place].id)
      model.insert(contentsOf: new, at: model.isEmpty ? 0 : place + 1)
    case 4:
      let new = makeItems(pick(8))
      queue.insertAtStart(new)
      model.insert(contentsOf: new, at: 0)
    case 5:
      let new = makeItems(pick(8))
      // The second half is in the queue already.
      queue.insert(new + model)
      model += new
    case 6, 7, 8:
      guard !model.isEmpty else { return }
      let target = pick(model.count)
      queue.move(model[place].id, to: target)
      model.insert(model.remove(at: place), at: target)
    case 9, 10:
      let removed = model.filter { _ in pick(4) == 0 }
      queue.remove(Set((removed + gone.prefix(2)).map(\.id)))
      model.removeAll { removed.contains($0) }
      gone += removed
      if let current, !removed.contains(current) { #expect(queue.current == current) }
    default:
      guard !model.isEmpty else { return }
      queue.select(model[place].id)
      #expect(queue.currentIndex == place)
    }
  }
}
