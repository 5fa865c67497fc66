import Synchronization

/// The serial delivery of notifications to one observer, in order, until it is cancelled.
final class ObserverDelivery: Sendable {
  enum Notice: Equatable, Sendable {
    /// Playback has passed a multiple of an interval; if several wait for a long call to end, only the latest one is
    /// delivered.
    case passing(Duration)
    /// Playback has started, stopped, jumped or ended.
    case time(Duration)
    case crossing(Player.BoundaryCrossing)
    case event(Player.Event)
    /// Playback has reached the time of metadata.
    case metadata(Player.TimedMetadata)

    var time: Duration? {
      switch self {
      case .passing(let position), .time(let position): position
      case .crossing, .event, .metadata: nil
      }
    }
    var crossing: Player.BoundaryCrossing? { if case .crossing(let crossing) = self { crossing } else { nil } }
    var event: Player.Event? { if case .event(let event) = self { event } else { nil } }
    var metadata: Player.TimedMetadata? { if case .metadata(let metadata) = self { metadata } else { nil } }
  }

  /// A notice that waits for its turn.
  private struct Call: Sendable {
    let notice: Notice
    /// The number of a position that playback has passed; nil for all other notices.
    let passing: UInt64?
  }

  /// The place where the observer is called.
  private enum Target: Sendable {
    case executor(any ObserverExecutor, @Sendable (Notice) -> Void)
    /// The stream that a task on the observer's actor reads until it is finished.
    case actor(AsyncStream<Call>.Continuation)
  }

  private let target: Target
  private let ending: (@Sendable () -> Void)?
  private let isCancelled = Atomic(false)
  private let newestPassing = Atomic<UInt64>(0)

  private init(_ target: Target, ending: (@Sendable () -> Void)?) { (self.target, self.ending) = (target, ending) }

  /// Creates the delivery to an observer that is called on an executor; `ending` is called when the player is closed.
  convenience init(
    _ executor: any ObserverExecutor, _ body: @escaping @Sendable (Notice) -> Void,
    ending: (@Sendable () -> Void)? = nil
  ) {
    self.init(.executor(executor, body), ending: ending)
  }

  /// Creates the delivery to an observer that is called on an actor, and the task that calls it there.
  ///
  /// The task ends when the delivery is cancelled. Only the task retains `body`, so it is also released on the actor.
  static func onActor(_ actor: isolated any Actor, _ body: @escaping (Notice) -> Void) -> ObserverDelivery {
    let (calls, continuation) = AsyncStream.makeStream(of: Call.self)
    let delivery = ObserverDelivery(.actor(continuation), ending: nil)
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
    let call = Call(notice: notice, passing: passing)
    switch target {
    case .executor(let executor, let body): executor.run { [self] in if isDue(call) { body(call.notice) } }
    case .actor(let calls): calls.yield(call)
    }
  }

  /// Whether the observer is still to be called when it is the turn of a call.
  private func isDue(_ call: Call) -> Bool {
    if let passing = call.passing, newestPassing.load(ordering: .relaxed) != passing { return false }
    return !isCancelled.load(ordering: .acquiring)
  }

  /// Cancels the delivery; returns whether this was the first call.
  func cancel() -> Bool {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    if case .actor(let calls) = target { calls.finish() }
    return true
  }

  /// Ends the delivery, because the player is closed.
  func end() {
    _ = cancel()
    ending?()
  }
}
