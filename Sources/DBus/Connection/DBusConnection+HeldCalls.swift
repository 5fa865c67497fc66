import CDBus

/// Calls that arrive before the objects exist, for a program that requests a name first.
extension DBusConnection {
  /// Holds the method calls that arrive from now on, until ``handleHeldCalls()``; more than `limit` are LimitsExceeded.
  package func holdCalls(limit: Int = HeldCalls.limit) { if heldCalls == nil { heldCalls = HeldCalls(limit: limit) } }

  /// Handles the held calls in the order of their arrival, and the later ones at once.
  package func handleHeldCalls() {
    let calls = heldCalls?.calls ?? []
    heldCalls = nil
    for call in calls { if let link { answer(call.message, link) } }
  }
}

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
