/// The calls that wait for a reply, by serial number.
struct PendingCalls {
  /// The most calls that may wait at a time.
  static let most = 1024

  /// Names a call before its message has a serial number.
  struct Number: Hashable, Sendable { fileprivate let value: UInt64 }

  typealias Outcome = Result<[Value], DBusError>

  private struct Pending {
    let number: Number
    let continuation: CheckedContinuation<Outcome, Never>
    let cancelTimer: () -> Void
  }

  private var pending: [UInt32: Pending] = [:]
  private var lastNumber: UInt64 = 0

  var isFull: Bool { pending.count >= Self.most }

  mutating func nextNumber() -> Number {
    lastNumber += 1
    return Number(value: lastNumber)
  }

  mutating func insert(
    _ serial: UInt32, _ number: Number, _ continuation: CheckedContinuation<Outcome, Never>, cancelTimer: @escaping () -> Void
  ) {
    pending[serial] = Pending(number: number, continuation: continuation, cancelTimer: cancelTimer)
  }

  /// Ends a call; a reply that nobody waits for is dropped without being read.
  mutating func finish(_ serial: UInt32, _ outcome: () throws(DBusError) -> [Value]) {
    guard let call = pending.removeValue(forKey: serial) else { return }
    call.cancelTimer()
    call.continuation.resume(returning: Result(catching: outcome))
  }

  /// Ends a call whose time is over, or that nobody waits for any more.
  mutating func abandon(_ number: Number, _ error: DBusError) {
    guard let serial = pending.first(where: { $0.value.number == number })?.key else { return }
    finish(serial) { () throws(DBusError) in throw error }
  }

  mutating func failAll(_ error: DBusError) {
    for serial in pending.keys { finish(serial) { () throws(DBusError) in throw error } }
  }
}
