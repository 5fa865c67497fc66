public import Foundation
import GstPlayer
import Synchronization

/// Repeats an item in a queue player without a gap, with the interface of Apple's `AVPlayerLooper`.
///
/// It plays one copy of the template again and again, whereas Apple's rotates at least three.
@preconcurrency @MainActor
open class AVPlayerLooper: NSObject, AVKeyValueObserving {
  nonisolated private struct State {
    /// The player, which plays on when its looper is released.
    weak var player: AVQueuePlayer?
    var loopCount = 0
    var isDisabled = false
  }

  /// The status of a looper.
  public enum Status: Int, Sendable {
    /// The item is not ready yet.
    case unknown = 0
    /// The item loops.
    case ready = 1
    /// The item has failed.
    case failed = 2
    /// Looping was disabled.
    case cancelled = 3
  }

  /// The order of the looping item and those in the queue before.
  public enum ItemOrdering: Int, Sendable {
    /// The looping item is the first.
    case loopingItemsPrecedeExistingItems = 0
    /// The looping item is the last.
    case loopingItemsFollowExistingItems = 1
  }

  nonisolated private let replica: AVPlayerItem
  nonisolated private let state: Mutex<State>
  /// The observers of the properties of the looper.
  nonisolated public let keyValueObservers = AVKeyValueObservers()

  /// Creates a looper for an item; it precedes the items in the queue.
  ///
  /// - Parameters:
  ///   - player: The player.
  ///   - itemToLoop: The item; a copy of it plays.
  ///   - loopRange: The range of the media; an invalid or empty one is the whole media. With an infinite or indefinite
  ///     duration, it ends with the media.
  nonisolated public convenience init(
    player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange = .invalid
  ) {
    self.init(
      player: player, templateItem: itemToLoop, timeRange: loopRange,
      existingItemsOrdering: .loopingItemsPrecedeExistingItems)
  }

  /// Creates a looper for an item, and inserts a copy of it before or after the items in the queue.
  nonisolated public init(
    player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange,
    existingItemsOrdering itemOrdering: ItemOrdering
  ) {
    replica = itemToLoop.replica(of: loopRange.isValid && !loopRange.isEmpty ? loopRange : .invalid)
    state = Mutex(State(player: player))
    super.init()
    player.state.withLock { $0.looper = self }
    switch itemOrdering {
    case .loopingItemsPrecedeExistingItems: player.replaceItems(with: [replica] + player.items())
    case .loopingItemsFollowExistingItems: player.insert(replica, after: nil)
    }
    player.updateLoop()
  }

  /// Whether the item loops.
  nonisolated open var status: Status {
    if state.withLock({ $0.isDisabled }) { return .cancelled }
    return switch replica.status {
    case .unknown: .unknown
    case .readyToPlay: .ready
    case .failed: .failed
    }
  }

  /// The error of the item; nil unless it has failed.
  nonisolated open var error: (any Error)? { replica.error }

  /// The number of repetitions so far.
  nonisolated open var loopCount: Int { state.withLock { $0.loopCount } }

  /// The copy of the template that loops; empty when looping is disabled.
  nonisolated open var loopingPlayerItems: [AVPlayerItem] { state.withLock { $0.isDisabled } ? [] : [replica] }

  /// Ends looping; the item plays to its end, and then the next one.
  nonisolated open func disableLooping() {
    state.withLock { $0.isDisabled = true }
    state.withLock { $0.player }?.updateLoop()
  }

  deinit { state.withLock { $0.player }?.updateLoop() }

  /// Counts a repetition if the item of the identity is the copy.
  nonisolated func count(_ id: Player.Item.ID) {
    if replica.state.withLock({ $0.id }) == id { state.withLock { $0.loopCount += 1 } }
  }
}

extension AVPlayer {
  /// Repeats the current item if it belongs to an enabled looper.
  nonisolated func updateLoop() {
    let looper = state.withLock { state in
      let looper = state.looper
      let item = looper?.loopingPlayerItems.first
      let current = player.snapshot.currentItem?.id
      player.loop = state.entries.contains { $0.id == current && $0.item === item } ? .track : .none
      return looper
    }
    // If this is the last reference, it is released outside the lock: `deinit` calls this function.
    withExtendedLifetime(looper) { changed() }
  }
}
