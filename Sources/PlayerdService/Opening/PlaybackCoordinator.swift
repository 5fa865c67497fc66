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
  private let observation = AtomicLazyReference<Player.Observer>()

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
      pending.follow(PendingOpens.PlayerView(player.snapshot))
    }
  }

  // MARK: Commands

  func play() { command { play($0, &$1) } }

  /// Pauses, with the configured fade or at once.
  func pause(fading: Bool = true) { command { pause($0, &$1, fading: fading) } }

  /// Pauses if the state for clients is `playing`; plays otherwise.
  func playPause() {
    command { view, pending in
      if pending.status(view) == .playing { pause(view, &pending) } else { play(view, &pending) }
    }
  }

  func stop() {
    command { view, pending in
      pending.supersede(view)
      player.stop()
    }
  }

  func next() { command { skip($0, &$1) { player.advanceToNextItem() } } }

  func previous() { command { skip($0, &$1) { player.returnToPreviousItem() } } }

  /// Selects the track at a distance in the order of play, negative for an earlier one.
  ///
  /// - Returns: Whether there is such a track; if not, nothing changes.
  func advance(by distance: Int) -> Bool {
    command { view, pending in
      guard player.canAdvance(by: distance) else { return false }
      skip(view, &pending) { player.advance(by: distance) }
      return true
    }
  }

  /// Plays an item of the queue.
  func play(_ item: Player.Item.ID) {
    command { view, pending in
      pending.supersede(view)
      player.play(item: item)
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
