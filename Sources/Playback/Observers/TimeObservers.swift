/// The observers that wait for positions: intervals, times, fractions and remaining times.
///
/// A pure value without a clock or callbacks.
struct TimeObservers: Sendable {
  enum Kind: Sendable, Equatable {
    /// Multiples of an interval of media time.
    case periodic(Duration)
    /// Times in any current item, sorted and unique.
    case times([Duration])
    /// Fractions of the duration of any current item, sorted and unique.
    case fractions([Double])
    /// The remaining wall time of any current item, at the current rate.
    case remaining(Duration)
  }

  /// A boundary that was crossed.
  struct Crossing: Hashable, Sendable {
    var observer: UInt64
    var boundary: Duration
  }

  /// The observers by their numbers, which grow in the order of registration.
  private var kinds: [UInt64: Kind] = [:]

  var isEmpty: Bool { kinds.isEmpty }

  mutating func add(_ kind: Kind, as number: UInt64) { kinds[number] = kind }

  mutating func remove(_ number: UInt64) { kinds[number] = nil }

  /// The periodic observers, which are also notified of starts, stops and jumps; the oldest first.
  var periodic: [UInt64] { inOrder { if case .periodic = $1 { true } else { false } } }

  private func inOrder(_ isIncluded: (UInt64, Kind) -> Bool) -> [UInt64] {
    kinds.compactMap { isIncluded($0.key, $0.value) ? $0.key : nil }.sorted()
  }

  /// A call of periodic observers at a start, a stop or a jump.
  struct Ticked: Equatable, Sendable {
    var observers: Set<UInt64>
    var position: Duration

    /// Whether an observer needs no further call for a multiple at a position.
    func covers(_ multiple: Duration, for id: UInt64) -> Bool { multiple <= position && observers.contains(id) }
  }

  /// A playback run: a part of an item that is played forwards without a jump.
  struct PlaybackRun: Equatable, Sendable {
    var start: Duration
    /// Whether the start itself counts as crossed, because playback begins there.
    var includesStart: Bool
    /// The item's duration, for fractions.
    var duration: Duration?
    /// The fractions already crossed, if the start does not show that because the duration has changed.
    var progress: Progress?
    /// The crossed part of the item; nil while its duration is unknown.
    ///
    /// The first known duration decides which fractions lie before the start.
    var reported: Progress? {
      progress ?? duration.map { Progress(position: start, duration: $0, isIncluded: includesStart) }
    }
    /// Media time per second of wall time, for boundaries in wall time.
    var rate = 1.0
    /// The remaining times that are still to be reported.
    var countdown = Countdown.whole
    /// The position from which playback continued after its last jump.
    var origin = Duration.zero
    /// The call of periodic observers at the beginning.
    var ticked: Ticked?
  }

  /// The crossed part of an item: a position and the duration to which it relates.
  struct Progress: Equatable, Sendable {
    var position: Duration
    var duration: Duration
    /// Whether the position itself is still to be reported.
    var isIncluded = false

    func hasBehind(_ fraction: Double) -> Bool {
      let boundary = TimeObservers.boundary(fraction, of: duration)
      return boundary < position || boundary == position && !isIncluded
    }

    static func < (left: Self, right: Self) -> Bool {
      guard left.duration != right.duration else { return left.position < right.position }
      return left.position.seconds * right.duration.seconds < right.position.seconds * left.duration.seconds
    }
  }

  static func boundary(_ fraction: Double, of duration: Duration) -> Duration {
    fraction >= 1 ? duration : .nanoseconds(Int64(Double(duration.wholeNanoseconds) * fraction))
  }

  /// Returns the boundaries within a playback run up to and including `end`, in order of time.
  func crossings(in playbackRun: PlaybackRun, upTo end: Duration) -> [Crossing] {
    var crossings: [Crossing] = []
    for (id, kind) in kinds {
      forEachBoundary(of: kind, in: playbackRun) { boundary in
        guard boundary <= end else { return false }
        crossings.append(Crossing(observer: id, boundary: boundary))
        return true
      }
    }
    return crossings.sorted { ($0.boundary, $0.observer) < ($1.boundary, $1.observer) }
  }

  /// Returns the periodic observers with a multiple of their interval within a playback run; each once, even for
  /// several multiples.
  func ticks(in playbackRun: PlaybackRun, upTo end: Duration) -> [UInt64] {
    inOrder { id, kind in
      guard case .periodic(let interval) = kind else { return false }
      return Self.multiple(of: interval, after: playbackRun, for: id) <= end
    }
  }

  /// Returns the position at which the next observer is due in a playback run without an end.
  func nextDue(in playbackRun: PlaybackRun) -> Duration? {
    var next: Duration?
    for (id, kind) in kinds {
      if case .periodic(let interval) = kind {
        next = next.lesser(Self.multiple(of: interval, after: playbackRun, for: id))
      } else {
        forEachBoundary(of: kind, in: playbackRun) { boundary in
          next = next.lesser(boundary)
          return false
        }
      }
    }
    return next
  }

  /// Returns the next boundary in a playback run without an end; intervals are not boundaries.
  func nextBoundary(in playbackRun: PlaybackRun) -> Duration? {
    var next: Duration?
    for kind in kinds.values {
      forEachBoundary(of: kind, in: playbackRun) { boundary in
        next = next.lesser(boundary)
        return false
      }
    }
    return next
  }

  private static func multiple(of interval: Duration, after playbackRun: PlaybackRun, for id: UInt64) -> Duration {
    let step = max(1, interval.wholeNanoseconds)
    var (first, isIncluded) = (playbackRun.start, playbackRun.includesStart)
    if let ticked = playbackRun.ticked, ticked.covers(first, for: id) { (first, isIncluded) = (ticked.position, false) }
    let start = max(0, first.wholeNanoseconds)
    if isIncluded, start % step == 0 { return .nanoseconds(start) }
    let (next, overflow) = (start / step + 1).multipliedReportingOverflow(by: step)
    return overflow ? .nanoseconds(Int64.max) : .nanoseconds(next)
  }

  /// Calls `body` with each boundary that is not yet crossed, in order and once, until it returns false.
  private func forEachBoundary(of kind: Kind, in playbackRun: PlaybackRun, _ body: (Duration) -> Bool) {
    switch kind {
    case .periodic: break
    case .times(let times):
      let isBehind = { (time: Duration) in
        time < playbackRun.start || time == playbackRun.start && !playbackRun.includesStart
      }
      for time in times[times.partitioningIndex { !isBehind($0) }...] where !body(time) { return }
    case .remaining(let remaining):
      if let boundary = Self.boundary(remaining: remaining, in: playbackRun) { _ = body(boundary) }
    case .fractions(let fractions):
      guard let duration = playbackRun.duration, let reported = playbackRun.reported else { return }
      var last: Duration?
      for fraction in fractions[fractions.partitioningIndex { !reported.hasBehind($0) }...] {
        let boundary = Self.boundary(fraction, of: duration)
        if boundary == last { continue }
        guard body(boundary) else { return }
        last = boundary
      }
    }
  }
}

extension TimeObservers {
  /// The remaining times that are still to be reported for an item: each once per playback of the item.
  enum Countdown: Equatable, Sendable {
    /// All remaining times.
    case whole
    /// The remaining times at or after a position to which playback has jumped back.
    case from(Duration)
    /// The remaining times that are less than this wall time.
    case below(Duration)

    /// Returns the state after a jump within the item: after a jump back, the times after the target are reported
    /// again.
    ///
    /// A change of rate is not a jump, although it begins another playback run.
    func jumped(from old: Duration, to new: Duration) -> Countdown {
      guard self != .whole, new < old else { return self }
      return new == .zero ? .whole : .from(new)
    }
  }

  /// Returns the position from which less than `remaining` of wall time is left; nil if that was reported or is
  /// unknown.
  static func boundary(remaining: Duration, in playbackRun: PlaybackRun) -> Duration? {
    guard let duration = playbackRun.duration else { return nil }
    let boundary = duration - (playbackRun.rate == 1 ? remaining : remaining * playbackRun.rate)
    switch playbackRun.countdown {
    case .whole: break
    case .from(let position): guard boundary >= position else { return nil }
    case .below(let least): guard remaining < least else { return nil }
    }
    // If the item or the rest of it is shorter, the time is reported as soon as playback begins.
    return max(playbackRun.origin, boundary)
  }

  /// Returns the state after playback up to `end`, during which these crossings were reported.
  func countdown(after playbackRun: PlaybackRun, upTo end: Duration, reported: [Crossing]) -> Countdown {
    guard let duration = playbackRun.duration else { return playbackRun.countdown }
    var least = max(.zero, duration - end) / playbackRun.rate
    if case .below(let before) = playbackRun.countdown { least = min(least, before) }
    for crossing in reported {
      if case .remaining(let remaining) = kinds[crossing.observer] { least = min(least, remaining) }
    }
    return .below(least)
  }
}
