import Synchronization

/// Whether requests are still being opened: the end of a queue that is still being filled is no end.
final class OpenProgress: Sendable {
  private struct State {
    var pending = 0
    var hasRunDry = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// A request was accepted; to be followed by one `finish()`.
  func begin() { state.withLock { $0.pending += 1 } }

  func finish() {
    let isIdle = state.withLock { state in
      state.pending -= 1
      if state.pending == 0 { state.hasRunDry = false }
      return state.pending == 0
    }
    if isIdle { releaseWaiters() }
  }

  /// The queue has ended; returns when nothing is being opened any more, or the task is cancelled.
  func ranDry() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.pending > 0, !Task.isCancelled else { return true }
          state.hasRunDry = true
          state.waiters.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      releaseWaiters()
    }
  }

  private func releaseWaiters() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Whether the queue has ended since the last look, while it was being filled.
  func takeRunDry() -> Bool {
    state.withLock { state in
      defer { state.hasRunDry = false }
      return state.hasRunDry
    }
  }
}
