import MPRISService
import Synchronization

/// A toy player whose tracks are minutes of counting, for `playerctl --player=hello_mpris`.
final class Counter: MPRISPlayer {
  private struct State {
    var track = 1, isPlaying = false, counted = Duration.zero, start = SuspendingClock.now
    var position: Duration { isPlaying ? counted + start.duration(to: .now) : counted }
  }
  private let state = Mutex(State())
  private let (stream, continuation) = AsyncStream.makeStream(of: MPRISPlayerEvent.self)

  func events() -> AsyncStream<MPRISPlayerEvent> { stream }

  func snapshot() -> MPRISSnapshot {
    let state = state.withLock { $0 }
    var snapshot = MPRISSnapshot()
    snapshot.status = state.isPlaying ? .playing : .paused
    snapshot.position = state.position
    snapshot.metadata.trackID = MPRISTrackID(UInt64(state.track))
    snapshot.metadata.title = "Minute \(state.track)"
    snapshot.metadata.artists = ["Counter"]
    snapshot.metadata.length = .seconds(60)
    (snapshot.canPlay, snapshot.canPause, snapshot.canSeek) = (true, true, true)
    (snapshot.canGoNext, snapshot.canGoPrevious) = (true, state.track > 1)
    return snapshot
  }

  func perform(_ command: MPRISCommand) throws(MPRISCommandError) {
    let isKnown = state.withLock { state in
      (state.counted, state.start) = (state.position, .now)
      switch command {
      case .play: state.isPlaying = true
      case .pause: state.isPlaying = false
      case .playPause: state.isPlaying.toggle()
      case .stop: (state.isPlaying, state.counted) = (false, .zero)
      case .next: (state.track, state.counted) = (state.track + 1, .zero)
      case .previous: (state.track, state.counted) = (max(1, state.track - 1), .zero)
      case .setPosition(_, let position): state.counted = position
      default: return false
      }
      return true
    }
    guard isKnown else { throw .notSupported("the counter plays, pauses, seeks and skips only") }
    continuation.yield(.changed)
    if case .setPosition(_, let position) = command { continuation.yield(.seeked(to: position)) }
  }
}

@main
struct HelloMPRIS {
  static func main() async throws {
    let service = MPRISService(identity: "Hello MPRIS", player: Counter())
    try await service.run()
  }
}
