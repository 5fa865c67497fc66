import CDBus

/// The method calls that wait for the objects of a connection, for a program that requests a name first.
package struct HeldCalls {
  final class Call {
    let message: Message
    fileprivate init(_ message: consuming Message) { self.message = message }
  }

  /// The limit by default.
  package static let limit = 64

  private var limit = Self.limit
  /// The calls, in the order of their arrival; nil if calls are not held.
  private var calls: [Call]?

  /// Holds the calls from now on; calls that are held already stay.
  mutating func begin(limit: Int) { if calls == nil { (self.limit, calls) = (limit, []) } }

  /// Retains a call if calls are held, and returns whether they are.
  mutating func take(_ call: borrowing Message) throws(DBusError) -> Bool {
    guard let count = calls?.count else { return false }
    guard count < limit else { throw .limitsExceeded("\(limit) calls already wait for the start of the service") }
    guard let message = unsafe Message(taking: dbus_message_ref(call.pointer)) else { throw .noMemory }
    calls?.append(Call(message))
    return true
  }

  /// Returns the held calls, and holds no later ones.
  mutating func end() -> [Call] { calls.take() ?? [] }
}
