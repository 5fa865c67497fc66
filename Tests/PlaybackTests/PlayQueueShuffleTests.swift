import Testing

@testable import Playback

@Suite("Shuffled play queue") struct PlayQueueShuffleTests {
  let items = makeItems(12)

  private func queue(at index: Int = 0, loop: Player.LoopMode = .none, count: Int = 12) -> PlayQueue {
    var queue = PlayQueue()
    queue.replace(with: Array(items.prefix(count)), startingAt: index)
    queue.loop = loop
    queue.setShuffled(true)
    return queue
  }

  /// Returns the current item and all items after it in play order, as repeated Next commands select them.
  private func walk(_ queue: PlayQueue, step: Int = 1) -> [Player.Item] {
    var queue = queue
    queue.loop = .none
    var passed = [queue.current].compactMap { $0 }
    while passed.count <= queue.items.count, let next = queue.neighbour(step) {
      queue.select(next.id)
      passed.append(next)
    }
    return passed
  }

  @Test("Shuffling keeps the current item and puts it first; every other item follows once", arguments: [0, 5, 11])
  func everyItemOnce(start: Int) {
    let queue = queue(at: start)
    let order = walk(queue)
    #expect(queue.current == items[start])
    #expect(order.first == items[start])
    #expect(order.count == items.count)
    #expect(Set(order) == Set(items))
    #expect(queue.previous == nil)
    #expect(queue.items == items)
    #expect(queue.currentIndex == start)
  }

  @Test("The play order differs from the list order")
  func isShuffled() {
    // There are 11! orders; eight list orders in a row cannot be coincidence.
    #expect((0..<8).contains { _ in walk(queue()) != items })
  }

  @Test("Previous goes back through the played order")
  func previousRetraces() {
    var queue = queue(at: 3)
    let order = walk(queue)
    queue.select(order[11].id)
    #expect(walk(queue, step: -1) == order.reversed())
  }

  @Test(
    "At the ends of the play order each loop mode behaves as in list order",
    arguments: Player.LoopMode.allCases)
  func ends(loop: Player.LoopMode) throws {
    var queue = queue(loop: loop)
    let order = walk(queue)
    let last = try #require(order.last)
    #expect(queue.previous == (loop == .playlist ? last : nil))
    #expect(queue.following() == (loop == .track ? order[0] : order[1]))
    queue.select(last.id)
    #expect(queue.next == (loop == .playlist ? order[0] : nil))
    #expect(queue.following() == (loop == .none ? nil : loop == .track ? last : order[0]))
  }

  @Test("Shuffling a shuffled queue keeps its order; unshuffling restores the list order")
  func setTwice() {
    var queue = queue(at: 2)
    let order = walk(queue)
    queue.setShuffled(true)
    #expect(walk(queue) == order)
    queue.select(order[4].id)
    queue.setShuffled(false)
    queue.setShuffled(false)
    #expect(!queue.isShuffled)
    #expect(queue.current == order[4])
    #expect(walk(queue) == Array(items[(items.firstIndex(of: order[4]) ?? 0)...]))
  }

  @Test("Items inserted after the current item play next in the given order; the rest keeps its order")
  func insertAfterCurrent() {
    var queue = queue(at: 6)
    var order = walk(queue)
    queue.select(order[3].id)
    let new = [Player.Item(uri: "file:///x"), Player.Item(uri: "file:///y")]
    queue.insert(new, after: order[3].id)
    order.insert(contentsOf: new, at: 4)
    #expect(queue.current == order[3])
    #expect(walk(queue) == Array(order[3...]))
    #expect(walk(queue, step: -1) == order[...3].reversed())
  }

  @Test("Items inserted elsewhere play at random places, and all others keep their order")
  func insertElsewhere() {
    for place in [nil, items[0].id] {
      var queue = queue(at: 6)
      let order = walk(queue)
      queue.select(order[5].id)
      let new = [Player.Item(uri: "file:///x"), Player.Item(uri: "file:///y")]
      queue.insert(new, after: place == order[5].id ? nil : place)
      let coming = walk(queue)
      #expect(queue.current == order[5])
      #expect(Set(coming) == Set(Array(order[5...]) + new))
      #expect(coming.filter { !new.contains($0) } == Array(order[5...]))
      #expect(coming.count == 9)
      #expect(walk(queue, step: -1) == order[...5].reversed())
    }
  }

  @Test("An insertion before the current item keeps it current")
  func insertBefore() {
    var queue = queue(at: 6)
    queue.insert([Player.Item(uri: "file:///x")], after: items[0].id)
    #expect(queue.current == items[6])
    #expect(queue.currentIndex == 7)
    #expect(queue.previous == nil)
    #expect(Set(walk(queue)).count == 13)
  }

  @Test("Removing another item keeps the order of the rest", arguments: 1..<12)
  func removeOther(place: Int) {
    var queue = queue(at: 4)
    var order = walk(queue)
    queue.select(order[6].id)
    guard place != 6 else { return }
    queue.remove(order[place].id)
    order.remove(at: place)
    let current = place < 6 ? 5 : 6
    #expect(queue.current == order[current])
    #expect(walk(queue) == Array(order[current...]))
    #expect(walk(queue, step: -1) == order[...current].reversed())
  }

  @Test("If the current item is removed, the next item in play order becomes current, else the previous one")
  func removeCurrent() throws {
    var queue = queue()
    let order = walk(queue)
    queue.select(order[6].id)
    queue.remove(order[6].id)
    #expect(queue.current == order[7])
    #expect(queue.previous == order[5])
    queue.select(order[11].id)
    queue.remove(order[11].id)
    #expect(queue.current == order[10])
    #expect(queue.next == nil)
  }

  @Test("A shuffled queue stays shuffled when all its items are removed, and accepts new items")
  func removeAll() {
    var queue = queue(count: 3)
    for item in items.prefix(3) { queue.remove(item.id) }
    #expect(queue.isEmpty)
    #expect(queue.current == nil)
    #expect(queue.isShuffled)
    queue.insert(items)
    #expect(queue.current != nil)
    #expect(Set(walk(queue)) == Set(items))
    #expect(queue.previous == nil)
  }

  @Test("The first item inserted into an empty shuffled queue becomes current")
  func shuffledInsert() {
    let items = (0..<30).map { Player.Item(uri: "file:///\($0)") }
    var queue = PlayQueue()
    queue.setShuffled(true)
    queue.insert(items)
    #expect(queue.current == items[0])
  }

  @Test("Replacing a shuffled queue shuffles the new items, starting with the given one")
  func replace() {
    var queue = queue()
    let new = makeItems(9)
    queue.replace(with: new, startingAt: 4)
    #expect(queue.isShuffled)
    #expect(queue.current == new[4])
    #expect(Set(walk(queue)) == Set(new))
    queue.replace(with: [])
    #expect(queue.next == nil)
    #expect(queue.isShuffled)
  }

  @Test("Shuffling an empty queue applies to the items inserted later")
  func shuffleEmpty() {
    var queue = PlayQueue()
    queue.setShuffled(true)
    #expect(queue.isShuffled)
    queue.replace(with: items, startingAt: 2)
    #expect(queue.current == items[2])
    #expect(Set(walk(queue)) == Set(items))
  }

  @Test("A restored play order continues in both directions; an invalid order is ignored")
  func orderFromBefore() {
    var old = queue()
    for _ in 0..<5 { if let next = old.next { old.select(next.id) } }
    var queue = PlayQueue()
    queue.replace(with: items, startingAt: old.currentIndex ?? 0, playOrder: old.order)
    #expect(queue.isShuffled)
    #expect(walk(queue) == walk(old))
    #expect(walk(queue, step: -1) == walk(old, step: -1))
    for wrong in [[], [0], Array(1...12), Array(repeating: 0, count: 12)] as [[Int]] {
      var other = PlayQueue()
      other.replace(with: items, playOrder: wrong)
      #expect(!other.isShuffled)
    }
  }

  @Test("Items inserted after an upcoming item play directly after it")
  func insertAfterUpcoming() throws {
    for _ in 0..<20 {
      var queue = queue()
      let before = walk(queue)
      let predecessor = before[4]
      let new = makeItems(3)
      queue.insert(new, after: predecessor.id)
      let after = walk(queue)
      #expect(Array(after[..<5]) == Array(before[..<5]))
      #expect(Array(after[5..<8]) == new)
      #expect(Array(after[8...]) == Array(before[5...]))
    }
  }

  @Test("Moving and removing items keeps the play order of the other items")
  func editsKeepOrder() {
    var queue = queue()
    let before = walk(queue)
    queue.move(before[3].id, to: 0)
    queue.move(before[0].id, to: 11)
    #expect(walk(queue) == before)
    queue.remove([before[2].id, before[7].id])
    #expect(walk(queue) == before.filter { $0 != before[2] && $0 != before[7] })
  }

  @Test("Each edit changes the revision, and a selection does not")
  func revision() {
    var queue = queue()
    var seen: Set<UInt64> = [queue.revision]
    queue.insert(makeItems(1))
    #expect(seen.insert(queue.revision).inserted)
    queue.insertAtStart(makeItems(1))
    #expect(seen.insert(queue.revision).inserted)
    queue.remove(items[3].id)
    #expect(seen.insert(queue.revision).inserted)
    queue.setShuffled(false)
    #expect(seen.insert(queue.revision).inserted)
    queue.replace(with: items)
    #expect(seen.insert(queue.revision).inserted)
    queue.select(items[5].id)
    queue.loop = .playlist
    #expect(seen.contains(queue.revision))
  }
}
