import EngineProcess
import Playback

@testable import PlayerdConfiguration
@testable import PlayerdMedia

/// The media framework of a simulated daemon: it knows the media of the script, and the servers answer late.
struct SimulatedFramework: MediaFramework {
  let life: DaemonLife.Reference

  func apply(_ settings: MediaSettings) {}

  func makePlayer(_ configuration: Player.Configuration, observers: any ObserverExecutor) -> Player {
    life.daemon.player
  }

  func makeInspector(limit: Int, timeout: Duration) -> MediaInspection {
    { uri throws(PlayerError) in
      await life.wait(20)
      guard let media = life.daemon.media(of: uri), media.fault != .unopenable else {
        throw PlayerError(code: .notFound, message: "simulated")
      }
      var description = MediaDescription()
      description.duration = .milliseconds(media.length)
      return description
    }
  }

  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping ContentDecision
  ) async throws(PlayerError) -> MediaContent? {
    guard let server = life.daemon.disk.music.servers[uri] else {
      await life.wait(30)
      guard life.daemon.media(of: uri) != nil else { throw PlayerError(code: .notFound, message: "simulated") }
      guard isWanted("audio/ogg", [0]) else { return nil }
      return MediaContent(uri: uri, mediaType: "audio/ogg", bytes: [])
    }
    let limit = Int(timeout.wholeNanoseconds / 1_000_000)
    await life.wait(min(server.delay, limit))
    guard server.delay < limit else { throw PlayerError(code: .networkTimeout, message: "simulated") }
    guard isWanted("audio/x-mpegurl", server.bytes) else { return nil }
    return MediaContent(uri: uri, mediaType: "audio/x-mpegurl", bytes: server.bytes)
  }

  func audioOutputs() async -> [AudioOutput] { [] }
  func checkAudioSink(_ description: String) throws(PlayerError) {}
  func support() -> FrameworkSupport? { nil }

  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable (_ processID: Int32) -> Void
  ) async throws(PlayerError) -> SampleComparison { SampleComparison() }
}
