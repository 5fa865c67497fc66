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

  /// The periodic observers, which also hear of starts, stops and jumps.
  var periodic: [ID] { kinds.compactMap { if case .periodic = $1 { $0 } else { nil } } }

  /// A stretch of an item that play goes through, forwards.
  struct Stretch: Equatable, Sendable {
    var start: Duration
    /// The start itself counts as traversed: play begins there.
    var includesStart: Bool
    /// The item's duration, for fractions.
    var duration: Duration?
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
    kinds.compactMap { id, kind in
      guard case .periodic(let interval) = kind else { return nil }
      return Self.multiple(of: interval, after: stretch) <= end ? id : nil
    }
  }

  /// Where the next observer is due in a stretch without an end.
  func nextDue(in stretch: Stretch) -> Duration? {
    var next: Duration?
    for kind in kinds.values {
      if case .periodic(let interval) = kind {
        let due = Self.multiple(of: interval, after: stretch)
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

  private static func multiple(of interval: Duration, after stretch: Stretch) -> Duration {
    let step = max(1, interval.wholeNanoseconds)
    let start = max(0, stretch.start.wholeNanoseconds)
    if stretch.includesStart, start % step == 0 { return .nanoseconds(start) }
    let (next, overflow) = (start / step + 1).multipliedReportingOverflow(by: step)
    return overflow ? .nanoseconds(Int64.max) : .nanoseconds(next)
  }

  /// Calls `body` with the boundaries after the stretch's start, in order, until it returns false.
  private func forEachBoundary(of kind: Kind, in stretch: Stretch, _ body: (Duration) -> Bool) {
    func walk(_ count: Int, _ boundary: (Int) -> Duration) {
      // The first boundary that is not behind the start, by halving.
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        let isBehind = boundary(middle) < stretch.start || boundary(middle) == stretch.start && !stretch.includesStart
        if isBehind { low = middle + 1 } else { high = middle }
      }
      for index in low..<count where !body(boundary(index)) { return }
    }
    switch kind {
    case .periodic: break
    case .times(let times):
      walk(times.count) { times[$0] }
    case .fractions(let fractions):
      guard let duration = stretch.duration else { return }
      walk(fractions.count) {
        fractions[$0] >= 1 ? duration : .nanoseconds(Int64(Double(duration.wholeNanoseconds) * fractions[$0]))
      }
    }
  }
}
