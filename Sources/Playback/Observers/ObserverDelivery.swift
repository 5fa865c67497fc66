import Synchronization

/// Delivers notifications to one observer, one at a time and in order, until it is cancelled.
final class ObserverDelivery: Sendable {
  enum Notice: Equatable, Sendable {
    /// Playback has passed a multiple of an interval; if several wait for a long call to end, only the latest one is
    /// delivered.
    case passing(Duration)
    /// Playback has started, stopped, jumped or ended.
    case time(Duration)
    case crossing(Player.BoundaryCrossing)
    /// An event, and the snapshot of its decision.
    case event(Player.Event, SharedSnapshot)
    /// Playback has reached the time of metadata.
    case metadata(Player.TimedMetadata)

    var time: Duration? {
      switch self {
      case .passing(let position), .time(let position): position
      case .crossing, .event, .metadata: nil
      }
    }
    var crossing: Player.BoundaryCrossing? { if case .crossing(let crossing) = self { crossing } else { nil } }
    var event: (event: Player.Event, snapshot: Player.Snapshot)? {
      if case .event(let event, let shared) = self { (event, shared.snapshot) } else { nil }
    }
    var metadata: Player.TimedMetadata? { if case .metadata(let metadata) = self { metadata } else { nil } }
  }

  /// A notice that waits for its turn, and the number of a position that playback has passed; nil for other notices.
  private typealias Call = (notice: Notice, passing: UInt64?)

  /// Requests the call of the observer where it is to be called.
  private let request: @Sendable (ObserverDelivery, Call) -> Void
  private let ending: @Sendable () -> Void
  private let isCancelled = Atomic(false)
  private let newestPassing = Atomic<UInt64>(0)

  private init(
    ending: @escaping @Sendable () -> Void, request: @escaping @Sendable (ObserverDelivery, Call) -> Void
  ) {
    (self.ending, self.request) = (ending, request)
  }

  /// Creates the delivery to an observer that is called on an executor; `ending` is called when it is cancelled.
  convenience init(
    _ executor: any ObserverExecutor, _ body: @escaping @Sendable (Notice) -> Void,
    ending: @escaping @Sendable () -> Void = {}
  ) {
    self.init(ending: ending) { delivery, call in
      executor.run { if delivery.isDue(call) { body(call.notice) } }
    }
  }

  /// Creates the delivery to an observer that is called on an actor, and the task that calls it there.
  ///
  /// The task ends when the delivery is cancelled. Only the task retains `body`, so it is also released on the actor.
  static func onActor(_ actor: isolated any Actor, _ body: @escaping (Notice) -> Void) -> ObserverDelivery {
    let (calls, continuation) = AsyncStream.makeStream(of: Call.self)
    let delivery = ObserverDelivery(ending: { continuation.finish() }, request: { _, call in continuation.yield(call) })
    // An ordinary task would begin on the shared thread pool before it changes to the actor.
    _ = Task.immediate {
      _ = actor
      for await call in calls where delivery.isDue(call) { body(call.notice) }
    }
    return delivery
  }

  func deliver(_ notice: Notice) {
    var passing: UInt64?
    if case .passing = notice { passing = newestPassing.add(1, ordering: .relaxed).newValue }
    request(self, (notice, passing))
  }

  /// Whether the observer is still to be called when it is the turn of a call.
  private func isDue(_ call: Call) -> Bool {
    if let passing = call.passing, newestPassing.load(ordering: .relaxed) != passing { return false }
    return !isCancelled.load(ordering: .acquiring)
  }

  /// Cancels the delivery; returns whether this was the first call.
  @discardableResult
  func cancel() -> Bool {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    ending()
    return true
  }
}
