import CDBus

/// The data of a call that a deferred reply needs.
struct ReplyTicket: Sendable {
  let serial: UInt32
  let caller: BusName
  let expectsReply: Bool
  /// The types of the values in the reply.
  let signature: DBusSignature

  /// Creates the method return or the error; nil if memory is exhausted.
  func message(_ result: Result<[DBusValue], DBusError>) -> Message? {
    do {
      let values = try result.get()
      try DBusValue.check(values, as: signature)
      guard let message = unsafe addressed(dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN)) else { return nil }
      return try message.with(values)
    } catch {
      guard let message = unsafe addressed(dbus_message_new(DBUS_MESSAGE_TYPE_ERROR)) else { return nil }
      unsafe dbus_message_set_error_name(message.pointer, error.name)
      return try? message.with([.string(error.message)])
    }
  }

  private func addressed(_ pointer: OpaquePointer?) -> Message? {
    guard let message = unsafe Message(taking: pointer) else { return nil }
    unsafe dbus_message_set_reply_serial(message.pointer, serial)
    return message.withoutReply().to(caller)
  }
}

extension ReplyTicket {
  init(to request: DBusCall, _ call: borrowing Message, _ method: DBusMethod) {
    (serial, caller, expectsReply) = (call.serial, request.sender, request.expectsReply)
    signature = method.declaration.output.signature
  }
}
