import Dispatch

/// The serial executor of a pipeline: all calls that may block inside GStreamer run here, and no other work does.
final class PipelineExecutor: SerialExecutor {
  let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  init(label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: key, value: true)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    precondition(DispatchQueue.getSpecific(key: key) == true, "GStreamer is used off its executor")
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}
