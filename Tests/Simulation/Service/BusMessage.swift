import CDBus
import DBus

/// A message of the simulated bus.
struct BusMessage {
  enum Kind {
    case call, reply, error, signal
  }

  var kind: Kind
  var serial: UInt32 = 0
  var replySerial: UInt32 = 0
  var sender = ""
  /// Empty for a broadcast.
  var destination = ""
  var path = ""
  var interface = ""
  var member = ""
  var error = ""
  var values: [DBusValue] = []
  var expectsReply = true
  /// The number of the bus that carries it.
  var bus = 0

  init(_ kind: Kind) { self.kind = kind }

  /// The approximate number of bytes.
  var size: Int { 128 + values.reduce(0) { $0 + $1.approximateSize } }

  /// The content of a PropertiesChanged: the values in their order, and the names without values.
  var changedProperties: (interface: String, values: [(String, DBusValue)], invalidated: [String])? {
    guard member == "PropertiesChanged", values.count == 3, let interface = values[0].asString else { return nil }
    return (interface, values[1].entries, values[2].asStrings ?? [])
  }
}

extension DBusValue {
  /// The entries of an `a{sv}` in their order.
  var entries: [(String, DBusValue)] {
    guard case .array(_, let elements) = self else { return [] }
    return elements.compactMap {
      if case .dictionaryEntry(.string(let key), .variant(let value)) = $0 { (key, value) } else { nil }
    }
  }

  fileprivate var approximateSize: Int {
    switch self {
    case .string(let text): text.utf8.count + 8
    case .objectPath(let path): path.rawValue.utf8.count + 8
    case .array(_, let elements): elements.reduce(8) { $0 + $1.approximateSize }
    case .structure(let fields): fields.reduce(8) { $0 + $1.approximateSize }
    case .dictionaryEntry(let key, let value): key.approximateSize + value.approximateSize
    case .variant(let value): value.approximateSize + 4
    default: 8
    }
  }
}

// MARK: - Messages of libdbus

extension BusMessage {
  /// Reads a message that the service sends.
  init?(_ message: borrowing Message) {
    let pointer = unsafe message.pointer
    switch unsafe dbus_message_get_type(pointer) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: kind = .call
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: kind = .reply
    case DBUS_MESSAGE_TYPE_ERROR: kind = .error
    default: kind = .signal
    }
    guard let values = try? message.values() else { return nil }
    self.values = values
    let text = { (pointer: UnsafePointer<CChar>?) in unsafe pointer.map { unsafe String(cString: $0) } ?? "" }
    unsafe replySerial = dbus_message_get_reply_serial(pointer)
    unsafe destination = text(dbus_message_get_destination(pointer))
    unsafe path = text(dbus_message_get_path(pointer))
    unsafe interface = text(dbus_message_get_interface(pointer))
    unsafe member = text(dbus_message_get_member(pointer))
    unsafe error = text(dbus_message_get_error_name(pointer))
    unsafe expectsReply = dbus_message_get_no_reply(pointer) == 0
  }

  /// Creates the message that the service receives; nil if libdbus does not accept it.
  ///
  /// The values come first, because libdbus writes the header again with each of them.
  func message() -> Message? {
    let type =
      switch kind {
      case .call: DBUS_MESSAGE_TYPE_METHOD_CALL
      case .reply: DBUS_MESSAGE_TYPE_METHOD_RETURN
      case .error: DBUS_MESSAGE_TYPE_ERROR
      case .signal: DBUS_MESSAGE_TYPE_SIGNAL
      }
    guard let message = unsafe try? Message(taking: dbus_message_new(type))?.with(values) else { return nil }
    let pointer = unsafe message.pointer
    if kind == .error { unsafe dbus_message_set_error_name(pointer, error) }
    if kind == .call || kind == .signal {
      guard unsafe dbus_message_set_path(pointer, path) != 0, unsafe dbus_message_set_member(pointer, member) != 0,
        unsafe dbus_message_set_interface(pointer, interface.isEmpty ? nil : interface) != 0
      else { return nil }
    }
    unsafe dbus_message_set_serial(pointer, serial)
    if replySerial != 0 { unsafe dbus_message_set_reply_serial(pointer, replySerial) }
    if !sender.isEmpty { unsafe dbus_message_set_sender(pointer, sender) }
    if !destination.isEmpty { unsafe dbus_message_set_destination(pointer, destination) }
    unsafe dbus_message_set_no_reply(pointer, expectsReply ? 0 : 1)
    return message
  }
}
