/// Queries to the message bus that need no subscription.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-messages>
extension DBusConnection {
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
