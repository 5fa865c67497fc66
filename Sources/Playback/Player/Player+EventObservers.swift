extension Player {
  /// Calls `body` with everything that happens from now on, in order with the calls of the time observers.
  ///
  /// ``events()`` with a closure: on the queue of all observers of the player, where the order among them is kept, see
  /// ``PlayerObservation``. Nothing is left out, however long a call takes; what waits is kept.
  ///
  /// - Parameter body: Receives each event; ``snapshot`` read in it may be of a moment later.
  /// - Returns: The observation; it ends when the last reference to it goes.
  public func addEventObserver(using body: @escaping @Sendable (PlayerEvent) -> Void) -> PlayerObservation {
    core.addEventObserver { notice in
      if case .event(let event) = notice { body(event) }
    }
  }
}
