import Synchronization

/// The numbers of the observers and readers that were released and are still registered.
///
/// Its lock is held for no other work, so an observation may be released anywhere, also under a lock.
final class ReleasedObservers: Sendable {
  private let numbers = Mutex<[UInt64]>([])

  /// Adds a number; returns whether it is the first one since the last ``take()``, so that ``take()`` must follow.
  func add(_ number: UInt64) -> Bool {
    numbers.withLock { numbers in
      numbers.append(number)
      return numbers.count == 1
    }
  }

  /// Returns the numbers, and removes them.
  func take() -> [UInt64] {
    numbers.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
  }
}
