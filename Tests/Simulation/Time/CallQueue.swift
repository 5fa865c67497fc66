import Playback
import Synchronization

/// The queue of the observers' calls: the run makes them, in order.
final class CallQueue: ObserverExecutor {
  private let calls = Mutex<[@Sendable () -> Void]>([])

  func run(_ body: @escaping @Sendable () -> Void) { calls.withLock { $0.append(body) } }

  /// Removes and returns the calls that were requested.
  func take() -> [@Sendable () -> Void] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }
}

/// The executor of the callers that wait for a result: the run carries out their jobs, in order, on its own thread.
final class JobQueue: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Carries out the jobs until there are none; returns whether there was one.
  func drain() -> Bool {
    var isUsed = false
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      isUsed = true
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
    return isUsed
  }
}
