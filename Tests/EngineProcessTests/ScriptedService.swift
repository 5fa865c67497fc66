import Synchronization
import TestSupport

@testable import EngineProcess
@testable import Playback

/// Functions whose answers a test supplies.
final class ScriptedService: InspectionService {
  let settings = EventLog<MediaSettings>()
  let inspected = EventLog<String>()
  /// The answers to inspections that the test delivers itself.
  let descriptions = EventLog<MediaDescription>()
  let cancelled = EventLog<String>()

  func apply(_ settings: MediaSettings) { self.settings.append(settings) }

  /// Returns the first description of the test, and fails when the task is cancelled before.
  func inspect(_ uri: String, timeout: Duration) async throws(PlayerError) -> MediaDescription {
    inspected.append(uri)
    for await entry in descriptions.entries() { return entry.element }
    cancelled.append(uri)
    throw PlayerError(code: .cancelled, message: "cancelled")
  }

  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) async throws(PlayerError) -> MediaContent? {
    let isWanted = await withCheckedContinuation { continuation in
      Thread.run { continuation.resume(returning: isWanted("audio/x-mpegurl", [35])) }
    }
    return isWanted ? MediaContent(uri: uri, mediaType: "audio/x-mpegurl", bytes: [35]) : nil
  }

  func measureLoudness(of uri: String, includingTagged: Bool) async throws(PlayerError) -> TrackLoudness? { nil }
  func audioOutputs() async -> [AudioOutput] { [] }
  func checkAudioSink(_ description: String) async throws(PlayerError) {
    throw PlayerError(code: .output, message: description)
  }

  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable () -> Void
  ) async throws(PlayerError) -> SampleComparison { SampleComparison() }

  func support() async -> FrameworkSupport? { nil }
}
