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

  /// The shown notification: the server that shows it, and its ID there.
  private struct Shown {
    var owner: BusName
    var id: UInt32
  }

  private struct State {
    var shown: Shown?
    /// Whether the reply with the ID of a new notification is awaited, and the signals that have arrived since.
    var isShowing = false
    var early: [DBusSignalMessage] = []
    var isClosed = false

    /// Follows a signal; returns the action if it is one of the shown notification.
    mutating func action(of signal: DBusSignalMessage) -> Notification.Action? {
      guard let shown, shown.owner == signal.sender, .uint32(shown.id) == signal.arguments.first else { return nil }
      if signal.member == "NotificationClosed" { self.shown = nil }
      guard signal.member == "ActionInvoked" else { return nil }
      return signal.arguments.last?.asString.flatMap(Notification.Action.init)
    }
  }

  private let connection: DBusConnection
  private let interface: InterfaceName
  private let signals: AsyncStream<DBusSignalMessage>
  private let perform: @Sendable (Notification.Action) -> Void
  private let state = Mutex(State())

  private init(
    _ connection: DBusConnection, _ interface: InterfaceName, _ signals: AsyncStream<DBusSignalMessage>,
    _ perform: @escaping @Sendable (Notification.Action) -> Void
  ) { (self.connection, self.interface, self.signals, self.perform) = (connection, interface, signals, perform) }

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
    return NotificationServer(connection, interface, signals, perform)
  }

  /// Whether the connection is lost.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Shows a notification, which replaces the previous one.
  ///
  /// - Throws: An error without a server, and if it does not answer.
  func show(_ notification: Notification) async throws(DBusError) {
    // The call to the name starts a server. An ID is valid only for the server that has shown the notification: after a restart,
    // another program may have the same one.
    let capabilities = try await call("GetCapabilities", [], on: Self.name).first?.asStrings ?? []
    guard let owner = await connection.owner(of: Self.name) else { throw .noReply("the server has exited") }
    let old = state.withLock { state in
      state.isShowing = true
      return state.shown?.owner == owner ? state.shown : nil
    }
    let arguments = notification.arguments(replacing: old?.id ?? 0, capabilities)
    do {
      let reply = try await call("Notify", arguments, on: owner)
      let new = if case .uint32(let id)? = reply.first { Shown(owner: owner, id: id) } else { old }
      await note(new)
    } catch {
      await note(old)
      throw error
    }
  }

  /// Closes the shown notification, without waiting for the server.
  func withdraw() async {
    guard let shown = state.withLock({ $0.shown.take() }) else { return }
    // Fails only without the bus, and then the server has lost its clients.
    try? await connection.send(
      on: shown.owner, at: Self.path, of: interface, "CloseNotification", [.uint32(shown.id)])
  }

  /// Follows the signals of the server until the connection is lost or the task is cancelled.
  func run() async {
    for await signal in signals {
      let action = state.withLock { state in
        guard state.isShowing else { return state.action(of: signal) }
        if state.early.count < Self.limit { state.early.append(signal) }
        return nil
      }
      if let action { await handle(action) }
    }
    state.withLock { $0.isClosed = true }
  }

  /// Closes the shown notification and the connection.
  func close() async {
    await withdraw()
    await connection.close()
  }

  /// Records the shown notification, and handles the signals that have arrived before its ID was known.
  private func note(_ shown: Shown?) async {
    let actions = state.withLock { state in
      (state.shown, state.isShowing) = (shown, false)
      defer { state.early = [] }
      return state.early.compactMap { state.action(of: $0) }
    }
    for action in actions { await handle(action) }
  }

  /// Closes the notification whose button was pressed, and performs its action.
  ///
  /// GNOME and swaync close it themselves, dunst and mako do not. What replaces it in swaync is closed with it.
  private func handle(_ action: Notification.Action) async {
    await withdraw()
    perform(action)
  }

  private func call(
    _ member: MemberName, _ arguments: [DBusValue], on server: BusName
  ) async throws(DBusError) -> [DBusValue] {
    try await connection.call(on: server, at: Self.path, of: interface, member, arguments)
  }
}
