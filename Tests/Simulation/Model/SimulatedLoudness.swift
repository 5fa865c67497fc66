import Playback
import Synchronization

/// The source of loudness of a simulated player; the model of the engine lets it report when a file has been measured.
final class SimulatedLoudness: LoudnessSource {
  private struct State {
    var report: (@Sendable (LoudnessReport) -> Void)?
  }

  private let state = Mutex(State())

  func open(_ report: @escaping @Sendable (LoudnessReport) -> Void) { state.withLock { $0.report = report } }
  func announce(_ groups: [[String]]) {}
  func request(_ uri: String, for stream: StreamToken, asSuccessor isSuccessor: Bool) {}
  func close() { state.withLock { $0.report = nil } }
  func closed() async {}

  /// Passes a report to the player.
  func report(_ report: LoudnessReport) { state.withLock { $0.report }?(report) }
}
