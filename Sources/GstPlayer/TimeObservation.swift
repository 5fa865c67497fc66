import Dispatch
import Synchronization

/// A boundary that play went through.
public struct BoundaryCrossing: Hashable, Sendable {
  /// The item it belongs to.
  public let item: PlayerItem
  /// The time that was asked for, or that the fraction came to.
  public let boundary: Duration
  /// The position when the crossing was noticed, a little later.
  public let position: Duration
  /// The instant of the crossing itself as computed from the course of play: nanoseconds of `CLOCK_MONOTONIC`.
  public let monotonicNanoseconds: Int64
}

/// An observer of the position; it ends when ``cancel()`` is called or the last reference goes.
///
/// The counterpart of the token of `AVPlayer.addPeriodicTimeObserver(forInterval:queue:using:)`. After `cancel()` has
/// returned, no new call of the observer begins; one that runs on another thread may still be finishing. It may be
/// called anywhere, in the observer's own call too, and more than once.
public final class TimeObservation: Sendable {
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

/// Carries what an observer is told to its own call, one at a time and in order, unless it was cancelled meanwhile.
final class ObserverDelivery: Sendable {
  enum Notice: Sendable {
    case time(Duration)
    case crossing(BoundaryCrossing)
  }

  private let queue: DispatchQueue
  private let body: @Sendable (Notice) -> Void
  private let isCancelled = Atomic(false)

  init(queue: DispatchQueue, _ body: @escaping @Sendable (Notice) -> Void) {
    self.queue = queue
    self.body = body
  }

  func deliver(_ notice: Notice) {
    queue.async { [self] in
      if !isCancelled.load(ordering: .acquiring) { body(notice) }
    }
  }

  /// Whether this was the first call.
  func cancel() -> Bool { !isCancelled.exchange(true, ordering: .acquiringAndReleasing) }
}
