import Synchronization

/// The clock of an event loop: a task that sleeps on it uses a timer of the loop and blocks no thread.
///
/// Time during which the machine is suspended does not count.
public struct LoopClock: Clock {
  /// An instant of the suspending clock.
  public typealias Instant = SuspendingClock.Instant

  private let loop: PollLoop

  /// Creates the clock of a loop.
  public init(_ loop: PollLoop) { self.loop = loop }

  /// The current instant.
  public var now: Instant { loop.now }

  /// The unit to which the loop rounds up a wait.
  public var minimumResolution: Duration { .milliseconds(1) }

  /// Returns at the deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the deadline.
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

/// One sleeping task; the timer or the cancellation wakes it, whichever is first.
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
