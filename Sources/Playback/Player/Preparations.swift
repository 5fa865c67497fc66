/// The callers that wait until an item is ready to play.
///
/// Invariant: after each decision, every waiter is for the current item, which is being opened.
struct Preparations: Sendable {
  typealias Waiter = CheckedContinuation<Void, any Error>

  static let noItem = PlayerError(code: .invalidArgument, message: "the queue is empty")
  static let closed = PlayerError(code: .cancelled, message: "the player is closed")

  private var waiters: [UInt64: (item: Player.Item.ID, waiter: Waiter)] = [:]

  /// The number of callers.
  var count: Int { waiters.count }

  mutating func add(_ waiter: Waiter, for item: Player.Item.ID, as number: UInt64) { waiters[number] = (item, waiter) }

  /// Removes a caller that no longer waits; nil if it was resumed before.
  mutating func remove(_ number: UInt64) -> Waiter? { waiters.removeValue(forKey: number)?.waiter }

  /// Resumes the waiters whose result is known after a decision of the machine.
  mutating func settle(after effects: [Effect], in machine: borrowing PlaybackMachine) {
    // In the order of the calls, so that a simulated run can be repeated.
    for (number, (item, waiter)) in waiters.sorted(by: { $0.key < $1.key }) {
      guard let result = Self.result(for: item, after: effects, in: machine) else { continue }
      waiters[number] = nil
      waiter.resume(with: result)
    }
  }

  /// Resumes all waiters, because the player is closed.
  func dismiss() {
    for (_, waiter) in waiters.values { waiter.resume(throwing: Self.closed) }
  }

  private static func result(
    for item: Player.Item.ID, after effects: [Effect], in machine: borrowing PlaybackMachine
  ) -> Result<Void, any Error>? {
    for case .emit(.itemFailed(let failed, error: let error)) in effects where failed.id == item {
      return .failure(error)
    }
    guard machine.queue.current?.id == item else {
      return .failure(PlayerError(code: .cancelled, message: "another item became current before this one was ready"))
    }
    guard machine.intent != .stopped else {
      return .failure(PlayerError(code: .cancelled, message: "playback was stopped before the item was ready"))
    }
    return machine.current.status == .readyToPlay ? .success(()) : nil
  }
}
