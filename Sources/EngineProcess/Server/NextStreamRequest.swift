import Dispatch
import Playback
import Synchronization

/// A request for the next stream, for which a thread of the engine waits.
final class NextStreamRequest: Sendable {
  private enum State {
    case waiting
    case answered(NextStream?)
    case late(Handler)
  }

  private struct Handler { var run: @Sendable (NextStream?) -> Void }

  private let state = Mutex(State.waiting)
  private let signal = DispatchSemaphore(value: 0)

  /// Sets the answer.
  func answer(_ next: NextStream?) {
    let handler: Handler? = state.withLock { state in
      switch state {
      case .waiting:
        state = .answered(next)
        return nil
      case .answered: return nil
      case .late(let handler):
        state = .answered(nil)
        return handler
      }
    }
    if let handler { handler.run(next) } else { signal.signal() }
  }

  /// Returns the answer; nil if none has arrived in time.
  ///
  /// - Parameters:
  ///   - limit: The time limit.
  ///   - done: Called once: with nil when the answer has arrived in time, else with the late answer.
  /// - Returns: The answer.
  func wait(_ limit: Duration, _ done: @escaping @Sendable (_ late: NextStream?) -> Void) -> NextStream? {
    _ = signal.wait(timeout: .now() + .nanoseconds(Int(clamping: limit.wholeNanoseconds)))
    let (isAnswered, next): (Bool, NextStream?) = state.withLock { state in
      if case .answered(let next) = state { return (true, next) }
      state = .late(Handler(run: done))
      return (false, nil)
    }
    if isAnswered { done(nil) }
    return next
  }
}
