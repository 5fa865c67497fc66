import CDBus

/// Owns a `DBusMessage` exclusively.
///
/// Its names are C strings with the lifetime of the message; libdbus has validated them.
/// <https://dbus.freedesktop.org/doc/api/html/group__DBusMessage.html>
@safe
package struct Message: ~Copyable {
  package let pointer: OpaquePointer

  /// Takes ownership of a reference; libdbus returns nil if memory is exhausted.
  package init?(taking pointer: OpaquePointer?) {
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
  var signature: DBusSignature { unsafe DBusSignature(unchecked: String(cString: dbus_message_get_signature(pointer))) }
  var serial: UInt32 { unsafe dbus_message_get_serial(pointer) }
  var replySerial: UInt32 { unsafe dbus_message_get_reply_serial(pointer) }
  var expectsReply: Bool { unsafe dbus_message_get_no_reply(pointer) == 0 }

  func hasSignature(_ signature: DBusSignature) -> Bool {
    unsafe signature.rawValue.withCString { unsafe dbus_message_has_signature(pointer, $0) != 0 }
  }

  package func values() throws(DBusError) -> [DBusValue] {
    var reader = MessageReader(self)
    return try reader.values()
  }

  /// The values of a method return, or the error in an error message.
  var result: Result<[DBusValue], DBusError> {
    let result = Result { () throws(DBusError) in try values() }
    guard type == DBUS_MESSAGE_TYPE_ERROR else { return result }
    let text = (try? result.get())?.first?.asString
    let name = unsafe errorName.map { unsafe String(cString: $0) } ?? DBUS_ERROR_FAILED
    return .failure(DBusError(unchecked: name, text ?? ""))
  }
}

// MARK: - Making

extension Message {
  static func methodCall(
    to destination: BusName, at path: ObjectPath, of interface: InterfaceName?, _ member: MemberName,
    _ arguments: [DBusValue]
  ) throws(DBusError) -> Message {
    try DBusValue.check(arguments)
    return try unsafe made(
      dbus_message_new_method_call(destination.rawValue, path.rawValue, interface?.rawValue, member.rawValue),
      arguments)
  }

  static func signal(
    at path: ObjectPath, of interface: InterfaceName, _ member: MemberName, _ arguments: [DBusValue],
    as signature: DBusSignature
  ) throws(DBusError) -> Message {
    try DBusValue.check(arguments, as: signature)
    // libdbus writes the signature again with each argument, which takes a third longer if it follows other fields.
    let message = try unsafe made(dbus_message_new(DBUS_MESSAGE_TYPE_SIGNAL), arguments)
    unsafe dbus_message_set_no_reply(message.pointer, 1)
    guard unsafe dbus_message_set_path(message.pointer, path.rawValue) != 0,
      unsafe dbus_message_set_interface(message.pointer, interface.rawValue) != 0,
      unsafe dbus_message_set_member(message.pointer, member.rawValue) != 0
    else { throw .noMemory }
    return message
  }

  /// Creates the return of a call and checks its values against the declared types.
  func reply(_ values: [DBusValue] = [], as signature: DBusSignature = DBusSignature(of: [])) throws(DBusError)
    -> Message
  {
    try DBusValue.check(values, as: signature)
    return try unsafe Self.made(dbus_message_new_method_return(pointer), values)
  }

  /// Creates the return of a call with the values that `content` appends; `content` returns false if memory is
  /// exhausted.
  func reply(_ content: (inout MessageWriter) -> Bool) throws(DBusError) -> Message {
    guard let reply = unsafe Message(taking: dbus_message_new_method_return(pointer)) else { throw .noMemory }
    var writer = MessageWriter(reply)
    guard content(&writer) else { throw .noMemory }
    return reply
  }

  /// Creates an error in reply to a call; nil if memory is exhausted.
  func reply(_ error: DBusError) -> Message? {
    unsafe Message(taking: dbus_message_new_error(pointer, error.name, error.message))
  }

  /// Marks a call so that it gets no reply, not even an error.
  consuming func withoutReply() -> Message {
    unsafe dbus_message_set_no_reply(pointer, 1)
    return self
  }

  consuming func to(_ destination: BusName) -> Message {
    unsafe dbus_message_set_destination(pointer, destination.rawValue)
    return self
  }

  private static func made(_ pointer: OpaquePointer?, _ values: [DBusValue]) throws(DBusError) -> Message {
    guard let message = unsafe Message(taking: pointer) else { throw .noMemory }
    return try message.with(values)
  }

  /// Appends values that have been checked.
  package consuming func with(_ values: [DBusValue]) throws(DBusError) -> Message {
    var writer = MessageWriter(self)
    guard writer.append(values) else { throw .noMemory }
    return self
  }
}
