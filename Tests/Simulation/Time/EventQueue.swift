/// The events of a run in the order of their instants; events of one instant stay in the order in which they were added.
///
/// A binary heap of indices into a table of events, because moving an index is cheaper than moving an event.
struct EventQueue<Event> {
  private struct Entry {
    var instant: Int64
    var number: UInt64
    var place: Int

    static func < (left: Entry, right: Entry) -> Bool {
      left.instant == right.instant ? left.number < right.number : left.instant < right.instant
    }
  }

  private var heap: [Entry] = []
  private var events: [Event?] = []
  private var freePlaces: [Int] = []
  private var lastNumber: UInt64 = 0

  /// The instant of the first event, in nanoseconds.
  var first: Int64? { heap.first?.instant }

  mutating func add(_ event: Event, at instant: Int64) {
    lastNumber += 1
    let place = freePlaces.popLast() ?? events.count
    if place == events.count { events.append(event) } else { events[place] = event }
    heap.append(Entry(instant: instant, number: lastNumber, place: place))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Event? {
    guard let top = heap.first, let last = heap.popLast(), let event = events[top.place].take() else { return nil }
    freePlaces.append(top.place)
    guard !heap.isEmpty else { return event }
    heap[0] = last
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return event }
      let right = left + 1
      let child = right < heap.count && heap[right] < heap[left] ? right : left
      guard heap[child] < heap[parent] else { return event }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
