import Dispatch
import Synchronization

/// The client's decision about a request, for which a thread of the service waits.
final class ClientDecision: Sendable {
  private let value = Mutex<Bool?>(nil)
  private let signal = DispatchSemaphore(value: 0)

  /// Sets the decision, unless it is set.
  func settle(_ decision: Bool) {
    let isFirst = value.withLock { value in
      defer { value = value ?? decision }
      return value == nil
    }
    if isFirst { signal.signal() }
  }

  /// Waits for the decision; called once.
  func wait() -> Bool {
    signal.wait()
    return value.withLock { $0 } ?? false
  }
}
