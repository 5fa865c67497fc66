/// The calls that wait for a reply, by serial number.
///
/// A call is entered when it is sent and waited for after that. The task may be suspended in between (it is in release
/// builds, and with an executor preference), and the reply, the time-out or the cancellation may be there first.
struct PendingCalls {
  /// The most calls that may wait at a time.
  static let most = 1024

  typealias Outcome = Result<[Value], DBusError>

  private struct Pending {
    let cancelTimer: () -> Void
    var continuation: CheckedContinuation<Outcome, Never>?
    var outcome: Outcome?
  }

  private var pending: [UInt32: Pending] = [:]

  var isFull: Bool { pending.count >= Self.most }

  /// Enters a call that has been sent.
  mutating func expect(_ serial: UInt32, cancelTimer: @escaping () -> Void) {
    pending[serial] = Pending(cancelTimer: cancelTimer)
  }

  /// Resumes the continuation with the outcome of a call, now or when it is known.
  mutating func wait(for serial: UInt32, _ continuation: CheckedContinuation<Outcome, Never>) {
    if let outcome = pending[serial]?.outcome {
      pending[serial] = nil
      continuation.resume(returning: outcome)
    } else {
      pending[serial]?.continuation = continuation
    }
  }

  /// Ends a call; a reply that nobody expects is dropped without being read.
  mutating func finish(_ serial: UInt32, _ outcome: () throws(DBusError) -> [Value]) {
    guard let call = pending[serial], call.outcome == nil else { return }
    call.cancelTimer()
    if let continuation = call.continuation {
      pending[serial] = nil
      continuation.resume(returning: Result(catching: outcome))
    } else {
      pending[serial]?.outcome = Result(catching: outcome)
    }
  }

  mutating func failAll(_ error: DBusError) {
    for serial in pending.keys { finish(serial) { () throws(DBusError) in throw error } }
  }
}
