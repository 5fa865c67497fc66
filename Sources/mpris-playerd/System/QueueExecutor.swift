import Dispatch

/// A queue of its own for tasks that belong to no actor, one at a time.
///
/// Tasks that prefer it leave the thread pool of libdispatch unused, whose monitor wakes a process once a second for
/// ever. They may block; nothing else waits for this queue.
final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
