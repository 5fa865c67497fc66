package import Logging
import Synchronization

/// Reports the item whose disk does not answer, because a call that waits for a disk cannot be stopped.
package final class DiskWaitNote: Sendable {
  private typealias Wait = (item: String, start: SuspendingClock.Instant)

  /// The time after which the item is logged.
  private static let limit = Duration.seconds(3)
  private let log: Logger
  private let queue = QueueExecutor(label: "org.playerd.note")
  private let wait = Mutex<Wait?>(nil)

  package init(_ log: Logger = Logger(label: Names.executable)) { self.log = log }

  deinit { queue.setTimer(at: nil) {} }

  /// Reads the disk of an item.
  package func reading<Result>(_ item: String, _ body: () -> Result) -> Result {
    wait.withLock { wait in
      // One timer for all items, because a list may have a million.
      if wait == nil { check(at: queue.now.advanced(by: Self.limit)) }
      wait = (item, queue.now)
    }
    return body()
  }

  private func check(at instant: SuspendingClock.Instant) {
    queue.setTimer(at: instant) { [weak self] in
      guard let self, let (item, start) = wait.withLock({ $0 }) else { return }
      let end = start.advanced(by: Self.limit)
      guard queue.now >= end else { return check(at: end) }
      log.warning("\(item.excerpt): waiting for its disk, which does not answer")
    }
  }
}
