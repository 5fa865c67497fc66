import Dispatch
import EngineProcess
import Joining
import Playback
import PlayerClock
import Synchronization

/// The output of an engine in a separate process, which ends if a call into a device does not return.
final class OutputHost: OutputService {
  private let output: OutputEngine
  /// The streams whose samples are to be taken.
  private let scheduled = Mutex<Set<StreamToken>>([])

  init(
    _ configuration: Player.Configuration, _ settings: EngineSettings,
    report: @escaping @Sendable (OutputReport) -> Void, hangs: @escaping @Sendable () -> Void
  ) {
    output = OutputEngine(
      PipelineExecutor(label: "org.playerd.output"), configuration, settings, OutputSound(),
      makeClock: { DispatchClock(queue: $0) }
    ) { _ in
      hangs()
      return true
    } report: {
      report($0)
    }
    // For the stream that follows.
    perform { $0.makeRenderer() }
  }

  func perform(_ command: OutputCommand) { perform { $0.perform(command) } }

  func attach(_ stream: StreamToken, _ samples: any SampleSource) { perform { $0.attach(stream, samples) } }

  func samplesArrived(of stream: StreamToken) {
    // A deck may give signals without end, while the device opens.
    guard scheduled.withLock({ $0.insert(stream).inserted }) else { return }
    perform { [self] in
      _ = scheduled.withLock { $0.remove(stream) }
      $0.takeSamples(of: stream)
    }
  }

  func detach(_ stream: StreamToken) { perform { $0.detach(stream) } }

  func close() async { await output.close() }

  private func perform(_ work: @escaping @Sendable (isolated OutputEngine) -> Void) {
    output.executor.queue.async { [output] in output.assumeIsolated(work) }
  }
}
