import MPRISService
import Playback
import Synchronization

/// Receives all clients' transport commands, for the player and for the requests that are being opened.
///
/// Commands and insertions are mutually exclusive, so a command during the opening of a request also applies to its
/// items. No call blocks; all calls are safe from any thread.
final class PlaybackCoordinator: Sendable {
  let player: Player
  private let opens: OpenQueue
  /// The last track inserted by a “next” request, and the track that was current then.
  private let nextRun = Mutex<(current: Player.Item.ID, last: Player.Item.ID)?>(nil)
  /// The edits for ``reverse(_:of:unless:)``.
  let history = Mutex(EditHistory())
  /// The last item whose start position a request has set.
  private let startedItem = Mutex<Player.Item.ID?>(nil)
  private let pauseReason = Mutex(PauseReason())
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Why playback is paused, if another player is the reason.
  private struct PauseReason {
    /// The name of the player, and when this one was paused for it.
    var pause: (other: String, instant: SuspendingClock.Instant)?
    /// Called when the name has changed, also under locks.
    var changed: @Sendable () -> Void = {}

    mutating func set(_ pause: (other: String, instant: SuspendingClock.Instant)?) {
      let isChanged = pause?.other != self.pause?.other
      self.pause = pause
      if isChanged { changed() }
    }
  }

  /// Observes the player.
  ///
  /// Create it before the other observers of its events, so that they see its result.
  init(_ player: Player, _ opens: OpenQueue) {
    self.player = player
    self.opens = opens
    _ = observation.storeIfNil(player.addEventObserver { [weak self] event, _ in self?.handleEvent(event) })
    opens.follow(player)
  }

  /// A consistent view of the player and the pending requests.
  struct Snapshot: Sendable {
    var player: Player.Snapshot
    /// The intended state of a pending request; nil if none becomes current.
    var intent: PendingOpens.Intent?
    /// The state for clients.
    var status: Player.Transport
    /// Whether a pending request changes the state for clients.
    var isOpening: Bool { status != player.transport }

    init(_ player: Player.Snapshot, _ pending: PendingOpens) {
      let view = PendingOpens.PlayerView(player)
      (self.player, intent, status) = (player, pending.intent(view), pending.status(view))
    }
  }

  var snapshot: Snapshot {
    opens.read { pending in
      let state = player.snapshot
      // The event of a pause may not have been delivered yet; commands do not wait for it either.
      var pending = pending
      pending.follow(PendingOpens.PlayerView(state))
      return Snapshot(state, pending)
    }
  }

  private func handleEvent(_ event: Player.Event) {
    opens.update { pending in
      // The commands follow the present state of the player, and so do the requests that they change.
      if event == .queueEnded { pending.queueEnded() }
      let view = PendingOpens.PlayerView(player.snapshot)
      pending.follow(view)
      if pending.status(view) != .paused { pauseReason.withLock { $0.set(nil) } }
    }
  }

  // MARK: Commands

  func play() { userCommand { play($0, &$1) } }

  /// Pauses, with the configured fade or at once.
  func pause(fading: Bool = true) {
    command { view, pending in
      // Another player may also pause this one when it starts, in addition to this player's own rule.
      pauseReason.withLock { reason in
        let isAnswer = reason.pause.map { $0.instant.duration(to: .now) < PauseRules.settling } ?? false
        if !isAnswer { reason.set(nil) }
      }
      pause(view, &pending, fading: fading)
    }
  }

  /// Pauses if the state for clients is `playing`; plays otherwise.
  func playPause() {
    userCommand { view, pending in
      if pending.status(view) == .playing { pause(view, &pending) } else { play(view, &pending) }
    }
  }

  func stop() {
    userCommand { view, pending in
      pending.supersede(view)
      player.stop()
    }
  }

  func next() { userCommand { skip($0, &$1) { player.advanceToNextItem() } } }

  func previous() { userCommand { skip($0, &$1) { player.returnToPreviousItem() } } }

  /// Selects the track at a distance in the order of play, negative for an earlier one.
  ///
  /// - Returns: Whether there is such a track; if not, nothing changes.
  func advance(by distance: Int) -> Bool {
    userCommand { view, pending in
      guard player.canAdvance(by: distance) else { return false }
      skip(view, &pending) { player.advance(by: distance) }
      return true
    }
  }

  /// Plays an item of the queue.
  func play(_ item: Player.Item.ID) {
    userCommand { view, pending in
      pending.supersede(view)
      player.play(item: item)
    }
  }

  /// Carries out a command after which playback does not resume when another player stops.
  private func userCommand<Result: Sendable>(
    _ body: (PendingOpens.PlayerView, inout PendingOpens) -> Result
  ) -> Result {
    command { view, pending in
      pauseReason.withLock { $0.set(nil) }
      return body(view, &pending)
    }
  }

  private func play(_ view: PendingOpens.PlayerView, _ pending: inout PendingOpens) {
    if pending.play(view) { player.play() }
  }

  private func pause(_ view: PendingOpens.PlayerView, _ pending: inout PendingOpens, fading: Bool = true) {
    pending.pause(view)
    player.pause(fading: fading)
  }

  /// Selects another item, in the state for clients.
  private func skip(_ view: PendingOpens.PlayerView, _ pending: inout PendingOpens, _ move: () -> Void) {
    let intent = pending.supersede(view)
    move()
    switch intent {
    case .playing: player.play()
    case .paused: player.load()
    case nil: break
    }
  }

  /// Carries out a command as one change for clients.
  func command<Result: Sendable>(
    _ body: (PendingOpens.PlayerView, inout PendingOpens) -> Result
  ) -> Result {
    opens.update { pending in
      let view = PendingOpens.PlayerView(player.snapshot)
      pending.follow(view)
      defer { pending.commanded(PendingOpens.PlayerView(player.snapshot)) }
      return body(view, &pending)
    }
  }

  // MARK: Other players

  /// The name of the other player for which playback is paused; nil for none.
  var pausedFor: String? { pauseReason.withLock { $0.pause?.other } }

  /// Sets a function that is called, on any thread and under locks, when ``pausedFor`` has changed.
  func observePausedFor(_ changed: @escaping @Sendable () -> Void) { pauseReason.withLock { $0.changed = changed } }

  /// Pauses for another player; if playback is paused, only notes the name of that player.
  func pause(for other: String) {
    command { view, pending in
      guard pending.status(view) != .stopped else { return }
      pause(view, &pending)
      pauseReason.withLock { $0.set((other, .now)) }
    }
  }

  /// Notes that playback stays paused, now for another player, unless a command has followed.
  func stayPaused(for other: String) {
    pauseReason.withLock { reason in
      if let pause = reason.pause { reason.set((other, pause.instant)) }
    }
  }

  /// Plays again after ``pause(for:)``, unless a command has followed.
  func resumeAfterOther() {
    command { view, pending in
      let isPaused = pauseReason.withLock { reason in
        defer { reason.set(nil) }
        return reason.pause != nil
      }
      if isPaused, pending.status(view) == .paused { play(view, &pending) }
    }
  }

  // MARK: Insertion

  /// The item that the tracks of a “next” request follow.
  ///
  /// This is the last track of the previous “next” request while the same track is current, else the current track.
  var predecessorOfNext: Player.Item? {
    let (items, index) = player.queue
    guard let index else { return nil }
    let run = nextRun.withLock { $0 }
    let last = run.flatMap { run in
      run.current == items[index].id ? items[index...].first { $0.id == run.last } : nil
    }
    return last ?? items[index]
  }

  /// Records the last track that a “next” request has inserted.
  func insertedNext(_ last: Player.Item.ID?) {
    guard let last, let current = player.snapshot.currentItem else { return }
    nextRun.withLock { $0 = (current.id, last) }
  }

  /// Records that a request has set the start position of an item.
  func setsStart(of item: Player.Item.ID) { startedItem.withLock { $0 = item } }

  /// Whether a request has set the start position of an item, which then does not resume at its saved position.
  func hasStart(_ item: Player.Item.ID) -> Bool { startedItem.withLock { $0 == item } }
}
