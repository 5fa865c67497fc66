import Glibc

/// The events of a descriptor in poll(2), as a state or as the interest of a source.
package struct Readiness: OptionSet {
  package let rawValue: Int16

  package init(rawValue: Int16) { self.rawValue = rawValue }

  package static let readable = Readiness(rawValue: Int16(POLLIN))
  package static let writable = Readiness(rawValue: Int16(POLLOUT))
  /// Either of two bits: test for it with `isDisjoint(with:)`.
  package static let error = Readiness(rawValue: Int16(POLLERR | POLLNVAL))
  package static let hangup = Readiness(rawValue: Int16(POLLHUP))
  /// The loop ends; the source has already been removed.
  ///
  /// No event of poll(2) has this bit.
  package static let stopped = Readiness(rawValue: 1 << 14)
}

/// The descriptors and timers of a loop, as a pure value; it never blocks.
package struct EventSources {
  package typealias ID = Int

  /// A descriptor and its interest; the same descriptor may occur twice.
  struct Source {
    let id: ID
    let descriptor: CInt
    var interest: Readiness
    let handler: @Sendable (Readiness) -> Void
  }

  private struct Timer {
    let id: ID
    let deadline: SuspendingClock.Instant
    let action: @Sendable () -> Void
    /// Called instead if the loop stops before the deadline.
    let stopped: (@Sendable () -> Void)?
  }

  private(set) var sources: [Source] = []
  /// A counter that increases with every change of the sources.
  private(set) var generation = 0
  /// The timers in the order of their deadlines.
  private var timers: [Timer] = []
  private var lastID: ID = 0
  /// Whether the loop has stopped: no timer is stored any more, so none fires.
  private(set) var isStopped = false

  mutating func insert(
    _ descriptor: CInt, _ interest: Readiness, _ handler: @escaping @Sendable (Readiness) -> Void
  ) -> ID {
    sources.append(Source(id: nextID(), descriptor: descriptor, interest: interest, handler: handler))
    generation += 1
    return lastID
  }

  mutating func setInterest(_ interest: Readiness, of id: ID) {
    guard let index = sources.firstIndex(where: { $0.id == id }), sources[index].interest != interest else { return }
    sources[index].interest = interest
    generation += 1
  }

  mutating func remove(_ id: ID) {
    sources.removeAll { $0.id == id }
    generation += 1
  }

  /// Removes all sources and timers; returns the calls to those that must be notified.
  mutating func stop() -> [@Sendable () -> Void] {
    defer {
      sources = []
      timers = []
      generation += 1
      isStopped = true
    }
    return sources.map { source in { @Sendable in source.handler(.stopped) } } + timers.compactMap(\.stopped)
  }

  /// Returns the handler of a source; nil if the source was removed after it became ready.
  func handler(of id: ID) -> (@Sendable (Readiness) -> Void)? { sources.first { $0.id == id }?.handler }

  mutating func insertTimer(
    at deadline: SuspendingClock.Instant, stopped: (@Sendable () -> Void)? = nil,
    _ action: @escaping @Sendable () -> Void
  ) -> ID {
    guard !isStopped else { return nextID() }
    let index = timers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
    timers.insert(Timer(id: nextID(), deadline: deadline, action: action, stopped: stopped), at: index)
    return lastID
  }

  mutating func removeTimer(_ id: ID) { timers.removeAll { $0.id == id } }

  /// The deadline of the next timer; nil if no timer is set, so that the loop waits without a limit.
  var nextDeadline: SuspendingClock.Instant? { timers.first?.deadline }

  mutating func takeTimer(dueAt now: SuspendingClock.Instant) -> (@Sendable () -> Void)? {
    guard let first = timers.first, first.deadline <= now else { return nil }
    return timers.removeFirst().action
  }

  private mutating func nextID() -> ID {
    lastID += 1
    return lastID
  }
}
