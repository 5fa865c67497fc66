/// The calls that wait for a reply, by serial number.
struct PendingCalls {
  /// The most calls that may wait at a time.
  static let most = 1024

  typealias Outcome = Result<[Value], DBusError>

  private struct Pending {
    let continuation: CheckedContinuation<Outcome, Never>
    let cancelTimer: () -> Void
  }

  private var pending: [UInt32: Pending] = [:]

  var isFull: Bool { pending.count >= Self.most }

  mutating func insert(
    _ serial: UInt32, _ continuation: CheckedContinuation<Outcome, Never>, cancelTimer: @escaping () -> Void
  ) {
    pending[serial] = Pending(continuation: continuation, cancelTimer: cancelTimer)
  }

  /// Ends a call; a reply that nobody waits for is dropped without being read.
  mutating func finish(_ serial: UInt32, _ outcome: () throws(DBusError) -> [Value]) {
    guard let call = pending.removeValue(forKey: serial) else { return }
    call.cancelTimer()
    call.continuation.resume(returning: Result(catching: outcome))
  }

  mutating func failAll(_ error: DBusError) {
    for serial in pending.keys { finish(serial) { () throws(DBusError) in throw error } }
  }
}
