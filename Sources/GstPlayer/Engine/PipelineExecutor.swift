import Dispatch
import Playback

/// The one serial executor of a pipeline: everything that may block inside GStreamer runs here, and nothing else does.
final class PipelineExecutor: CallbackContext, SerialExecutor {
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
