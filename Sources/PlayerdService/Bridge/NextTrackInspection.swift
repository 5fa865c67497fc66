import EventLoop
import Playback
import Synchronization

/// Inspects the track after the current one, so that its metadata is known when it becomes current.
///
/// The inspection begins after some seconds of playback, so that skipped tracks need none, and never in low power mode.
/// An edit of the queue begins the delay again. The first inspection of a process takes about 20 ms of CPU time and 0.7
/// MB of memory, because it loads the discoverer of GStreamer; each later one takes 3 ms.
final class NextTrackInspection: Sendable {
  /// The time of playback before the next track is inspected.
  static let delay = Duration.seconds(10)

  /// The state that determines the next track.
  private struct Subject: Equatable {
    let item: Player.Item.ID
    let revision: UInt64
    let isShuffled: Bool
    let loop: Player.LoopMode

    /// Returns nil unless a settled item plays.
    init?(_ state: Player.Snapshot) {
      guard state.transport == .playing, state.isSettled, let item = state.currentItem?.id else { return nil }
      self.item = item
      (revision, isShuffled, loop) = (state.queueRevision, state.isShuffled, state.loop)
    }
  }

  private let player: Player
  private let loop: PollLoop
  private let inspect: @Sendable (Player.Item) -> Void
  /// The subject for which the delay has begun or ended.
  private let state = Mutex<(subject: Subject, timer: EventSources.ID)?>(nil)
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Observes a player, which calls its observers on the loop's thread; `inspect` requests the inspection of a track, once.
  init(_ player: Player, on loop: PollLoop, inspect: @escaping @Sendable (Player.Item) -> Void) {
    self.player = player
    self.loop = loop
    self.inspect = inspect
    let observer = player.addEventObserver { [weak self] event, state in
      if event == .changed { self?.follow(state) }
    }
    _ = observation.storeIfNil(observer)
  }

  /// Handles a change of the player; called on the loop's thread.
  func follow(_ snapshot: Player.Snapshot) {
    let subject = Subject(snapshot)
    state.withLock { state in
      guard subject != state?.subject else { return }
      if let timer = state?.timer { loop.cancelTimer(timer) }
      state = subject.map { ($0, loop.timer(after: Self.delay) { [weak self] in self?.delayEnded() }) }
    }
  }

  private func delayEnded() {
    guard !player.isLowPowerModeEnabled, let next = player.nextItem else { return }
    inspect(next)
  }
}
