import CDBus

/// The one owner of a `DBusMessage`.
///
/// Names in it are C strings that live as long as the message; libdbus has validated all of it.
/// <https://dbus.freedesktop.org/doc/api/html/group__DBusMessage.html>
@safe
struct Message: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over a reference; nil is libdbus' way to say that memory is short.
  init?(taking pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe dbus_message_unref(pointer) }
}

// MARK: - Reading the header

extension Message {
  var type: CInt { unsafe dbus_message_get_type(pointer) }
  var path: CString? { unsafe dbus_message_get_path(pointer) }
  var interface: CString? { unsafe dbus_message_get_interface(pointer) }
  var member: CString? { unsafe dbus_message_get_member(pointer) }
  var sender: CString? { unsafe dbus_message_get_sender(pointer) }
  var errorName: CString? { unsafe dbus_message_get_error_name(pointer) }
  var signature: Signature { unsafe Signature(unchecked: String(cString: dbus_message_get_signature(pointer))) }
  var serial: UInt32 { unsafe dbus_message_get_serial(pointer) }
  var replySerial: UInt32 { unsafe dbus_message_get_reply_serial(pointer) }
  var expectsReply: Bool { unsafe dbus_message_get_no_reply(pointer) == 0 }

  func hasSignature(_ signature: Signature) -> Bool {
    unsafe signature.rawValue.withCString { unsafe dbus_message_has_signature(pointer, $0) != 0 }
  }

  func values() throws(DBusError) -> [Value] {
    var reader = MessageReader(self)
    return try reader.values()
  }

  /// The error that an error message brings.
  var error: DBusError {
    let text = (try? values())?.first?.asString
    return unsafe DBusError(unchecked: errorName.map { unsafe String(cString: $0) } ?? DBUS_ERROR_FAILED, text ?? "")
  }
}

// MARK: - Making

extension Message {
  static func methodCall(
    to destination: BusName, at path: ObjectPath, of interface: InterfaceName?, _ member: MemberName,
    _ arguments: [Value]
  ) throws(DBusError) -> Message {
    let signature = try Value.check(arguments)
    return try unsafe made(
      dbus_message_new_method_call(destination.rawValue, path.rawValue, interface?.rawValue, member.rawValue),
      arguments, signature)
  }

  static func signal(
    at path: ObjectPath, of interface: InterfaceName, _ member: MemberName, _ arguments: [Value],
    as signature: Signature
  ) throws(DBusError) -> Message {
    let signature = try Value.check(arguments, as: signature)
    return try unsafe made(
      dbus_message_new_signal(path.rawValue, interface.rawValue, member.rawValue), arguments, signature)
  }

  /// The return of a call, its values checked against the types that are declared.
  func reply(_ values: [Value] = [], as signature: Signature = Signature(of: [])) throws(DBusError) -> Message {
    let signature = try Value.check(values, as: signature)
    return try unsafe Self.made(dbus_message_new_method_return(pointer), values, signature)
  }

  /// The return of a call, its values appended by `content`, which is false when memory is short.
  func reply(_ content: (inout MessageWriter) -> Bool) throws(DBusError) -> Message {
    guard let reply = unsafe Message(taking: dbus_message_new_method_return(pointer)) else { throw .noMemory }
    var writer = MessageWriter(reply)
    guard content(&writer) else { throw .noMemory }
    return reply
  }

  /// An error in reply to a call; nil when memory is short.
  func reply(_ error: DBusError) -> Message? {
    unsafe Message(taking: dbus_message_new_error(pointer, error.name, error.message))
  }

  /// A call that asks for no reply, not even an error.
  consuming func withoutReply() -> Message {
    unsafe dbus_message_set_no_reply(pointer, 1)
    return self
  }

  consuming func to(_ destination: BusName) -> Message {
    unsafe dbus_message_set_destination(pointer, destination.rawValue)
    return self
  }

  private static func made(
    _ pointer: OpaquePointer?, _ values: [Value], _ signature: Signature
  ) throws(DBusError) -> Message {
    guard let message = unsafe Message(taking: pointer) else { throw .noMemory }
    var writer = MessageWriter(message)
    guard writer.append(values) else { throw .noMemory }
    return message
  }
}
