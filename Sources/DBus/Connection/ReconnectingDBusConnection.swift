public import EventLoop

/// A connection to a message bus that is opened again after the bus is lost.
///
/// The first attempt follows 500 ms after the loss; each failed attempt doubles the delay, up to 10 s. The delays are
/// timers of the event loop.
public struct ReconnectingDBusConnection: Sendable {
  static let firstBackOff = Duration.milliseconds(500)
  static let longestBackOff = Duration.seconds(10)

  /// The event loop of all connections.
  public let loop: PollLoop
  private let link: @Sendable () throws(DBusError) -> any MessageLink

  /// Creates a description of the connection; opens nothing.
  ///
  /// - Parameters:
  ///   - loop: The event loop of all connections.
  ///   - address: Returns the address of the bus, or nil without a bus; called for each attempt.
  public init(
    on loop: PollLoop, address: @escaping @Sendable () -> String? = { DBusConnection.sessionBusAddress() }
  ) {
    self.init(on: loop) { () throws(DBusError) in
      guard let address = address() else { throw .failed("the environment has no address of the bus") }
      return try ConnectionHandle(address: address)
    }
  }

  /// Creates a description of the connection over links that `link` creates, one for each attempt.
  package init(on loop: PollLoop, over link: @escaping @Sendable () throws(DBusError) -> any MessageLink) {
    self.loop = loop
    self.link = link
  }

  /// Opens a connection.
  ///
  /// - Throws: `Failed` without an address; the errors of ``DBusConnection/open(address:on:)``.
  public func open() async throws(DBusError) -> DBusConnection {
    try await DBusConnection.open(on: loop, over: link)
  }

  /// Serves on a connection, and after each loss of the bus on a new one.
  ///
  /// Returns when the task is cancelled, or when `serve` returns while its connection is open. The connection is then
  /// closed, and the bus releases its names.
  ///
  /// - Parameters:
  ///   - first: An open connection that is prepared already; nil if the bus was not available.
  ///   - prepare: Prepares a new connection, for example requests names; if it throws, the attempt has failed.
  ///   - lost: Called after each loss of the bus.
  ///   - serve: Serves on a connection. It must return when the connection closes or the task is cancelled.
  public func run(
    from first: DBusConnection?, prepare: (DBusConnection) async throws(DBusError) -> Void, lost: () -> Void = {},
    serve: (DBusConnection) async -> Void
  ) async {
    var connection = first
    var backOff = Self.firstBackOff
    while true {
      if let open = connection {
        await serve(open)
        let isLost = await open.isClosed
        await open.close()
        guard isLost, !Task.isCancelled else { return }
        lost()
        backOff = Self.firstBackOff
      }
      do {
        try await LoopClock(loop).sleep(for: backOff)
      } catch {
        return
      }
      backOff = min(backOff * 2, Self.longestBackOff)
      connection = try? await open()
      do throws(DBusError) {
        if let connection { try await prepare(connection) }
      } catch {
        await connection?.close()
        connection = nil
      }
    }
  }
}
