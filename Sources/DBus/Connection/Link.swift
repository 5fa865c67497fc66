import CDBus
import EventLoop

/// The one owner of a `DBusConnection`; lives on the loop's thread.
///
/// Messages are popped, never dispatched: handlers, replies and the disconnection are all ours.
/// <https://dbus.freedesktop.org/doc/api/html/group__DBusConnection.html>
@safe
final class Link {
  /// Bytes waiting to be written beyond which no more calls are taken and nothing is sent unasked.
  static let mostUnsent = 16 << 20
  /// Bytes received and not yet handled beyond which libdbus stops reading.
  static let mostUnhandled = 16 << 20

  private let pointer: OpaquePointer

  /// Connects; authentication and everything after it happen in the watches.
  init(address: String) throws(DBusError) {
    var pointer: OpaquePointer?
    let error = libdbusError { error in
      unsafe pointer = dbus_connection_open_private(address, error)
      return unsafe pointer != nil
    }
    if let error { throw error }
    guard let pointer = unsafe pointer else { throw .noMemory }
    unsafe self.pointer = pointer
    unsafe dbus_connection_set_exit_on_disconnect(pointer, 0)
    unsafe dbus_connection_set_max_received_size(pointer, Self.mostUnhandled)
  }

  deinit {
    unsafe dbus_connection_close(pointer)
    unsafe dbus_connection_unref(pointer)
  }

  var isCongested: Bool { unsafe dbus_connection_get_outgoing_size(pointer) > Self.mostUnsent }

  /// Whether messages wait that poll(2) cannot see, because they have been read already.
  var hasMessages: Bool { unsafe dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS }

  func pop() -> Message? { unsafe Message(taking: dbus_connection_pop_message(pointer)) }

  /// Queues a message, and writes it at once where the socket takes it; returns its serial number.
  @discardableResult
  func send(_ message: borrowing Message) -> UInt32 {
    var serial: dbus_uint32_t = 0
    unsafe dbus_connection_send(pointer, message.pointer, &serial)
    return serial
  }

  /// Lets `connection` hear of descriptors to watch until the link goes; it must live that long.
  func watch(for connection: Connection) throws(DBusError) {
    let data = unsafe Unmanaged.passUnretained(connection).toOpaque()
    let isSet = unsafe dbus_connection_set_watch_functions(
      pointer, addWatch, removeWatch, toggleWatch, data, nil)
    guard isSet != 0 else { throw .noMemory }
  }

  func unwatch() { unsafe _ = dbus_connection_set_watch_functions(pointer, nil, nil, nil, nil, nil) }
}

// The callbacks of libdbus; it calls them on the loop's thread, within calls that the connection makes.

private func addWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> dbus_bool_t {
  guard let watch = unsafe watch, let data = unsafe data else { return 0 }
  let connection = unsafe Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue()
  let source = unsafe connection.loop.watch(dbus_watch_get_unix_fd(watch), for: interest(of: watch)) {
    [address = UInt(bitPattern: watch), connection] readiness in
    connection.assumeIsolated { $0.handle(readiness, ofWatchAt: address) }
  }
  unsafe dbus_watch_set_data(watch, UnsafeMutableRawPointer(bitPattern: source), nil)
  return 1
}

private func removeWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  guard let watch = unsafe watch, let data = unsafe data else { return }
  let connection = unsafe Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue()
  unsafe connection.loop.remove(source(of: watch))
}

private func toggleWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  guard let watch = unsafe watch, let data = unsafe data else { return }
  let connection = unsafe Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue()
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

/// A watch that is ready; the loop has removed its source when libdbus has freed the watch.
@safe
struct Watch {
  private let pointer: OpaquePointer

  init?(address: UInt) {
    guard let pointer = unsafe OpaquePointer(bitPattern: address) else { return nil }
    unsafe self.pointer = pointer
  }

  func handle(_ readiness: Readiness) {
    var flags: UInt32 = 0
    if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if readiness.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
    if readiness.contains(.hangup) { flags |= DBUS_WATCH_HANGUP.rawValue }
    unsafe _ = dbus_watch_handle(pointer, flags)
  }
}
