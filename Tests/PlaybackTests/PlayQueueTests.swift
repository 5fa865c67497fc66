import Testing

@testable import Playback

/// Returns items with the URIs a, b, c, ….
func makeItems(_ count: Int) -> [Player.Item] {
  (0..<count).map { Player.Item(uri: "file:///\(Character(UnicodeScalar(UInt8(97 + $0 % 26)))).flac") }
}

@Suite("Play queue in list order") struct PlayQueueTests {
  let items = makeItems(4)

  private func queue(at index: Int = 0, loop: Player.LoopMode = .none) -> PlayQueue {
    var queue = PlayQueue()
    queue.replace(with: items, startingAt: index)
    queue.loop = loop
    return queue
  }

  @Test("The current item and the neighbours of an empty queue are nil", arguments: Player.LoopMode.allCases)
  func empty(loop: Player.LoopMode) {
    var queue = PlayQueue()
    queue.loop = loop
    #expect(queue.isEmpty)
    #expect(queue.current == nil)
    #expect(queue.next == nil)
    #expect(queue.previous == nil)
    #expect(queue.following() == nil)
  }

  /// An index in a queue of four items, and the indices of its neighbours; nil for none.
  struct Place: Sendable {
    var loop: Player.LoopMode
    var at: Int
    var next: Int?
    var previous: Int?
    var following: Int?
  }

  @Test(
    "Each loop mode has its neighbours at the start, in the middle and at the end",
    arguments: [
      Place(loop: .none, at: 0, next: 1, previous: nil, following: 1),
      Place(loop: .none, at: 1, next: 2, previous: 0, following: 2),
      Place(loop: .none, at: 3, next: nil, previous: 2, following: nil),
      Place(loop: .track, at: 0, next: 1, previous: nil, following: 0),
      Place(loop: .track, at: 1, next: 2, previous: 0, following: 1),
      Place(loop: .track, at: 3, next: nil, previous: 2, following: 3),
      Place(loop: .playlist, at: 0, next: 1, previous: 3, following: 1),
      Place(loop: .playlist, at: 1, next: 2, previous: 0, following: 2),
      Place(loop: .playlist, at: 3, next: 0, previous: 2, following: 0),
    ])
  func neighbours(place: Place) {
    let queue = queue(at: place.at, loop: place.loop)
    #expect(queue.next == place.next.map { items[$0] })
    #expect(queue.previous == place.previous.map { items[$0] })
    #expect(queue.following() == place.following.map { items[$0] })
  }

  @Test("The only item of a queue is its own neighbour if the playlist loops", arguments: Player.LoopMode.allCases)
  func one(loop: Player.LoopMode) {
    var queue = PlayQueue()
    queue.replace(with: [items[0]])
    queue.loop = loop
    #expect(queue.next == (loop == .playlist ? items[0] : nil))
    #expect(queue.previous == (loop == .playlist ? items[0] : nil))
    #expect(queue.following() == (loop == .none ? nil : items[0]))
  }

  @Test("An excluded neighbour is skipped, around the end of a looped playlist as well")
  func excluded() {
    #expect(queue(at: 0).neighbour(1, excluding: [items[1].id, items[2].id]) == items[3])
    #expect(queue(at: 2).neighbour(1, excluding: [items[3].id]) == nil)
    #expect(queue(at: 2, loop: .playlist).neighbour(1, excluding: [items[3].id]) == items[0])
    #expect(queue(at: 1, loop: .playlist).neighbour(-1, excluding: [items[0].id]) == items[3])
  }

  @Test("With every item excluded the neighbour is nil", arguments: Player.LoopMode.allCases)
  func allExcluded(loop: Player.LoopMode) {
    #expect(queue(at: 1, loop: loop).neighbour(1, excluding: Set(items.map(\.id))) == nil)
    #expect(queue(at: 1, loop: loop).neighbour(-1, excluding: Set(items.map(\.id))) == nil)
  }

  @Test(
    "The start index of a new queue is clamped",
    arguments: [(-5, 0), (0, 0), (2, 2), (3, 3), (4, 3), (Int.max, 3)])
  func start(requested: Int, got: Int) {
    #expect(queue(at: requested).currentIndex == got)
  }

  @Test("Replacing a queue by no items empties it, whatever the start index", arguments: [-1, 0, 7])
  func replacedByNothing(start: Int) {
    var queue = queue()
    queue.replace(with: [], startingAt: start)
    #expect(queue.isEmpty)
    #expect(queue.current == nil)
  }

  @Test("Items inserted after the current item follow it in the given order")
  func insertAfterCurrent() {
    var queue = queue(at: 1)
    let new = makeItems(2)
    queue.insert(new, after: items[1].id)
    #expect(queue.items == [items[0], items[1], new[0], new[1], items[2], items[3]])
    #expect(queue.current == items[1])
    #expect(queue.next == new[0])
  }

  @Test("Items inserted before the current item keep it current")
  func insertBeforeCurrent() {
    var queue = queue(at: 2)
    let new = makeItems(3)
    queue.insert(new, after: items[0].id)
    #expect(queue.items == [items[0]] + new + Array(items[1...]))
    #expect(queue.current == items[2])
    #expect(queue.currentIndex == 5)
    #expect(queue.previous == items[1])
  }

  @Test("Items inserted at the start precede all others and keep the current item")
  func insertAtStart() {
    var queue = queue(at: 1)
    let new = makeItems(2)
    queue.insertAtStart(new)
    #expect(queue.items == new + items)
    #expect(queue.current == items[1])
    #expect(queue.previous == items[0])
    var empty = PlayQueue()
    empty.insertAtStart(new)
    #expect(empty.current == new[0])
  }

  @Test("Items inserted without a position, or after an unknown item, are appended")
  func insertAtEnd() {
    for place in [nil, Player.Item(uri: "file:///elsewhere").id] {
      var queue = queue(at: 3)
      let new = makeItems(1)
      queue.insert(new, after: place)
      #expect(queue.items == items + new)
      #expect(queue.next == new[0])
      #expect(queue.current == items[3])
    }
  }

  @Test("The first item inserted into an empty queue becomes current")
  func insertIntoEmpty() {
    var queue = PlayQueue()
    queue.insert(items)
    #expect(queue.current == items[0])
    #expect(queue.currentIndex == 0)
    queue.insert([])
    #expect(queue.items == items)
  }

  @Test("Moving an item reorders the list and keeps the current item")
  func move() {
    for current in 0..<4 {
      for source in 0..<4 {
        for target in 0..<4 {
          var queue = queue(at: current)
          queue.move(items[source].id, to: target)
          var expected = items
          expected.remove(at: source)
          expected.insert(items[source], at: target)
          #expect(queue.items == expected)
          #expect(queue.current == items[current])
          #expect(queue.currentIndex == expected.firstIndex(of: items[current]))
        }
      }
    }
  }

  @Test(
    "Rearranging the queue keeps its current item, in list order and in a shuffled one",
    arguments: [nil, [3, 0, 2, 1]])
  func rearrange(order: [Int]?) {
    for isShuffled in [false, true] {
      var queue = queue(at: 2)
      queue.setShuffled(isShuffled)
      let other = Player.Item(uri: "file:///x")
      let list = [items[2], other, items[0], items[3]]
      queue.rearrange(with: list, playOrder: order)
      #expect(queue.items == list && queue.order == order)
      #expect((queue.current, queue.currentIndex) == (items[2], 0))
      #expect(queue.previous == (order == nil ? nil : items[3]))
      #expect(queue.next == (order == nil ? other : items[0]))
      #expect(list.indices.allSatisfy { queue.index(of: list[$0].id) == $0 } && !queue.contains(items[1].id))
    }
  }

  @Test("A move beyond the ends is clamped, and moving an unknown item changes nothing")
  func moveOutside() {
    var queue = queue()
    queue.move(items[0].id, to: 99)
    #expect(queue.items.last == items[0])
    queue.move(items[0].id, to: -1)
    #expect(queue.items == items)
    let revision = queue.revision
    queue.move(Player.Item(uri: "file:///x").id, to: 2)
    queue.move(items[1].id, to: 1)
    #expect(queue.revision == revision)
  }

  @Test(
    "If several items are removed, the next remaining item becomes current, else the last one before",
    arguments: [
      (Player.LoopMode.none, 1, [0, 3], 1), (.none, 1, [1, 2], 3), (.none, 2, [2, 3], 1), (.playlist, 2, [2, 3], 0),
      (.none, 0, [0, 1, 2, 3], nil),
    ] as [(Player.LoopMode, Int, [Int], Int?)])
  func removeSeveral(loop: Player.LoopMode, index: Int, removed: [Int], current: Int?) {
    var queue = queue(at: index, loop: loop)
    queue.remove(Set(removed.map { items[$0].id }))
    #expect(queue.items == items.indices.filter { !removed.contains($0) }.map { items[$0] })
    #expect(queue.current == current.map { items[$0] })
  }

  @Test("Removing another item keeps the current item", arguments: [0, 1, 3])
  func removeOther(index: Int) {
    var queue = queue(at: 2)
    let removed = queue.remove(items[index].id)
    #expect(removed)
    #expect(queue.current == items[2])
    #expect(queue.items == items.filter { $0 != items[index] })
    #expect(queue.currentIndex == (index < 2 ? 1 : 2))
  }

  @Test(
    "If the current item is removed, the next item becomes current, else the previous one",
    arguments: [(Player.LoopMode.none, 0, 1), (.none, 3, 2), (.track, 1, 2), (.track, 3, 2), (.playlist, 3, 0)])
  func removeCurrent(loop: Player.LoopMode, index: Int, successor: Int) {
    var queue = queue(at: index, loop: loop)
    let removed = queue.remove(items[index].id)
    #expect(removed)
    #expect(queue.current == items[successor])
  }

  @Test("Removing the only item empties the queue", arguments: Player.LoopMode.allCases)
  func removeOnly(loop: Player.LoopMode) {
    var queue = PlayQueue()
    queue.replace(with: [items[0]])
    queue.loop = loop
    let removed = queue.remove(items[0].id)
    #expect(removed)
    #expect(queue.isEmpty)
    #expect(queue.current == nil)
    queue.insert([items[1]])
    #expect(queue.current == items[1])
  }

  @Test("Removing or selecting an unknown item changes nothing and returns false")
  func unknown() {
    var queue = queue(at: 1)
    let other = Player.Item(uri: items[1].uri)
    let removed = queue.remove(other.id)
    queue.select(other.id)
    #expect(!removed)
    #expect(queue.items == items)
    #expect(queue.current == items[1])
  }

  @Test("Two items with the same URI are distinct and have their own neighbours")
  func sameURITwice() {
    let twins = [Player.Item(uri: "file:///a"), Player.Item(uri: "file:///a")]
    #expect(twins[0] != twins[1])
    #expect(twins[0].id != twins[1].id)
    var queue = PlayQueue()
    queue.replace(with: twins)
    #expect(queue.next == twins[1])
    queue.select(twins[1].id)
    #expect(queue.currentIndex == 1)
    #expect(queue.next == nil)
    #expect(queue.previous == twins[0])
    queue.remove(twins[0].id)
    #expect(queue.items == [twins[1]])
  }

  @Test("An item that is already in the queue is not inserted again")
  func twice() {
    let items = [Player.Item(uri: "file:///a"), Player.Item(uri: "file:///b")]
    var queue = PlayQueue()
    queue.replace(with: [items[0], items[1], items[0]])
    queue.insert([items[1]])
    var passed: [Player.Item] = []
    while passed.count < 9, let next = queue.next {
      queue.select(next.id)
      passed.append(next)
    }
    #expect(passed == [items[1]])
  }

  @Test("Items beyond the limit are dropped, and the present items stay")
  func limit() {
    let many = (0...PlayQueue.limit).map { _ in Player.Item(uri: "") }
    var queue = PlayQueue()
    queue.replace(with: many, startingAt: PlayQueue.limit)
    #expect(queue.items.count == PlayQueue.limit)
    #expect(queue.current == many[PlayQueue.limit - 1])
    queue.insert([many[PlayQueue.limit]])
    #expect(queue.items.count == PlayQueue.limit)
    queue.remove(many[0].id)
    queue.insert(items, after: many[1].id)
    #expect(queue.items.count == PlayQueue.limit)
    #expect(queue.items.prefix(3) == [many[1], items[0], many[2]])
    queue.remove(many[1].id)
    queue.insert([many[2], items[1]])
    #expect(queue.items.last == items[1])
  }
}
