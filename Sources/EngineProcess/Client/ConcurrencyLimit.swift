import Synchronization

/// Limits the number of tasks that do something at the same time; further ones wait in their order.
final class ConcurrencyLimit: Sendable {
  private struct State {
    var free: Int
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var last = 0
    /// The numbers of waits that were cancelled before they began.
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  init(_ limit: Int) { state = Mutex(State(free: max(1, limit))) }

  /// Waits for a turn, which ``end()`` returns; false if the task is cancelled before.
  func begin() async -> Bool {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result: Bool? = state.withLock { state in
          if state.cancelled.contains(number) { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let waiter: CheckedContinuation<Bool, Never>? = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      waiter?.resume(returning: false)
    }
    _ = state.withLock { $0.cancelled.remove(number) }
    return hasTurn
  }

  func end() {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
