/// What waits for the position to come somewhere: intervals, times and fractions.
///
/// A value; knows neither clock nor callback.
struct TimeObservers: Sendable {
  struct ID: Hashable, Sendable { let number: UInt64 }

  enum Kind: Sendable, Equatable {
    /// Multiples of an interval of media time.
    case periodic(Duration)
    /// Times of whatever item is current, sorted, each once.
    case times([Duration])
    /// Fractions of whatever item's duration, sorted, each once.
    case fractions([Double])
    /// So much wall time before the end of whatever item, at the present rate.
    case remaining(Duration)
  }

  /// A boundary that was traversed.
  struct Crossing: Hashable, Sendable {
    var observer: ID
    var boundary: Duration
  }

  private(set) var kinds: [ID: Kind] = [:]

  var isEmpty: Bool { kinds.isEmpty }

  mutating func add(_ kind: Kind, as id: ID) { kinds[id] = kind }

  @discardableResult
  mutating func remove(_ id: ID) -> Bool { kinds.removeValue(forKey: id) != nil }

  /// The periodic observers, which also hear of starts, stops and jumps; the oldest first.
  var periodic: [ID] { inOrder { if case .periodic = $1 { true } else { false } } }

  /// Returns the periodic observers that were called for a multiple of their interval at a position of a stretch.
  func periodic(withMultiplesAt position: Duration, in stretch: Stretch) -> Set<ID> {
    Set(
      kinds.lazy.filter { id, kind in
        guard case .periodic(let interval) = kind, stretch.ticked?.covers(position, for: id) != true else {
          return false
        }
        return position.wholeNanoseconds % max(1, interval.wholeNanoseconds) == 0
      }.map(\.key))
  }

  private func inOrder(_ isIncluded: (ID, Kind) -> Bool) -> [ID] {
    kinds.filter(isIncluded).keys.sorted { $0.number < $1.number }
  }

  /// A call of periodic observers at a start, a stop or a jump.
  struct Ticked: Equatable, Sendable {
    var observers: Set<ID>
    var position: Duration

    /// Whether an observer needs no further call for a multiple at a position.
    func covers(_ multiple: Duration, for id: ID) -> Bool { multiple <= position && observers.contains(id) }
  }

  /// A stretch of an item that play goes through, forwards.
  struct Stretch: Equatable, Sendable {
    var start: Duration
    /// The start itself counts as traversed: play begins there.
    var includesStart: Bool
    /// The item's duration, for fractions.
    var duration: Duration?
    /// Which fractions are behind, when that is not to be told from the start: the duration was another.
    var progress: Progress?
    /// Media time a second, for what is wall time.
    var rate = 1.0
    /// What of the time that remains is still to be told.
    var countdown = Countdown.whole
    /// Where play went on from at its last jump.
    var origin = Duration.zero
    /// The call of periodic observers at the beginning.
    var ticked: Ticked?
  }

  /// How much of an item has been traversed: a position of a duration.
  struct Progress: Equatable, Sendable {
    var position: Duration
    var duration: Duration
    /// The position itself is still to be told.
    var isIncluded = false

    func hasBehind(_ fraction: Double) -> Bool {
      let boundary = TimeObservers.boundary(fraction, of: duration)
      return boundary < position || boundary == position && !isIncluded
    }

    static func < (left: Self, right: Self) -> Bool {
      guard left.duration != right.duration else { return left.position < right.position }
      return left.position.inSeconds * right.duration.inSeconds < right.position.inSeconds * left.duration.inSeconds
    }
  }

  static func boundary(_ fraction: Double, of duration: Duration) -> Duration {
    fraction >= 1 ? duration : .nanoseconds(Int64(Double(duration.wholeNanoseconds) * fraction))
  }

  /// The boundaries within a stretch that ends at, and with, `end`; in order of time.
  func crossings(in stretch: Stretch, upTo end: Duration) -> [Crossing] {
    var crossings: [Crossing] = []
    for (id, kind) in kinds {
      forEachBoundary(of: kind, in: stretch) { boundary in
        guard boundary <= end else { return false }
        crossings.append(Crossing(observer: id, boundary: boundary))
        return true
      }
    }
    return crossings.sorted { ($0.boundary, $0.observer.number) < ($1.boundary, $1.observer.number) }
  }

  /// The periodic observers with a multiple of their interval within a stretch; each once, however many it passes.
  func ticks(in stretch: Stretch, upTo end: Duration) -> [ID] {
    inOrder { id, kind in
      if case .periodic(let interval) = kind {
        Self.multiple(of: interval, after: stretch, for: id) <= end
      } else {
        false
      }
    }
  }

  /// Where the next observer is due in a stretch without an end.
  func nextDue(in stretch: Stretch) -> Duration? {
    var next: Duration?
    for (id, kind) in kinds {
      if case .periodic(let interval) = kind {
        let due = Self.multiple(of: interval, after: stretch, for: id)
        next = next.map { min($0, due) } ?? due
      } else {
        forEachBoundary(of: kind, in: stretch) { boundary in
          next = next.map { min($0, boundary) } ?? boundary
          return false
        }
      }
    }
    return next
  }

  private static func multiple(of interval: Duration, after stretch: Stretch, for id: ID) -> Duration {
    let step = max(1, interval.wholeNanoseconds)
    var (first, isIncluded) = (stretch.start, stretch.includesStart)
    if let ticked = stretch.ticked, ticked.covers(first, for: id) { (first, isIncluded) = (ticked.position, false) }
    let start = max(0, first.wholeNanoseconds)
    if isIncluded, start % step == 0 { return .nanoseconds(start) }
    let (next, overflow) = (start / step + 1).multipliedReportingOverflow(by: step)
    return overflow ? .nanoseconds(Int64.max) : .nanoseconds(next)
  }

  /// Calls `body` with the boundaries that are not behind, in order and each once, until it returns false.
  private func forEachBoundary(of kind: Kind, in stretch: Stretch, _ body: (Duration) -> Bool) {
    switch kind {
    case .periodic: break
    case .times(let times):
      let isBehind = { (time: Duration) in time < stretch.start || time == stretch.start && !stretch.includesStart }
      for time in times[times.firstIndex(after: isBehind)...] where !body(time) { return }
    case .remaining(let remaining):
      if let boundary = Self.boundary(remaining: remaining, in: stretch) { _ = body(boundary) }
    case .fractions(let fractions):
      guard let duration = stretch.duration else { return }
      let progress =
        stretch.progress ?? Progress(position: stretch.start, duration: duration, isIncluded: stretch.includesStart)
      var last: Duration?
      for fraction in fractions[fractions.firstIndex(after: progress.hasBehind)...] {
        let boundary = Self.boundary(fraction, of: duration)
        if boundary == last { continue }
        guard body(boundary) else { return }
        last = boundary
      }
    }
  }
}

extension Array {
  /// The first index whose element, and all after it, are not behind; by halving.
  fileprivate func firstIndex(after isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
