/// Queries to the message bus without a subscription.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-messages>
extension DBusConnection {
  /// The loop of the connections that the program opens without passing a loop.
  private static let sharedLoop = PollLoop(name: "dbus")

  /// Connects to the session bus, on a thread that these connections share.
  ///
  /// - Throws: `Failed` without a session bus, and the errors of ``open(address:on:)``.
  public static func session() async throws(DBusError) -> DBusConnection {
    guard let address = sessionBusAddress() else { throw .failed("the environment has no address of the session bus") }
    return try await open(address: address, on: sharedLoop)
  }

  /// Connects to the system bus, on a thread that these connections share.
  ///
  /// - Throws: The errors of ``open(address:on:)``.
  public static func system() async throws(DBusError) -> DBusConnection {
    try await open(address: systemBusAddress(), on: sharedLoop)
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
