import CGst
import Dispatch
import EngineProcess
import Joining
import Playback
import Synchronization

/// The engine of a player: a deck for each open stream, and one output for all of them.
///
/// Commands are carried out in order on one executor. Nothing on it waits for a stream: a deck that hangs or fails is closed
/// alone. Only the output may block it, while a device opens or closes.
final class DeckEngine: PlaybackEngine {
  private let executor = PipelineExecutor(label: "org.playerd.engine")
  private let playout: Playout
  private let loudness: LoudnessService?
  private let volumeCurves: Mutex<[StreamToken: VolumeCurve]> = Mutex([:])

  init(configuration: Player.Configuration, loudness: LoudnessService? = nil, clockRate: Double = 1) {
    self.loudness = loudness
    playout = Playout(executor, configuration, loudness, clockRate: clockRate)
  }

  func open(_ client: EngineClient) { enqueue { $0.open(client) } }

  func perform(_ command: EngineCommand) {
    if case .measureLoudness(let groups) = command { loudness?.announce(groups) }
    enqueue { $0.perform(command) }
  }

  func progress(of stream: StreamToken) -> StreamProgress? { playout.decks.withLock { $0[stream] }?.progress }

  func close() {
    loudness?.close()
    enqueue { $0.close() }
  }

  func closed() async {
    let decks = await playout.closed()
    for deck in decks { await deck.closed() }
  }

  private func enqueue(_ work: @escaping @Sendable (isolated Playout) -> Void) {
    executor.queue.async { [playout] in playout.assumeIsolated(work) }
  }
}
