import Playback
import Synchronization

/// Keeps the failures of the queue's items; the failure of an item is forgotten when the item plays.
///
/// The number of entries is limited; the oldest are removed first.
final class ItemFailures: Sendable {
  /// The limit of entries.
  static let capacity = 1_000

  /// A failed item and its error.
  struct Failure: Sendable {
    var item: Player.Item
    var error: PlayerError
  }

  /// The failures, the latest last.
  private let entries = Mutex<[Failure]>([])
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Observes a player.
  init(_ player: Player) {
    _ = observation.storeIfNil(player.addEventObserver { [weak self] in self?.handle($0, $1) })
  }

  /// Returns the error of an item; nil if it has not failed, or has played since.
  func error(of item: Player.Item.ID) -> PlayerError? {
    entries.withLock { entries in entries.last { $0.item.id == item }?.error }
  }

  /// Returns the latest failure of an item in the queue of a player; nil for none.
  func last(in player: Player) -> Failure? { entries.withLock { $0 }.last { player.contains($0.item.id) } }

  private func handle(_ event: Player.Event, _ state: Player.Snapshot) {
    switch event {
    case .itemFailed(let item, let error):
      entries.withLock { entries in
        entries.removeAll { $0.item.id == item.id }
        entries.append(Failure(item: item, error: error))
        if entries.count > Self.capacity { entries.removeFirst() }
      }
    case .changed where state.timeControlStatus == .playing:
      guard let item = state.currentItem?.id else { return }
      entries.withLock { entries in
        if !entries.isEmpty { entries.removeAll { $0.item.id == item } }
      }
    default: break
    }
  }
}
