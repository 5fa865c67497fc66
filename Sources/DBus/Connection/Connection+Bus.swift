/// The questions to the message bus that need no subscription.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-messages>
extension Connection {
  /// Returns the process ID of the connection that owns a name; nil when the bus does not know it.
  ///
  /// - Throws: `NameHasNoOwner`, and the errors of a call.
  public func processID(of name: BusName) async throws(DBusError) -> Int32? {
    let reply = try await bus("GetConnectionUnixProcessID", [.string(name.rawValue)])
    return reply.first?.asInt64.flatMap { Int32(exactly: $0) }
  }

  /// Returns all names that are owned now, unique ones too.
  public func names() async throws(DBusError) -> [String] { try await bus("ListNames", []).first?.asStrings ?? [] }

  /// Returns the names whose owner the bus starts when they are called.
  public func activatableNames() async throws(DBusError) -> [String] {
    try await bus("ListActivatableNames", []).first?.asStrings ?? []
  }
}
