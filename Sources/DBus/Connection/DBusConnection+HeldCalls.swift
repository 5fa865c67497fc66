/// Holds calls that arrive before the objects exist, for a program that requests a name first.
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
