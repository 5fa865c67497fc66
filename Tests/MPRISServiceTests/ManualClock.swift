import Synchronization
import TestSupport

/// A clock whose time changes only when a test advances it.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }
  private struct State {
    var now = Instant()
    var count = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
  }
  private let state = Mutex(State())

  /// An event of a sleeper: its requested duration, or its cancellation.
  enum Event: Hashable { case sleeps(Duration), cancelled }
  let events = EventLog<Event>()

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.contains(id) { return true }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        events.append(.sleeps(now.duration(to: deadline)))
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        return state.sleepers.removeValue(forKey: id)
      }
      guard let sleeper else { return }
      sleeper.continuation.resume(throwing: CancellationError())
      events.append(.cancelled)
    }
  }

  /// Advances the time and resumes the sleepers that are due.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Ends all sleeps with an error, as the clock of a loop does when the loop stops.
  func stop() {
    let sleepers = state.withLock { state in
      defer { state.sleepers = [:] }
      return state.sleepers.values.map(\.continuation)
    }
    for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
  }
}
