/// An observer of a player, of its time or of its events; it ends when ``cancel()`` is called or the last reference
/// goes.
///
/// All observers of a player are called on one serial queue of its own: one at a time, and in the order in which the
/// player decided what it tells. A boundary at the end of an item comes before ``PlayerEvent/itemDidPlayToEnd(_:)``, that
/// before ``PlayerEvent/currentItemChanged(from:to:)``, and boundaries of the next item come after it. A call that takes
/// long delays those that follow, and nothing else.
///
/// The counterpart of the token of `AVPlayer.addPeriodicTimeObserver(forInterval:queue:using:)`. After `cancel()` has
/// returned, no new call of the observer begins; one that runs on another thread may still be finishing. It may be
/// called anywhere, in the observer's own call too, and more than once.
public final class PlayerObservation: Sendable {
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
