import Foundation
import GstPlayer
import Synchronization

/// A player for a queue of items, with the interface of Apple's `AVQueuePlayer`.
///
/// An item leaves the queue when it has played. The next one follows without a gap. An item that fails is skipped,
/// except for the last.
@MainActor
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {  // adds no state
  /// Creates a player for items in order, and loads the first one.
  ///
  /// An item that belongs to a player is ignored, and so is a second occurrence.
  nonisolated public init(items: [AVPlayerItem]) {
    super.init()
    if !items.isEmpty { replaceItems(with: items) }
  }

  /// Creates a player without an item.
  nonisolated public override init() { super.init() }

  /// Creates a player for an item, and loads it.
  nonisolated public override init(playerItem item: AVPlayerItem?) { super.init(playerItem: item) }

  nonisolated override class var initialActionAtItemEnd: ActionAtItemEnd { .advance }

  /// Returns the current item and those after it.
  nonisolated public func items() -> [AVPlayerItem] { currentEntries.map(\.item) }

  /// Ends the current item, and makes the next one current; after the last one, the queue is empty.
  nonisolated public func advanceToNextItem() {
    guard let current = currentEntry else { return }
    remove(current.item)
  }

  /// Whether an item can be inserted: it belongs to no player, and `afterItem` is nil or in the queue.
  nonisolated public func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
    item.state.withLock { $0.player == nil } && (afterItem.map { items().contains($0) } ?? true)
  }

  /// Inserts an item after another, or at the end; an item that cannot be inserted is ignored.
  nonisolated public func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
    state.withLock { state in
      var index = state.entries.count
      if let afterItem {
        guard let place = state.entries.firstIndex(where: { $0.item === afterItem }) else { return }
        index = place + 1
      }
      guard let entry = attach(item, &state) else { return }
      let rate = currentRate(state)
      let isFirst = state.entries.isEmpty
      player.insert(contentsOf: [entry.playerItem], after: index > 0 ? state.entries[index - 1].id : nil)
      state.entries.insert(entry, at: index)
      if isFirst { start(at: rate, &state) }
    }
    changed()
  }

  /// Removes an item; if it is current, the next one becomes current.
  nonisolated public func remove(_ item: AVPlayerItem) {
    state.withLock { state in
      guard let entry = state.entries.first(where: { $0.item === item }) else { return }
      let rate = currentRate(state)
      depart([entry], &state)
      player.remove(entry.id)
      if state.entries.isEmpty { state.awaitedRate = rate }
    }
    changed()
  }

  /// Removes all items.
  nonisolated public func removeAllItems() { replaceItems(with: []) }

  /// Replaces the current item; the items after it stay.
  ///
  /// An item of the queue is ignored.
  nonisolated open override func replaceCurrentItem(with item: AVPlayerItem?) {
    let items = items()
    guard item == nil || !items.contains(where: { $0 === item }) else { return }
    replaceItems(with: (item.map { [$0] } ?? []) + items.dropFirst())
  }
}
