import EventLoop
import Playback
import Synchronization

/// Gives memory back to the system when no event of the player has occurred for some time, and after the start.
///
/// Its timer is one of the loop: an idle thread of libdispatch would wake the process once more when it ends.
final class IdleMemory: Sendable {
  private let loop: PollLoop
  private let delay: Duration
  private let release: @Sendable () -> Void
  private let timer = Mutex<EventSources.ID?>(nil)
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Observes a player whose observers are called on the loop.
  ///
  /// - Parameters:
  ///   - player: The player.
  ///   - loop: The loop of the timer.
  ///   - delay: The time after the last event.
  ///   - release: Called on the loop; it must not block.
  init(
    _ player: Player, on loop: PollLoop, after delay: Duration = .seconds(3), _ release: @escaping @Sendable () -> Void
  ) {
    self.loop = loop
    self.delay = delay
    self.release = release
    _ = observation.storeIfNil(player.addEventObserver { [weak self] _, _ in self?.wait() })
    loop.submit { [weak self] in self?.wait() }
  }

  /// Begins to wait, again.
  private func wait() {
    timer.withLock { timer in
      if let timer { loop.cancelTimer(timer) }
      timer = loop.timer(after: delay, release)
    }
  }

  /// Ends the observation.
  func stop() {
    observation.load()?.cancel()
    timer.withLock { if let timer = $0.take() { loop.cancelTimer(timer) } }
  }
}
