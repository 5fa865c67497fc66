import EngineProcess
import Glibc
import GstPlayer
import Synchronization

@testable import PlayerdConfiguration
@testable import PlayerdMedia

/// GStreamer in the process of the tests.
final class GStreamerFramework: MediaFramework {
  private let inspection = GstPlayerInspection()
  private let count = Mutex(0)

  /// The number of inspections so far.
  var inspectionCount: Int { count.withLock { $0 } }

  func apply(_ settings: MediaSettings) { inspection.apply(settings) }

  func makePlayer(_ configuration: Player.Configuration, observers: any ObserverExecutor) -> Player {
    Player(configuration: configuration, observers: observers)
  }

  func makeInspector(limit: Int, timeout: Duration) -> MediaInspection {
    let inspector = MediaInspector(concurrencyLimit: limit, timeout: timeout)
    return { uri throws(PlayerError) in
      self.count.withLock { $0 += 1 }
      return try await inspector.inspect(uri)
    }
  }

  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping ContentDecision
  ) async throws(PlayerError) -> MediaContent? {
    try await inspection.read(
      uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: forPlayback, isWanted: isWanted)
  }

  func audioOutputs() async -> [AudioOutput] { await inspection.audioOutputs() }

  func checkAudioSink(_ description: String) async throws(PlayerError) {
    try await inspection.checkAudioSink(description)
  }

  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable (_ processID: Int32) -> Void
  ) async throws(PlayerError) -> SampleComparison {
    try await inspection.compareSamples(of: uri, configuration, rate: rate) { whilePlaying(getpid()) }
  }

  func support() async -> FrameworkSupport? { await inspection.support() }
}
