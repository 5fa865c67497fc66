extension Player {
  /// Calls `body` with every event from now on, in order with the calls of the time observers.
  ///
  /// It is ``events()`` with a closure on the serial queue of the player's observers, see ``Player/Observer``. No
  /// event is dropped, even if a call takes long; later events are queued.
  ///
  /// - Parameter body: Receives each event; ``snapshot`` read in it may be slightly newer.
  /// - Returns: The observation; it ends when its last reference is released.
  public func addEventObserver(using body: @escaping @Sendable (Player.Event) -> Void) -> Player.Observer {
    core.addObserver(of: .events, \.event, body)
  }
}
