import CDBus
import EventLoop

/// Owns a connection of libdbus exclusively, and lives on the loop's thread.
///
/// Messages are popped, never dispatched: this library handles calls, replies and the disconnection itself.
/// <https://dbus.freedesktop.org/doc/api/html/group__DBusConnection.html>
@safe
final class ConnectionHandle: MessageLink {
  /// The limit of unsent bytes; beyond it, no more calls are handled and no messages other than replies are sent.
  static let mostUnsent = 16 << 20
  /// The limit of received but unhandled bytes; beyond it, libdbus stops reading.
  static let mostUnhandled = 16 << 20

  private let pointer: OpaquePointer

  /// Connects to an address; authentication and everything after it happen in the watches.
  init(address: String) throws(DBusError) {
    guard !address.split(separator: ";").contains(where: { $0.hasPrefix("autolaunch:") }) else {
      throw .notSupported("launching a bus is not supported: \(quoted(address))")
    }
    unsafe pointer = try libdbus { error in unsafe dbus_connection_open_private(address, error) }
    unsafe dbus_connection_set_exit_on_disconnect(pointer, 0)
    unsafe dbus_connection_set_max_received_size(pointer, Self.mostUnhandled)
  }

  deinit {
    unsafe dbus_connection_close(pointer)
    unsafe dbus_connection_unref(pointer)
  }

  var isCongested: Bool { unsafe dbus_connection_get_outgoing_size(pointer) > Self.mostUnsent }

  /// Whether messages wait that poll(2) cannot report, because libdbus has already read them.
  var hasMessages: Bool { unsafe dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS }

  func pop() -> Message? { unsafe Message(taking: dbus_connection_pop_message(pointer)) }

  /// Queues a message, writes as much of it as the socket accepts, and returns its serial number.
  ///
  /// libdbus refuses a message with a descriptor over a transport that passes none, such as `tcp:`; the number is then 0.
  @discardableResult
  func send(_ message: borrowing Message) -> UInt32 {
    var serial: dbus_uint32_t = 0
    unsafe dbus_connection_send(pointer, message.pointer, &serial)
    return serial
  }

  /// Registers `connection` for the descriptors to watch; it must outlive this object.
  func watch(for connection: DBusConnection) throws(DBusError) {
    let data = unsafe Unmanaged.passUnretained(connection).toOpaque()
    let isSet = unsafe dbus_connection_set_watch_functions(
      pointer, addWatch, removeWatch, toggleWatch, data, nil)
    guard isSet != 0 else { throw .noMemory }
  }

  func unwatch() { unsafe _ = dbus_connection_set_watch_functions(pointer, nil, nil, nil, nil, nil) }
}

// The callbacks of libdbus. It calls them on the loop's thread, during calls that the connection makes.

private func addWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> dbus_bool_t {
  guard let watch = unsafe watch, let data = unsafe data else { return 0 }
  let connection = unsafe Unmanaged<DBusConnection>.fromOpaque(data).takeUnretainedValue()
  let source = unsafe connection.loop.watch(dbus_watch_get_unix_fd(watch), for: interest(of: watch)) {
    [address = UInt(bitPattern: watch), connection] readiness in
    connection.assumeIsolated { handle(readiness, ofWatchAt: address, for: $0) }
  }
  unsafe dbus_watch_set_data(watch, UnsafeMutableRawPointer(bitPattern: source), nil)
  return 1
}

private func removeWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  guard let watch = unsafe watch, let data = unsafe data else { return }
  let connection = unsafe Unmanaged<DBusConnection>.fromOpaque(data).takeUnretainedValue()
  unsafe connection.loop.remove(source(of: watch))
}

private func toggleWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  guard let watch = unsafe watch, let data = unsafe data else { return }
  let connection = unsafe Unmanaged<DBusConnection>.fromOpaque(data).takeUnretainedValue()
  unsafe connection.loop.setInterest(interest(of: watch), of: source(of: watch))
}

private func source(of watch: OpaquePointer) -> EventSources.ID {
  unsafe Int(bitPattern: dbus_watch_get_data(watch))
}

private func interest(of watch: OpaquePointer) -> Readiness {
  guard unsafe dbus_watch_get_enabled(watch) != 0 else { return [] }
  let flags = unsafe dbus_watch_get_flags(watch)
  var interest: Readiness = []
  if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
  if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
  return interest
}

/// Handles a watch that is ready.
///
/// The loop has already removed its source if libdbus has freed the watch.
private func handle(_ readiness: Readiness, ofWatchAt address: UInt, for connection: isolated DBusConnection) {
  if readiness.contains(.stopped) { return connection.close() }
  var flags: UInt32 = 0
  if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
  if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
  if !readiness.isDisjoint(with: .error) { flags |= DBUS_WATCH_ERROR.rawValue }
  if readiness.contains(.hangup) { flags |= DBUS_WATCH_HANGUP.rawValue }
  unsafe _ = dbus_watch_handle(OpaquePointer(bitPattern: address), flags)
  connection.drain()
}
