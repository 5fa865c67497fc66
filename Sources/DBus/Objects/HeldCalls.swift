import CDBus

/// The method calls that wait for the objects of a connection.
package struct HeldCalls {
  final class Call {
    let message: Message
    fileprivate init(_ message: consuming Message) { self.message = message }
  }

  /// The limit by default.
  package static let limit = 64

  let limit: Int
  private(set) var calls: [Call] = []

  init(limit: Int) { self.limit = limit }

  /// Retains a call.
  mutating func add(_ call: borrowing Message) throws(DBusError) {
    guard calls.count < limit else { throw .limitsExceeded("\(limit) calls already wait for the start of the service") }
    guard let message = unsafe Message(taking: dbus_message_ref(call.pointer)) else { throw .noMemory }
    calls.append(Call(message))
  }
}
