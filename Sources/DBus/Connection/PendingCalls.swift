import EventLoop

/// The end of a call.
struct CallOutcome {
  let result: Result<[DBusValue], DBusError>
  /// The number of the reply among the messages that the connection has received; 0 without a reply.
  let arrival: UInt64

  static func withoutReply(_ error: DBusError) -> Self { Self(result: .failure(error), arrival: 0) }
}

/// The calls of a connection that wait for a reply.
///
/// Invariant: each gets one outcome, the reply or the first other end.
struct PendingCalls {
  /// The limit of outstanding calls.
  private static let limit = 1024

  private var calls: [UInt32: AwaitedValue<CallOutcome>] = [:]

  /// Fails if no further call may be sent.
  func checkLimit() throws(DBusError) {
    guard calls.count < Self.limit else { throw .limitsExceeded("\(Self.limit) calls are outstanding") }
  }

  /// Adds the call that was sent with a serial number, which no other outstanding call has.
  mutating func add(_ serial: UInt32) -> AwaitedValue<CallOutcome> {
    let outcome = AwaitedValue<CallOutcome>()
    calls[serial] = outcome
    return outcome
  }

  /// Removes a call, whose reply is ignored from now on.
  mutating func remove(_ serial: UInt32) { calls[serial] = nil }

  /// Ends the call of a reply; a reply to no call is dropped without being parsed.
  mutating func take(_ reply: borrowing Message, arrival: UInt64) {
    calls.removeValue(forKey: reply.replySerial)?.set(CallOutcome(result: reply.result, arrival: arrival))
  }

  /// Ends all calls with an error, in the order in which they were sent; their callers remove them.
  func fail(_ error: DBusError) {
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) { call.set(.withoutReply(error)) }
  }
}
