import EngineProcess
import Playback

@testable import PlayerdConfiguration
@testable import PlayerdMedia

/// A media framework whose answers a test supplies.
struct ScriptedMedia: MediaFramework {
  /// Describes the media behind a URI.
  var inspect: MediaInspection = { _ throws(PlayerError) in MediaDescription() }
  /// Lists the outputs.
  var outputs: @Sendable () async -> [AudioOutput] = { [] }

  func apply(_ settings: MediaSettings) {}

  func makePlayer(_ configuration: Player.Configuration, observers: any ObserverExecutor) -> Player {
    Player(configuration: configuration, engine: SilentEngine(), clock: StandingClock(), observers: observers)
  }

  func makeInspector(limit: Int, timeout: Duration) -> MediaInspection { inspect }

  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping ContentDecision
  ) async throws(PlayerError) -> MediaContent? { nil }

  func audioOutputs() async -> [AudioOutput] { await outputs() }
  func checkAudioSink(_ description: String) throws(PlayerError) {}
  func support() -> FrameworkSupport? { nil }

  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable (_ processID: Int32) -> Void
  ) async throws(PlayerError) -> SampleComparison { SampleComparison() }
}
