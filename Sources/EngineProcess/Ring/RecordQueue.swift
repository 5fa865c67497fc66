/// A queue whose elements have consecutive record numbers.
struct RecordQueue<Element> {
  /// The number of the first element, or of the next one if there is none.
  private(set) var first: UInt64
  /// Begins with elements that were removed.
  private var elements: [Element] = []
  private var removed = 0

  /// Creates an empty queue; its first element will have a number.
  init(from first: UInt64) { self.first = first }

  /// The number of elements.
  var count: Int { elements.count - removed }

  /// The element with a number; nil if it is not in the queue.
  subscript(number: UInt64) -> Element? { index(of: number).map { elements[$0] } }

  /// Adds an element behind the last one.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes the first element, if there is one.
  mutating func removeFirst() {
    guard count > 0 else { return }
    removed += 1
    first &+= 1
    // The rest is moved seldom: each element once, on average.
    guard removed >= 64, removed > count else { return }
    elements.removeFirst(removed)
    removed = 0
  }

  /// Replaces the element with a number, if it is in the queue.
  mutating func replace(_ number: UInt64, with element: Element) {
    if let index = index(of: number) { elements[index] = element }
  }

  private func index(of number: UInt64) -> Int? {
    guard number >= first, let offset = Int(exactly: number - first), offset < count else { return nil }
    return removed + offset
  }
}
