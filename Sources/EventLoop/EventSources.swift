/// What a descriptor is ready for, or what a source waits for.
package struct Readiness: OptionSet {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Readiness(rawValue: 1)
  package static let writable = Readiness(rawValue: 2)
  package static let error = Readiness(rawValue: 4)
  package static let hangup = Readiness(rawValue: 8)
  /// The loop ends; the source is removed already.
  package static let stopped = Readiness(rawValue: 16)
}

/// The descriptors and timers that a loop waits for: pure bookkeeping, nothing here waits.
package struct EventSources {
  package typealias ID = Int

  /// A descriptor and what it is watched for; the same descriptor may occur twice.
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
  }

  private(set) var sources: [Source] = []
  /// Grows with every change of what to wait for.
  private(set) var generation = 0
  /// In order of deadlines.
  private var timers: [Timer] = []
  private var lastID: ID = 0

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

  /// Forgets everything and returns the handlers, who are to hear of it.
  mutating func removeAll() -> [@Sendable (Readiness) -> Void] {
    defer {
      sources = []
      timers = []
      generation += 1
    }
    return sources.map(\.handler)
  }

  /// The handler of a source, unless it has been removed since it became ready.
  func handler(of id: ID) -> (@Sendable (Readiness) -> Void)? { sources.first { $0.id == id }?.handler }

  mutating func insertTimer(at deadline: SuspendingClock.Instant, _ action: @escaping @Sendable () -> Void) -> ID {
    let index = timers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
    timers.insert(Timer(id: nextID(), deadline: deadline, action: action), at: index)
    return lastID
  }

  mutating func removeTimer(_ id: ID) { timers.removeAll { $0.id == id } }

  /// Nil when no timer is set: then the loop waits for ever.
  var timeToNextTimer: Duration? { timers.first.map { max(.zero, SuspendingClock.now.duration(to: $0.deadline)) } }

  mutating func takeDueTimer() -> (@Sendable () -> Void)? {
    guard let first = timers.first, first.deadline <= .now else { return nil }
    return timers.removeFirst().action
  }

  private mutating func nextID() -> ID {
    lastID += 1
    return lastID
  }
}
