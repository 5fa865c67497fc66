import MPRISService
import Playback
import Synchronization

/// Removes each track from the queue when it was played, as long as it is turned on.
///
/// A track was played when it ended, or when another track became current that follows it in the order of play. A track that
/// failed, or that repeats, stays. Each removal is an edit of its own for `undo`.
final class PlayedTrackRemoval: Sendable {
  private struct State {
    var isOn: Bool
    /// The last track that failed.
    var failed: Player.Item.ID?
  }

  private let coordinator: PlaybackCoordinator
  /// Returns the playlist that the queue comes from; nil for none.
  private let playlist: @Sendable () -> MPRISPlaylist.ID?
  private let state: Mutex<State>

  init(_ coordinator: PlaybackCoordinator, isOn: Bool, playlist: @escaping @Sendable () -> MPRISPlaylist.ID?) {
    self.coordinator = coordinator
    self.playlist = playlist
    state = Mutex(State(isOn: isOn))
  }

  var isOn: Bool {
    get { state.withLock { $0.isOn } }
    set { state.withLock { $0.isOn = newValue } }
  }

  /// Follows an event of the player; `snapshot` is the state after it.
  func follow(_ event: Player.Event, _ snapshot: Player.Snapshot) {
    switch event {
    case .itemFailed(let item, _): state.withLock { $0.failed = item.id }
    case .itemDidPlayToEnd(let item):
      // The current track has ended only if playback stopped; otherwise it repeats.
      if isOn, snapshot.currentItem != item || snapshot.transport == .stopped { remove(item) }
    case .currentItemChanged(let item?, let next?):
      let hasFailed = state.withLock { $0.failed == item.id }
      if isOn, !hasFailed, snapshot.transport != .stopped { remove(item, before: next) }
    default: break
    }
  }

  private func remove(_ item: Player.Item, before next: Player.Item? = nil) {
    coordinator.removePlayed(item.id, before: next?.id, of: playlist())
  }
}
