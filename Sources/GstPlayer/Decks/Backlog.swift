/// The frames that a deck has delivered and its driver has not used.
struct Backlog: Equatable, Sendable {
  /// Sorted; no range is empty, and no two are adjacent.
  private var ranges: [Range<Int64>] = []
  private(set) var frames: Int64 = 0

  /// Adds frames behind all others.
  mutating func add(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    frames += Int64(range.count)
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Removes the frames before a number.
  mutating func advance(to frame: Int64) {
    while let first = ranges.first, first.lowerBound < frame {
      frames -= min(frame, first.upperBound) - first.lowerBound
      guard first.upperBound > frame else {
        ranges.removeFirst()
        continue
      }
      ranges[0] = frame..<first.upperBound
    }
  }
}
