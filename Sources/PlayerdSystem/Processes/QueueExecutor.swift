import Dispatch
import Synchronization

/// A serial queue with a clock and one timer, for tasks, actors and calls that may block.
package protocol SerialQueue: TaskExecutor, SerialExecutor {
  /// The time, which excludes suspensions.
  var now: SuspendingClock.Instant { get }

  /// Calls `body` after the earlier work, never inside this call.
  func run(_ body: @escaping @Sendable () -> Void)

  /// Calls `body` on the queue at an instant or up to 50 ms later; replaces the earlier setting, and nil cancels it.
  func setTimer(at instant: SuspendingClock.Instant?, _ body: @escaping @Sendable () -> Void)
}

/// A queue of libdispatch.
///
/// Tasks that prefer it do not start the thread pool of libdispatch, whose monitor wakes the process once a second.
/// These tasks may block, because nothing else uses the queue.
package final class QueueExecutor: SerialQueue {
  private let queue: DispatchQueue
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  /// Creates a queue; no caller waits for the work of a queue in the background.
  package init(label: String, isInBackground: Bool = false) {
    queue = DispatchQueue(label: label, qos: isInBackground ? .utility : .unspecified)
  }

  deinit { timer.withLock { $0?.cancel() } }

  package var now: SuspendingClock.Instant { .now }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      unsafe job.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  package func run(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  package func setTimer(at instant: SuspendingClock.Instant?, _ body: @escaping @Sendable () -> Void) {
    let wait = instant.map { max(.zero, now.duration(to: $0)) }
    timer.withLock { timer in
      timer?.cancel()
      timer = nil
      guard let wait else { return }
      let new = DispatchSource.makeTimerSource(queue: queue)
      new.schedule(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1))), leeway: .milliseconds(50))
      new.setEventHandler(handler: body)
      new.activate()
      timer = new
    }
  }
}
