import EventLoop

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

    static func withoutReply(_ error: DBusError) -> Self { Self(result: .failure(error), arrival: 0) }
  }

  private var pending: [UInt32: AwaitedValue<Outcome>] = [:]

  var isFull: Bool { pending.count >= Self.most }

  /// Registers a call that has been sent.
  mutating func expect(_ serial: UInt32) -> AwaitedValue<Outcome> {
    let outcome = AwaitedValue<Outcome>()
    pending[serial] = outcome
    return outcome
  }

  /// Removes a call that has ended; one with a reply is removed already.
  mutating func remove(_ serial: UInt32) { pending[serial] = nil }

  /// Ends a call; a reply without a registered call is dropped without being parsed.
  mutating func finish(_ serial: UInt32, _ arrival: UInt64, _ values: () throws(DBusError) -> [DBusValue]) {
    pending.removeValue(forKey: serial)?.set(Outcome(result: Result(catching: values), arrival: arrival))
  }

  func failAll(_ error: DBusError) {
    for (_, call) in pending.sorted(by: { $0.key < $1.key }) { call.set(.withoutReply(error)) }
  }
}
