import CDBus
import EventLoop

/// The end of a call.
struct CallOutcome {
  let result: Result<[DBusValue], DBusError>
  /// The number of the reply among the messages that the connection has received; 0 without a reply.
  let arrival: UInt64

  static func withoutReply(_ error: DBusError) -> Self { Self(result: .failure(error), arrival: 0) }
}

extension DBusConnection {
  /// The limit of outstanding calls.
  static let mostCalls = 1024

  /// Calls a method and waits for its reply.
  ///
  /// The time-out does not count the time during which the machine is suspended.
  /// - Returns: The values of the reply.
  /// - Throws: The error reply of the peer; `NoReply` after the time-out or if the task is cancelled; `Disconnected`;
  ///   `LimitsExceeded` if 1024 calls are outstanding; `InvalidArgs` for arguments that are not well-formed;
  ///   `NotSupported` for a file descriptor over a connection that passes none, such as `tcp:`.
  public func call(
    on destination: BusName, at path: ObjectPath, of interface: InterfaceName, _ member: MemberName,
    _ arguments: [DBusValue] = [], timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    try await outcome(on: destination, at: path, of: interface, member, arguments, timeout: timeout).result.get()
  }

  /// Calls a method and waits for its end; throws if the call cannot be sent.
  func outcome(
    on destination: BusName, at path: ObjectPath, of interface: InterfaceName, _ member: MemberName,
    _ arguments: [DBusValue], timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> CallOutcome {
    guard calls.count < Self.mostCalls else { throw .limitsExceeded("\(Self.mostCalls) calls are outstanding") }
    // No `await` between sending and registering: a reply, time-out or cancellation after this cannot be missed. The
    // task may be suspended before it waits: that happens in release builds, and with an executor preference.
    let serial = try transmit(.methodCall(to: destination, at: path, of: interface, member, arguments))
    let outcome = AwaitedValue<CallOutcome>()
    calls[serial] = outcome
    defer { calls[serial] = nil }
    let timer = loop.timer(after: timeout) {
      outcome.set(.withoutReply(.noReply("\(member) of \(destination): no reply within \(timeout)")))
    }
    defer { loop.cancelTimer(timer) }
    return await outcome.value(ifCancelled: {
      .withoutReply(.noReply("\(member) of \(destination): the call was cancelled"))
    })
  }

  /// Calls a method without waiting; the message is flagged to expect no reply.
  public func send(
    on destination: BusName, at path: ObjectPath, of interface: InterfaceName, _ member: MemberName,
    _ arguments: [DBusValue] = []
  ) throws(DBusError) {
    try transmit(.methodCall(to: destination, at: path, of: interface, member, arguments).withoutReply())
  }

  /// Requests a well-known name, without queueing for it.
  ///
  /// - Returns: Whether this connection owns the name, now or already before; false if another connection owns it.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-request-name>
  public func requestName(_ name: BusName) async throws(DBusError) -> Bool {
    let reply = try await bus("RequestName", [.string(name.rawValue), .uint32(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))])
    return reply == [.uint32(UInt32(DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER))]
      || reply == [.uint32(UInt32(DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER))]
  }

  /// Releases a well-known name; a name that this connection does not own is ignored.
  public func releaseName(_ name: BusName) async throws(DBusError) {
    _ = try await bus("ReleaseName", [.string(name.rawValue)])
  }

  /// Calls a method of the message bus.
  func bus(_ member: MemberName, _ arguments: [DBusValue]) async throws(DBusError) -> [DBusValue] {
    try await call(on: .bus, at: .bus, of: .bus, member, arguments)
  }
}
