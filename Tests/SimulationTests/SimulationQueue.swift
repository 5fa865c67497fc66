import Dispatch

/// The isolation of tests that simulate for seconds: a thread of their own, so that they do not occupy the threads on which
/// all other tests wait.
@globalActor actor SimulationQueue {
  static let shared = SimulationQueue()

  private let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "simulation")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}
