public import Foundation
import GstPlayer
import Synchronization

/// A player for a queue of items, with the interface of Apple's `AVQueuePlayer`.
///
/// An item leaves the queue when it has played. The next one follows without a gap. An item that fails is skipped,
/// except for the last.
@preconcurrency @MainActor
open class AVQueuePlayer: AVPlayer {
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

  /// Creates a player for the media of a URL, and loads it.
  nonisolated public override init(url URL: URL) { super.init(url: URL) }

  nonisolated override class var initialActionAtItemEnd: ActionAtItemEnd { .advance }

  /// The time in seconds, 0 to 15, in which the end of an item and the start of the next one are audible together; 0, the
  /// initial value, for none.
  ///
  /// An addition to Apple's class. The next item becomes ``AVPlayer/currentItem`` with its first sample, and
  /// `AVPlayerItemDidPlayToEndTime` is posted when the last sample of the previous one has been played. Items of one
  /// album follow without a gap; see `Player.crossfade`.
  nonisolated open var crossfadeDuration: TimeInterval {
    get { player.crossfade / .seconds(1) }
    set {
      if newValue.isFinite {
        player.crossfade = .seconds(min(max(0, newValue), Player.Crossfade.lengths.upperBound / .seconds(1)))
      }
    }
  }

  /// Returns the current item and those after it.
  nonisolated open func items() -> [AVPlayerItem] { currentEntries.map(\.item) }

  /// Ends the current item, and makes the next one current; after the last one, the queue is empty.
  nonisolated open func advanceToNextItem() {
    if let current = currentEntry { remove(current.item) }
  }

  /// Whether an item can be inserted: it belongs to no player, and `afterItem` is nil or in the queue.
  nonisolated open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
    item.state.withLock { $0.player == nil } && (afterItem.map { items().contains($0) } ?? true)
  }

  /// Inserts an item after another, or at the end; an item that cannot be inserted is ignored.
  nonisolated open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
    state.withLock { state in
      let place = afterItem == nil ? state.entries.indices.last : state.entries.firstIndex { $0.item === afterItem }
      guard afterItem == nil || place != nil, let entry = attach(item, &state) else { return }
      let rate = currentRate(state)
      player.insert(contentsOf: [entry.playerItem], after: place.map { state.entries[$0].id })
      state.entries.insert(entry, at: place.map { $0 + 1 } ?? 0)
      if place == nil { start(at: rate, &state) }
    }
    changed()
  }

  /// Removes an item; if it is current, the next one becomes current.
  nonisolated open func remove(_ item: AVPlayerItem) {
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
  nonisolated open func removeAllItems() { replaceItems(with: []) }

  /// Replaces the current item; the items after it stay.
  ///
  /// An item of the queue is ignored.
  nonisolated open override func replaceCurrentItem(with item: AVPlayerItem?) {
    let items = items()
    guard item == nil || !items.contains(where: { $0 === item }) else { return }
    replaceItems(with: (item.map { [$0] } ?? []) + items.dropFirst())
  }
}
