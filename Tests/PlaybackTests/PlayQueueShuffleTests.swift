import Testing

@testable import Playback

@Suite("A shuffled queue") struct PlayQueueShuffleTests {
  let items = makeItems(12)

  private func queue(at index: Int = 0, loop: LoopMode = .none, count: Int = 12) -> PlayQueue {
    var queue = PlayQueue()
    queue.replace(with: Array(items.prefix(count)), startingAt: index)
    queue.loop = loop
    queue.setShuffled(true)
    return queue
  }

  /// The items from the current one on, in play order, as Next commands give them.
  private func walk(_ queue: PlayQueue, step: Int = 1) -> [PlayerItem] {
    var queue = queue
    queue.loop = .none
    var passed = [queue.current].compactMap { $0 }
    while passed.count <= queue.items.count, let next = queue.neighbour(step) {
      queue.select(next.id)
      passed.append(next)
    }
    return passed
  }

  @Test("The current item stays and comes first; every other follows once", arguments: [0, 5, 11])
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

  @Test("The order differs from the list's")
  func isShuffled() {
    // Of 11! orders, eight in a row that are the list's own would be no chance.
    #expect((0..<8).contains { _ in walk(queue()) != items })
  }

  @Test("Previous goes back through the order that was played")
  func previousRetraces() {
    var queue = queue(at: 3)
    let order = walk(queue)
    queue.select(order[11].id)
    #expect(walk(queue, step: -1) == order.reversed())
  }

  @Test(
    "At the ends of the order each loop mode does as in list order",
    arguments: LoopMode.allCases)
  func ends(loop: LoopMode) throws {
    var queue = queue(loop: loop)
    let order = walk(queue)
    let last = try #require(order.last)
    #expect(queue.previous == (loop == .playlist ? last : nil))
    #expect(queue.following == (loop == .track ? order[0] : order[1]))
    queue.select(last.id)
    #expect(queue.next == (loop == .playlist ? order[0] : nil))
    #expect(queue.following == (loop == .none ? nil : loop == .track ? last : order[0]))
  }

  @Test("Shuffling what is shuffled keeps the order; list order returns as it was")
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

  @Test("What is inserted after the current item plays next, in the order given; the rest keeps its order")
  func insertAfterCurrent() {
    var queue = queue(at: 6)
    var order = walk(queue)
    queue.select(order[3].id)
    let new = [PlayerItem(uri: "file:///x"), PlayerItem(uri: "file:///y")]
    queue.insert(new, after: order[3].id)
    order.insert(contentsOf: new, at: 4)
    #expect(queue.current == order[3])
    #expect(walk(queue) == Array(order[3...]))
    #expect(walk(queue, step: -1) == order[...3].reversed())
  }

  @Test("What is inserted elsewhere falls among what is still to come, and the past keeps its order")
  func insertElsewhere() {
    for place in [nil, items[0].id] {
      var queue = queue(at: 6)
      let order = walk(queue)
      queue.select(order[5].id)
      let new = [PlayerItem(uri: "file:///x"), PlayerItem(uri: "file:///y")]
      queue.insert(new, after: place == order[5].id ? nil : place)
      let coming = walk(queue)
      #expect(queue.current == order[5])
      #expect(Set(coming) == Set(Array(order[5...]) + new))
      #expect(coming.count == 9)
      #expect(walk(queue, step: -1) == order[...5].reversed())
    }
  }

  @Test("An insertion before the current item in the list does not change which is current")
  func insertBefore() {
    var queue = queue(at: 6)
    queue.insert([PlayerItem(uri: "file:///x")], after: items[0].id)
    #expect(queue.current == items[6])
    #expect(queue.currentIndex == 7)
    #expect(queue.previous == nil)
    #expect(Set(walk(queue)).count == 13)
  }

  @Test("Removing another item leaves the order of the rest as it was", arguments: 1..<12)
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

  @Test("When the current item is removed its follower in play order takes its place, else its predecessor")
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

  @Test("Removed to the last, a shuffled queue stays shuffled and takes new items")
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
    let items = (0..<30).map { PlayerItem(uri: "file:///\($0)") }
    var queue = PlayQueue()
    queue.setShuffled(true)
    queue.insert(items)
    #expect(queue.current == items[0])
  }

  @Test("A shuffled queue that is replaced is shuffled anew, from the item named")
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

  @Test("Shuffle set on an empty queue holds for the items to come")
  func shuffleEmpty() {
    var queue = PlayQueue()
    queue.setShuffled(true)
    #expect(queue.isShuffled)
    queue.replace(with: items, startingAt: 2)
    #expect(queue.current == items[2])
    #expect(Set(walk(queue)) == Set(items))
  }

  @Test("An order from before is gone on with, in both directions; one that is none of the queue's is not")
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

  @Test("What is inserted after an item that is still to come plays right after it")
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

  @Test("Moving and removing items keeps the play order of the others")
  func editsKeepOrder() {
    var queue = queue()
    let before = walk(queue)
    queue.move(before[3].id, to: 0)
    queue.move(before[0].id, to: 11)
    #expect(walk(queue) == before)
    queue.remove([before[2].id, before[7].id])
    #expect(walk(queue) == before.filter { $0 != before[2] && $0 != before[7] })
  }

  @Test("The revision is another one after each edit, and the same after a selection")
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
