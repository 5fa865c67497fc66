import GstPlayer
import Synchronization

/// Carries out the transport commands of all clients, on the player and on the requests that are being opened.
///
/// Commands and the insertion of items exclude each other, so a command that arrives while a request is being opened
/// applies to its items as well. No call blocks; all may be made from any thread.
final class PlaybackCoordinator: Sendable {
  let player: Player
  private let opens: OpenQueue
  /// The last track that a “next” request has inserted, and the current track at that time.
  private let nextRun = Mutex<(current: PlayerItem.ID, last: PlayerItem.ID)?>(nil)
  /// Set once, by the initializer.
  private let observation = Mutex<PlayerObservation?>(nil)

  /// Follows the player; to be created before the other observers of its events, which see the result.
  init(_ player: Player, _ opens: OpenQueue) {
    self.player = player
    self.opens = opens
    let events = player.addEventObserver { [weak self] in self?.heard($0) }
    observation.withLock { $0 = events }
  }

  /// One consistent view of the player and the pending requests.
  struct Snapshot: Sendable {
    var player: Player.Snapshot
    /// The state that a pending request is to bring about; nil when none is to become current.
    var intent: PendingOpens.Intent?
    /// The state that clients see.
    var status: Player.Transport
    /// Whether a pending request makes clients see another state than the player's.
    var isOpening: Bool { status != player.transport }
  }

  var snapshot: Snapshot {
    opens.read { pending in
      let state = player.snapshot
      let view = PendingOpens.PlayerView(state)
      return Snapshot(player: state, intent: pending.intent(view), status: pending.status(view))
    }
  }

  private func heard(_ event: PlayerEvent) {
    opens.update { pending in
      if event == .queueEnded { pending.queueEnded() }
      pending.follow(PendingOpens.PlayerView(player.snapshot))
    }
  }

  // MARK: Commands

  func play() { command { play($0, &$1) } }

  /// Pauses, with the fade that is configured or at once.
  func pause(fading: Bool = true) { command { pause($0, &$1, fading: fading) } }

  /// Pauses when clients see `playing`, plays otherwise.
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

  func next() { command { skip($0, &$1) { player.next() } } }

  func previous() { command { skip($0, &$1) { player.previous() } } }

  /// Plays an item of the queue.
  func play(_ item: PlayerItem.ID) {
    command { view, pending in
      pending.supersede(view)
      player.play(item)
    }
  }

  private func play(_ view: PendingOpens.PlayerView, _ pending: inout PendingOpens) {
    if pending.play(view) { player.play() }
  }

  private func pause(_ view: PendingOpens.PlayerView, _ pending: inout PendingOpens, fading: Bool = true) {
    pending.pause(view)
    if fading { player.pause() } else { player.pauseAtOnce() }
  }

  /// Goes to another item, in the state that clients see.
  private func skip(_ view: PendingOpens.PlayerView, _ pending: inout PendingOpens, _ move: () -> Void) {
    let intent = pending.supersede(view)
    move()
    switch intent {
    case .playing: player.play()
    case .paused: player.prepare()
    case nil: break
    }
  }

  private func command<Result: Sendable>(
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

  /// The item that the tracks of a “next” request follow: the last track of the request before while the same track is
  /// current, else the current one.
  var predecessorOfNext: PlayerItem? {
    let (items, index) = player.queue
    guard let index else { return nil }
    let run = nextRun.withLock { $0 }
    let last = run.flatMap { run in
      run.current == items[index].id ? items[index...].first { $0.id == run.last } : nil
    }
    return last ?? items[index]
  }

  /// Notes the last track that a “next” request has inserted.
  func insertedNext(_ last: PlayerItem.ID?) {
    guard let last, let current = player.snapshot.currentItem else { return }
    nextRun.withLock { $0 = (current.id, last) }
  }

  /// Runs `body`, which inserts items of a request; unless the request was cancelled.
  ///
  /// `body` receives the state to bring about with the first of these items; nil when playback continues as it is.
  ///
  /// - Returns: Whether `body` has run.
  func insert(_ id: PendingOpens.ID, _ body: (PendingOpens.Intent?) -> Void) -> Bool {
    command { _, pending in
      guard pending.contains(id) else { return false }
      body(pending.insert(id))
      return true
    }
  }
}
