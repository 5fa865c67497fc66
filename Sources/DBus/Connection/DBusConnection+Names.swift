import CDBus

/// The names on the bus and their owners.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-messages>
extension DBusConnection {
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

  /// Returns the process ID of the connection that owns a name; nil if the bus does not know it.
  ///
  /// - Throws: `NameHasNoOwner`, and the errors of a call.
  public func processID(of name: BusName) async throws(DBusError) -> Int32? {
    let reply = try await bus("GetConnectionUnixProcessID", [.string(name.rawValue)])
    return reply.first?.asInt64.flatMap { Int32(exactly: $0) }
  }

  /// Returns all names that are owned now, including unique names.
  public func names() async throws(DBusError) -> [String] { try await bus("ListNames", []).first?.asStrings ?? [] }

  /// Returns the names that can be activated: the bus starts their owner on a call.
  public func activatableNames() async throws(DBusError) -> [String] {
    try await bus("ListActivatableNames", []).first?.asStrings ?? []
  }
}

/// The owners of names.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-name-owner-changed>
extension DBusConnection {
  /// Returns the unique name of the connection that owns a name; nil if the name is unowned or the bus is lost.
  ///
  /// This query never starts a service.
  public func owner(of name: BusName) async -> BusName? { try? await ownerReply(for: name).owner }

  /// Returns a stream of a name's owner: the owner now, and after each change; nil while the name is unowned.
  ///
  /// No change is missed or reported twice, except that a stream that is not read keeps the newest 64 owners. The stream
  /// finishes when the connection closes.
  /// - Throws: The errors of ``signals(matching:)``.
  public func owners(of name: BusName) async throws(DBusError) -> AsyncStream<BusName?> {
    let changes = try await signals(matching: .ownerChanges(of: name))
    let first = try await ownerReply(for: name)
    return stream(keeping: 64) { owners in
      var last = first.owner
      owners.yield(last)
      // The first owner already contains the changes that arrived before it.
      for await change in changes where change.arrival > first.arrival && change.newOwner != last {
        last = change.newOwner
        owners.yield(last)
      }
    }
  }

  /// Returns a stream of the changes of a name's owner; ``DBusSignalMessage/newOwner`` is the owner after each change.
  ///
  /// - Throws: The errors of ``signals(matching:)``.
  public func ownerChanges(of name: BusName) async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    try await signals(matching: .ownerChanges(of: name))
  }

  /// Returns a stream of the changes of the owners of all names that begin with a name and a dot, and of the name itself.
  ///
  /// The first argument of each signal is the name.
  ///
  /// - Throws: The errors of ``signals(matching:)``.
  public func ownerChanges(below name: BusName) async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    try await signals(
      matching: DBusMatchRule(
        sender: .bus, interface: .bus, member: DBusMatchRule.ownerChanged, firstArgumentNamespace: name))
  }

  /// Returns when a name is unowned, this connection closes, or the task is cancelled.
  ///
  /// It returns at once if the name is unowned. If the owner cannot be observed because of a limit, it does not return
  /// when the name is released.
  public func untilGone(_ name: BusName) async {
    while !Task.isCancelled {
      do {
        for await owner in try await owners(of: name) where owner == nil { return }
        return
      } catch DBusError.noReply("") {
        // The time-out has passed, but the bus may only be slow, and the owner is alive.
      } catch {
        return await closed()
      }
    }
  }

  /// Returns the owner of a name and the number of the reply among the received messages; nil if the name is unowned.
  package func ownerReply(for name: BusName) async throws(DBusError) -> (owner: BusName?, arrival: UInt64) {
    let outcome = try await outcome(on: .bus, at: .bus, of: .bus, "GetNameOwner", [.string(name.rawValue)])
    do {
      return (try outcome.result.get().first?.asString.map { BusName(unchecked: $0) }, outcome.arrival)
    } catch DBusError.nameHasNoOwner("") {
      return (nil, outcome.arrival)
    }
  }
}
