import Synchronization

/// The time as an event loop keeps it: who sleeps on it takes one of the loop's timers, and no thread anywhere.
///
/// Time that the machine is suspended does not count.
public struct LoopClock: Clock {
  /// A point in time, as the suspending clock has it.
  public typealias Instant = SuspendingClock.Instant

  private let loop: EventLoop

  /// The clock of a loop.
  public init(_ loop: EventLoop) { self.loop = loop }

  /// The present.
  public var now: Instant { .now }

  /// What the loop's wait is rounded up to.
  public var minimumResolution: Duration { .milliseconds(1) }

  /// Returns when the deadline has come.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before that.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let sleeper = Sleeper()
    let timer = loop.timer(after: now.duration(to: deadline)) { sleeper.wake() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { sleeper.begin($0) }
    } onCancel: {
      sleeper.wake()
    }
    loop.cancelTimer(timer)
    try Task.checkCancellation()
  }
}

/// One sleeping task; whoever comes first, timer or cancellation, wakes it.
private final class Sleeper: Sendable {
  private enum State {
    case new
    case asleep(CheckedContinuation<Void, Never>)
    case over
  }

  private let state = Mutex(State.new)

  func begin(_ continuation: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      if case .over = state { return true }
      state = .asleep(continuation)
      return false
    }
    if isOver { continuation.resume() }
  }

  func wake() {
    let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .over }
      return if case .asleep(let continuation) = state { continuation } else { nil }
    }
    continuation?.resume()
  }
}
