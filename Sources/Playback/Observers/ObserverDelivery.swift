import Synchronization

/// Carries what an observer is told to its own call, one at a time and in order, unless it was cancelled meanwhile.
final class ObserverDelivery: Sendable {
  enum Notice: Sendable {
    case time(Duration)
    case crossing(BoundaryCrossing)
    case event(PlayerEvent)
  }

  private let executor: any ObserverExecutor
  private let body: @Sendable (Notice) -> Void
  private let isCancelled = Atomic(false)
  private let newestPassing = Atomic<UInt64>(0)

  init(_ executor: any ObserverExecutor, _ body: @escaping @Sendable (Notice) -> Void) {
    self.executor = executor
    self.body = body
  }

  func deliver(_ notice: Notice) {
    executor.run { [self] in
      if !isCancelled.load(ordering: .acquiring) { body(notice) }
    }
  }

  /// A position that play has passed; of those that wait for a long call to end, only the newest is told.
  func deliver(passing position: Duration) {
    let number = newestPassing.add(1, ordering: .relaxed).newValue
    executor.run { [self] in
      guard newestPassing.load(ordering: .relaxed) == number, !isCancelled.load(ordering: .acquiring) else { return }
      body(.time(position))
    }
  }

  /// Whether this was the first call.
  func cancel() -> Bool { !isCancelled.exchange(true, ordering: .acquiringAndReleasing) }
}
