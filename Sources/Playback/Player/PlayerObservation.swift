extension Player {
  /// An observer of a player's time or events; it ends when ``cancel()`` is called or its last reference is released.
  ///
  /// An observer without an actor is called on the player's serial queue: all of them one at a time, in the order of
  /// the player's decisions. A boundary at the end of an item is reported before ``Player/Event/itemDidPlayToEnd(_:)``,
  /// which precedes ``Player/Event/currentItemChanged(from:to:)``. Boundaries of the next item follow. A long call
  /// delays only the later calls.
  ///
  /// An observer on an actor, such as ``Player/addPeriodicTimeObserver(forInterval:on:using:)``, is called there. The
  /// calls of one observer are in this order; calls of different observers may not be.
  ///
  /// The counterpart of the token of `AVPlayer.addPeriodicTimeObserver(forInterval:queue:using:)`. After `cancel()` has
  /// returned, no new call of the observer begins; a call on another thread may still be running, unless it was called
  /// on the observer's actor. `cancel()` may be called anywhere, also inside the observer's own call, and more than
  /// once.
  public final class Observer: Sendable {
    private let delivery: ObserverDelivery
    private let remove: @Sendable () -> Void

    init(_ delivery: ObserverDelivery, remove: @escaping @Sendable () -> Void) {
      self.delivery = delivery
      self.remove = remove
    }

    deinit { cancel() }

    /// Ends the observation.
    public func cancel() {
      if delivery.cancel() { remove() }
    }
  }
}
