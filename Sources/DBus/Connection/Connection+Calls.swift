import CDBus
import EventLoop

extension Connection {
  /// Calls a method and waits for its reply.
  ///
  /// The time-out does not count the suspension of the machine.
  /// - Returns: The values of the reply.
  /// - Throws: The peer's error; `NoReply` when the time is over or the task is cancelled; `Disconnected`;
  ///   `LimitsExceeded` with 1024 calls outstanding; `InvalidArgs` for arguments that are not well-formed.
  public func call(
    on destination: BusName, at path: ObjectPath, of interface: InterfaceName, _ member: MemberName,
    _ arguments: [Value] = [], timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [Value] {
    guard !calls.isFull else { throw .limitsExceeded("\(PendingCalls.most) calls are outstanding") }
    // Sent and entered without an await in between: from then on no reply, time-out or cancellation can be missed.
    let serial = try transmit(.methodCall(to: destination, at: path, of: interface, member, arguments))
    let timer = loop.timer(after: timeout) {
      self.abandon(serial, .noReply("\(member) of \(destination): no reply within \(timeout)"))
    }
    calls.expect(serial) { [loop] in loop.cancelTimer(timer) }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { calls.wait(for: serial, $0) }
    } onCancel: {
      loop.submit { self.abandon(serial, .noReply("\(member) of \(destination): the call was cancelled")) }
    }
    return try outcome.get()
  }

  /// Calls a method without waiting: the peer is told not to reply.
  public func send(
    on destination: BusName, at path: ObjectPath, of interface: InterfaceName, _ member: MemberName,
    _ arguments: [Value] = []
  ) throws(DBusError) {
    try transmit(.methodCall(to: destination, at: path, of: interface, member, arguments).withoutReply())
  }

  /// Requests a well-known name, without queueing for it.
  ///
  /// - Returns: Whether this connection owns the name now, or did before; false when somebody else does.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-request-name>
  public func requestName(_ name: BusName) async throws(DBusError) -> Bool {
    let reply = try await bus("RequestName", [.string(name.rawValue), .uint32(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))])
    return reply == [.uint32(UInt32(DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER))]
      || reply == [.uint32(UInt32(DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER))]
  }

  /// Gives a well-known name back; a name that is not ours is left alone.
  public func releaseName(_ name: BusName) async throws(DBusError) {
    _ = try await bus("ReleaseName", [.string(name.rawValue)])
  }

  /// Calls a method of the message bus.
  func bus(_ member: MemberName, _ arguments: [Value]) async throws(DBusError) -> [Value] {
    try await call(on: .bus, at: .bus, of: .bus, member, arguments)
  }

  /// Ends a call that has got no reply yet; for the loop's thread.
  private nonisolated func abandon(_ serial: UInt32, _ error: DBusError) {
    assumeIsolated { $0.calls.finish(serial) { () throws(DBusError) in throw error } }
  }
}
