import Logging
import PlayerdSystem
import Synchronization

/// Says which item a command waits for, if its disk does not answer: no call can be stopped that waits for a disk.
final class DiskWaitNote: Sendable {
  private typealias Wait = (item: String, start: SuspendingClock.Instant)

  /// The time after which the user is told.
  private static let limit = Duration.seconds(3)
  private let log: Logger
  private let queue = QueueExecutor(label: "org.playerd.note")
  private let wait = Mutex<Wait?>(nil)

  init(_ log: Logger = Logger(label: Names.executable)) { self.log = log }

  deinit { queue.setTimer(at: nil) {} }

  /// Reads the disk of an item.
  func reading<Result>(_ item: String, _ body: () -> Result) -> Result {
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
