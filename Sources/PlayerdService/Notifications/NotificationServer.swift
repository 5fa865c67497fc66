import DBus
import EventLoop
import Synchronization

/// The notification server of the desktop, and the notification that is shown there.
///
/// <https://specifications.freedesktop.org/notification-spec/latest/protocol.html>
final class NotificationServer: Sendable {
  private static let name: BusName = "org.freedesktop.Notifications"
  private static let path: ObjectPath = "/org/freedesktop/Notifications"
  /// The limit of signals that are kept until the ID of the notification is known.
  private static let limit = 16

  private struct State {
    /// The ID of the shown notification; 0 for none.
    var shown: UInt32 = 0
    /// Whether the reply with the ID of a new notification is awaited, and the signals that have arrived since.
    var isShowing = false
    var early: [DBusSignalMessage] = []
    var isClosed = false

    /// Follows a signal; returns the action if it is one of the shown notification.
    mutating func action(of signal: DBusSignalMessage) -> Notification.Action? {
      guard case .uint32(let id)? = signal.arguments.first, id == shown else { return nil }
      if signal.member == "NotificationClosed" { shown = 0 }
      guard signal.member == "ActionInvoked" else { return nil }
      return signal.arguments.last?.asString.flatMap(Notification.Action.init)
    }
  }

  private let connection: DBusConnection
  private let signals: AsyncStream<DBusSignalMessage>
  private let perform: @Sendable (Notification.Action) -> Void
  private let state = Mutex(State())

  private init(
    _ connection: DBusConnection, _ signals: AsyncStream<DBusSignalMessage>,
    _ perform: @escaping @Sendable (Notification.Action) -> Void
  ) { (self.connection, self.signals, self.perform) = (connection, signals, perform) }

  /// Connects to the session bus; nil without one.
  ///
  /// `perform` is called for each button of the notification that the user presses.
  static func open(
    on loop: PollLoop, perform: @escaping @Sendable (Notification.Action) -> Void
  ) async -> NotificationServer? {
    guard let address = DBusConnection.sessionBusAddress(),
      let connection = try? await DBusConnection.open(address: address, on: loop)
    else { return nil }
    guard let interface = try? InterfaceName(name.rawValue),
      let signals = try? await connection.signals(from: name, path: path, interface: interface)
    else {
      await connection.close()
      return nil
    }
    return NotificationServer(connection, signals, perform)
  }

  /// Whether the connection is lost.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Shows a notification, which replaces the previous one.
  ///
  /// - Throws: An error without a server.
  func show(_ notification: Notification) async throws(DBusError) {
    let capabilities = try await call("GetCapabilities", []).first?.asStrings ?? []
    let old = state.withLock { state in
      state.isShowing = true
      return state.shown
    }
    var id = old
    defer { shown(id) }
    let reply = try await call("Notify", notification.arguments(replacing: old, capabilities))
    if case .uint32(let new)? = reply.first { id = new }
  }

  /// Follows the signals of the server until the connection is lost or the task is cancelled.
  func run() async {
    for await signal in signals {
      let action = state.withLock { state in
        guard state.isShowing else { return state.action(of: signal) }
        if state.early.count < Self.limit { state.early.append(signal) }
        return nil
      }
      if let action { perform(action) }
    }
    state.withLock { $0.isClosed = true }
  }

  func close() async { await connection.close() }

  /// Records the ID of the shown notification, and handles the signals that have arrived before it was known.
  private func shown(_ id: UInt32) {
    let actions = state.withLock { state in
      (state.shown, state.isShowing) = (id, false)
      defer { state.early = [] }
      return state.early.compactMap { state.action(of: $0) }
    }
    for action in actions { perform(action) }
  }

  private func call(_ member: MemberName, _ arguments: [DBusValue]) async throws(DBusError) -> [DBusValue] {
    try await connection.call(
      on: Self.name, at: Self.path, of: InterfaceName(Self.name.rawValue), member, arguments)
  }
}
