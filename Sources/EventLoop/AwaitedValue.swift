import Synchronization

/// A value for which one task waits; it may be set before the task waits.
package final class AwaitedValue<Value: Sendable>: Sendable {
  private enum State {
    case new
    case awaited(CheckedContinuation<Value, Never>)
    case set(Value)
  }

  private let state = Mutex(State.new)

  package init() {}

  /// Sets the value and resumes the task; the first value counts.
  package func set(_ value: Value) {
    let previous = state.withLock { state in
      let previous = state
      if case .set = previous { return previous }
      state = .set(value)
      return previous
    }
    if case .awaited(let continuation) = previous { continuation.resume(returning: value) }
  }

  /// Waits for the value; `cancelled` sets it if the task is cancelled first.
  package func value(ifCancelled cancelled: @escaping @Sendable () -> Value) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          if case .set(let value) = state { return value }
          state = .awaited(continuation)
          return nil
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      set(cancelled())
    }
  }
}
