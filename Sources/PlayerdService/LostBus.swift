import EventLoop
import Playback
import Synchronization

/// Ends a daemon whose bus is lost, as at the end of a login session, when it plays nothing for a minute: no client can
/// reach it any more.
final class LostBus: Sendable {
  /// The time without the bus and without playback.
  static let limit = Duration.seconds(60)

  /// The rule: whether the time runs.
  struct Rule: Equatable, Sendable {
    var isLost = false
    var isPlaying = false

    var isRunning: Bool { isLost && !isPlaying }
  }

  private struct State {
    var rule = Rule()
    var timer: EventSources.ID?
  }

  private let player: Player
  private let loop: PollLoop
  private let limit: Duration
  private let ended: @Sendable () -> Void
  private let state = Mutex(State())
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Observes a player whose observers are called on the loop; `ended` is called there after the time.
  init(
    _ player: Player, on loop: PollLoop, after limit: Duration = LostBus.limit, _ ended: @escaping @Sendable () -> Void
  ) {
    (self.player, self.loop, self.limit, self.ended) = (player, loop, limit, ended)
    _ = observation.storeIfNil(player.addEventObserver { [weak self] _, snapshot in self?.follow(snapshot) })
    follow(player.snapshot)
  }

  /// Notes that the bus is lost, or that it is there again.
  func note(isLost: Bool) { update { $0.isLost = isLost } }

  private func follow(_ snapshot: Player.Snapshot) { update { $0.isPlaying = snapshot.transport == .playing } }

  private func update(_ change: (inout Rule) -> Void) {
    state.withLock { state in
      let wasRunning = state.rule.isRunning
      change(&state.rule)
      guard state.rule.isRunning != wasRunning else { return }
      if let timer = state.timer.take() { loop.cancelTimer(timer) }
      if state.rule.isRunning { state.timer = loop.timer(after: limit, ended) }
    }
  }

  /// Ends the observation.
  func stop() {
    observation.load()?.cancel()
    state.withLock { if let timer = $0.timer.take() { loop.cancelTimer(timer) } }
  }
}
