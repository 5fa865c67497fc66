/// The calls that wait for a reply, by serial number.
///
/// A call is registered when it is sent; its task waits after that. The task may be suspended in between: that happens
/// in release builds, and with an executor preference. The reply, the time-out or the cancellation may then arrive
/// first.
struct PendingCalls {
  /// The limit of outstanding calls.
  static let most = 1024

  /// The end of a call.
  struct Outcome {
    let result: Result<[DBusValue], DBusError>
    /// The number of the reply among the messages that the connection has received; 0 without a reply.
    let arrival: UInt64
  }

  private struct Pending {
    let cancelTimer: () -> Void
    var continuation: CheckedContinuation<Outcome, Never>?
    var outcome: Outcome?
  }

  private var pending: [UInt32: Pending] = [:]

  var isFull: Bool { pending.count >= Self.most }

  /// Registers a call that has been sent.
  mutating func expect(_ serial: UInt32, cancelTimer: @escaping () -> Void) {
    pending[serial] = Pending(cancelTimer: cancelTimer)
  }

  /// Resumes the continuation with the outcome of a call, now or when the call ends.
  mutating func wait(for serial: UInt32, _ continuation: CheckedContinuation<Outcome, Never>) {
    pending[serial]?.continuation = continuation
    resume(serial)
  }

  /// Ends a call; a reply without a registered call is dropped without being parsed.
  mutating func finish(_ serial: UInt32, _ arrival: UInt64 = 0, _ values: () throws(DBusError) -> [DBusValue]) {
    guard let call = pending[serial], call.outcome == nil else { return }
    call.cancelTimer()
    pending[serial]?.outcome = Outcome(result: Result(catching: values), arrival: arrival)
    resume(serial)
  }

  /// Resumes the task of a call that has ended, if it waits.
  private mutating func resume(_ serial: UInt32) {
    guard let outcome = pending[serial]?.outcome, let continuation = pending[serial]?.continuation else { return }
    pending[serial] = nil
    continuation.resume(returning: outcome)
  }

  mutating func failAll(_ error: DBusError) {
    for serial in pending.keys.sorted() { finish(serial) { () throws(DBusError) in throw error } }
  }
}
