import Dispatch
package import EngineProcess
package import Playback
import Synchronization

/// The functions of GStreamer for media that is not played, in this process.
package struct GstPlayerInspection: InspectionService {
  package init() {}

  package func apply(_ settings: MediaSettings) {
    Network.apply(settings.network)
    ServerCertificates.accept(settings.certificates)
    if let encoding = settings.textEncoding { LegacyText.setCodePage(encoding) }
  }

  package func inspect(_ uri: String, timeout: Duration) async throws(PlayerError) -> MediaDescription {
    try await MediaInspector(concurrencyLimit: 1, timeout: timeout).inspect(uri)
  }

  package func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) async throws(PlayerError) -> MediaContent? {
    try await URIReader(byteLimit: byteLimit, timeout: timeout)
      .read(uri, headers: headers, forPlayback: forPlayback, isWanted: isWanted)
  }

  package func measureLoudness(of uri: String, includingTagged: Bool) async throws(PlayerError) -> TrackLoudness? {
    let results = AsyncStream<TrackLoudness?> { continuation in
      let measurement = LoudnessMeasurement(of: uri, includesTagged: includingTagged) { continuation.yield($0) }
      continuation.onTermination = { _ in measurement.cancel() }
      measurement.begin()
    }
    for await result in results { return result }
    // The stream ends without a result when the task is cancelled.
    throw PlayerError(code: .cancelled, message: "the measurement was cancelled")
  }

  package func audioOutputs() async -> [AudioOutput] { await AudioOutput.all() }

  package func checkAudioSink(_ description: String) async throws(PlayerError) {
    let result = await onQueue {
      Result { () throws(PlayerError) in try Player.Configuration.checkAudioSink(description) }
    }
    try result.get()
  }

  package func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable () -> Void
  ) async throws(PlayerError) -> SampleComparison {
    try await Player.compareSamples(of: uri, configuration, rate: rate, whilePlaying: whilePlaying)
  }

  package func support() async -> FrameworkSupport? { await onQueue { MediaSupport.installed } }

  /// Runs a function on a queue with its own thread, because GStreamer may examine its plug-ins first.
  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "GstPlayer.Inspection", qos: .utility).async { continuation.resume(returning: body()) }
    }
  }
}
