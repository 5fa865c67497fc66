import EngineProcess
import EventLoop
import Playback
import PlayerdConfiguration
import PlayerdMedia
import Synchronization

/// The media framework of a simulated service: it describes the media of the run after a delay.
final class SimulatedMedia: MediaFramework {
  private let player: Player
  private let clock: LoopClock
  private let random: Mutex<RandomSource>
  /// The length of each media by its URI; nil for a URI that cannot be opened.
  private let lengths: [String: Int]

  init(_ player: Player, _ clock: LoopClock, _ random: RandomSource, lengths: [String: Int]) {
    self.player = player
    self.clock = clock
    self.random = Mutex(random)
    self.lengths = lengths
  }

  func apply(_ settings: MediaSettings) {}

  func makePlayer(_ configuration: Player.Configuration, observers: any ObserverExecutor) -> Player { player }

  func makeInspector(limit: Int, timeout: Duration) -> MediaInspection {
    { [self] uri throws(PlayerError) in
      await wait(1...400)
      guard let length = lengths[uri] else { throw PlayerError(code: .notFound, message: "not found") }
      var description = MediaDescription()
      description.duration = .milliseconds(length)
      return description
    }
  }

  func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping ContentDecision
  ) async throws(PlayerError) -> MediaContent? {
    await wait(1...3_000)
    _ = isWanted("audio/flac", [])
    return nil
  }

  private func wait(_ milliseconds: ClosedRange<Int>) async {
    let time = random.withLock { $0.number(milliseconds) }
    try? await clock.sleep(until: clock.now.advanced(by: .milliseconds(time)))
  }

  func audioOutputs() async -> [AudioOutput] {
    await wait(1...2_000)
    return (1...3).map { PlayerAdapter.output($0) }
  }
  func checkAudioSink(_ description: String) throws(PlayerError) {}
  func support() -> FrameworkSupport? { nil }

  func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable (_ processID: Int32) -> Void
  ) async throws(PlayerError) -> SampleComparison { SampleComparison() }
}
