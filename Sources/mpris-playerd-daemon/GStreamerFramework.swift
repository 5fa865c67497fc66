import GstPlayer
import Playerd

/// GStreamer's functions for the daemon and its commands.
struct GStreamerFramework: MediaFramework {
  func prepare() { MediaSupport.prepare() }

  func setTextEncoding(_ name: String) { LegacyText.setCodePage(name) }

  func accept(_ certificates: [AcceptedCertificate]) { ServerCertificates.accept(certificates) }

  func makePlayer(_ configuration: Player.Configuration, observers: any ObserverExecutor) -> Player {
    Player(configuration: configuration, observers: observers)
  }

  func makeInspector(limit: Int, timeout: Duration) -> MediaInspection {
    let inspector = MediaInspector(concurrencyLimit: limit, timeout: timeout)
    return { uri throws(PlayerError) in try await inspector.inspect(uri) }
  }

  func apply(_ settings: NetworkSettings) { Network.apply(settings) }

  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping ContentDecision
  ) async throws(PlayerError) -> MediaContent? {
    try await URIReader(byteLimit: byteLimit, timeout: timeout)
      .read(uri, headers: headers, forPlayback: forPlayback, isWanted: isWanted)
  }

  func digest(of picture: MediaMetadata.Artwork) -> String { picture.digest }

  func audioOutputs() async -> [AudioOutput] { await AudioOutput.all() }

  func checkAudioSink(_ description: String) throws(PlayerError) {
    try Player.Configuration.checkAudioSink(description)
  }

  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable () -> Void
  ) async throws(PlayerError) -> SampleComparison {
    try await Player.compareSamples(of: uri, configuration, rate: rate, whilePlaying: whilePlaying)
  }

  func support() -> FrameworkSupport? { MediaSupport.installed }
}
