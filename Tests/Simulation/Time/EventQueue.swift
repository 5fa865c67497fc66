/// The events of a run in the order of their instants; events of one instant stay in the order in which they were added.
///
/// A binary heap.
struct EventQueue<Event> {
  private struct Entry {
    var instant: Int64
    var number: UInt64
    var event: Event

    static func < (left: Entry, right: Entry) -> Bool { (left.instant, left.number) < (right.instant, right.number) }
  }

  private var heap: [Entry] = []
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }

  /// The instant of the first event, in nanoseconds.
  var first: Int64? { heap.first?.instant }

  mutating func add(_ event: Event, at instant: Int64) {
    lastNumber += 1
    heap.append(Entry(instant: instant, number: lastNumber, event: event))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> (instant: Int64, event: Event)? {
    guard let top = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return (top.instant, top.event) }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != parent else { return (top.instant, top.event) }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  mutating func removeAll(where isRemoved: (Event) -> Bool) {
    let kept = heap.filter { !isRemoved($0.event) }.sorted { $0 < $1 }
    heap = kept
  }
}
