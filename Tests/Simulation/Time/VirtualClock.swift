import Playback
import Synchronization

/// The clock of a simulated player: it stands until the run advances it.
final class VirtualClock: PlaybackClock {
  private struct State {
    var now = MonotonicTime(nanoseconds: VirtualClock.start)
    var wake: (instant: MonotonicTime, body: @Sendable () -> Void)?
    var due: [@Sendable () -> Void] = []
  }

  /// The first instant of a run, in nanoseconds.
  static let start: Int64 = 1_000_000_000_000

  private let state = Mutex(State())

  var now: MonotonicTime { state.withLock { $0.now } }

  /// The instant of the wake-up that the player has set.
  var wake: MonotonicTime? { state.withLock { $0.wake?.instant } }

  func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in state.wake = instant.map { ($0, body) } }
  }

  func run(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.due.append(body) } }

  /// Advances the clock; it never goes back.
  func advance(to instant: MonotonicTime) { state.withLock { $0.now = max($0.now, instant) } }

  /// Removes the wake-up if it is due, and returns its body.
  func takeWake() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard let wake = state.wake, wake.instant <= state.now else { return nil }
      state.wake = nil
      return wake.body
    }
  }

  /// Removes and returns the calls that were requested.
  func takeDue() -> [@Sendable () -> Void] {
    state.withLock { state in
      defer { state.due = [] }
      return state.due
    }
  }
}
