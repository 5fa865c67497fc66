import CDBus

/// What is kept of a call that is answered later.
struct ReplyTicket: Sendable {
  let serial: UInt32
  let caller: BusName
  let expectsReply: Bool
  /// The types of the values that the reply brings.
  let signature: Signature

  /// The return of the call, or the error; nil when memory is short.
  func message(_ result: Result<[Value], DBusError>) -> Message? {
    do {
      let values = try result.get()
      let signature = try Value.check(values, as: signature)
      guard let message = unsafe addressed(dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN)) else { return nil }
      return try message.with(values, signature)
    } catch {
      guard let message = unsafe addressed(dbus_message_new(DBUS_MESSAGE_TYPE_ERROR)) else { return nil }
      unsafe dbus_message_set_error_name(message.pointer, error.name)
      return try? message.with([.string(error.message)], .string)
    }
  }

  private func addressed(_ pointer: OpaquePointer?) -> Message? {
    guard let message = unsafe Message(taking: pointer) else { return nil }
    unsafe dbus_message_set_reply_serial(message.pointer, serial)
    return message.withoutReply().to(caller)
  }
}

extension Message {
  fileprivate consuming func with(_ values: [Value], _ signature: Signature) throws(DBusError) -> Message {
    var writer = MessageWriter(self)
    guard writer.append(values) else { throw .noMemory }
    return self
  }
}
