import Synchronization

/// The serial delivery of notifications to one observer, in order, until it is cancelled.
final class ObserverDelivery: Sendable {
  enum Notice: Sendable {
    case time(Duration)
    case crossing(Player.BoundaryCrossing)
    case event(Player.Event)
    case metadata(Player.TimedMetadata)

    var time: Duration? { if case .time(let position) = self { position } else { nil } }
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
  private let isCancelled = Atomic(false)
  private let newestPassing = Atomic<UInt64>(0)

  private init(_ target: Target) { self.target = target }

  /// Creates the delivery to an observer that is called on an executor.
  convenience init(_ executor: any ObserverExecutor, _ body: @escaping @Sendable (Notice) -> Void) {
    self.init(.executor(executor, body))
  }

  /// Creates the delivery to an observer that is called on an actor, and the task that calls it there.
  ///
  /// The task ends when the delivery is cancelled. Only the task retains `body`, so it is also released on the actor.
  static func onActor(
    _ actor: isolated any Actor, _ body: @escaping (Notice) -> Void
  ) -> (delivery: ObserverDelivery, caller: Task<Void, Never>) {
    let (calls, continuation) = AsyncStream.makeStream(of: Call.self)
    let delivery = ObserverDelivery(.actor(continuation))
    // An ordinary task would begin on the shared thread pool before it changes to the actor.
    let caller = Task.immediate {
      _ = actor
      for await call in calls where delivery.isDue(call) { body(call.notice) }
    }
    return (delivery, caller)
  }

  func deliver(_ notice: Notice) { schedule(Call(notice: notice, passing: nil)) }

  /// Delivers a position that playback has passed; if several wait for a long call to end, only the latest one is
  /// delivered.
  func deliver(passing position: Duration) {
    let number = newestPassing.add(1, ordering: .relaxed).newValue
    schedule(Call(notice: .time(position), passing: number))
  }

  private func schedule(_ call: Call) {
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
}
