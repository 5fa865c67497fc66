import CoreMedia
import Foundation
import GstPlayer
import Synchronization

/// The state of an ``AVPlayerItem``.
struct AVPlayerItemState {
  weak var player: AVPlayer?
  /// The last player; it has the logs of the item.
  weak var logPlayer: AVPlayer?
  /// The identity in the player's queue; nil unless the item belongs to a player.
  var id: Player.Item.ID?
  /// The last known facts after the item has left its player.
  var lastFacts: ItemFacts?
  var failure: (any Error)?
  /// The range of the media for a looper; `invalid` for the whole media.
  var clip = CMTimeRange.invalid
  var forwardEnd = CMTime.invalid
  var reverseEnd = CMTime.invalid
  var forwardBuffer: TimeInterval = 0
  var externalMetadata: [AVMetadataItem] = []
  var nowPlayingInfo = NowPlayingInfo()
  var outputs: [AVPlayerItemOutput] = []
}

/// The info that a program gives for an item.
struct NowPlayingInfo: @unchecked Sendable {  // the values are only read
  var values: [String: Any]?
}

/// The facts of a snapshot about one item.
struct ItemFacts: Sendable {
  var isReady: Bool
  var duration: Duration?
  var start: Duration
  var position: Duration
  var isSeekable: Bool
  /// The audio tracks, and the index of the one that plays.
  var audioTracks: [AudioTrack]
  var audioTrackIndex: Int?

  init(_ snapshot: Player.Snapshot, start: Duration) {
    isReady = snapshot.itemStatus == .readyToPlay
    duration = snapshot.duration
    self.start = start
    position = snapshot.position
    isSeekable = snapshot.isSeekable
    audioTracks = snapshot.audioTracks
    audioTrackIndex = snapshot.audioTrackIndex
  }
}

extension AVPlayerItem {
  // MARK: The player of the item

  /// The player of the item; nil for none.
  nonisolated var owner: AVPlayer? { state.withLock { $0.player } }

  /// Adds the item to a player; returns false if it belongs to a player already.
  nonisolated func attach(to player: AVPlayer) -> Bool {
    let isFree = state.withLock { state in
      guard state.player == nil else { return false }
      state.player = player
      state.logPlayer = player
      state.failure = nil
      state.lastFacts = nil
      return true
    }
    if isFree {
      // An item without a preference keeps that of the items before it.
      if state.withLock({ $0.forwardBuffer > 0 }) { applyForwardBuffer() }
      for output in outputs { output.connect() }
    }
    return isFree
  }

  /// Passes the preferred forward buffer to the player.
  nonisolated func applyForwardBuffer() {
    let (player, seconds) = state.withLock { ($0.player, $0.forwardBuffer) }
    // The player's limit; a number that exceeds a `Duration` would trap.
    player?.player.preferredForwardBufferDuration = seconds > 0 ? .seconds(min(seconds, 600)) : nil
  }

  nonisolated func detach(from player: AVPlayer) {
    state.withLock { state in
      guard state.player === player else { return }
      state.player = nil
      state.id = nil
    }
    for output in outputs { output.connect() }
  }

  /// Creates another identity of the item for its player's queue.
  nonisolated func newPlayerItem() -> Player.Item {
    state.withLock { state in
      let item = asset.playerItem(
        start: state.clip.start.duration ?? .zero, end: state.clip.end.duration ?? state.forwardEnd.duration)
      state.id = item.id
      return item
    }
  }

  /// The snapshot of the player while the item is current; nil otherwise.
  nonisolated var snapshot: Player.Snapshot? {
    let (player, id) = state.withLock { ($0.player, $0.id) }
    guard let snapshot = player?.player.snapshot, let id, snapshot.currentItem?.id == id else { return nil }
    return snapshot
  }

  /// The present facts while the item is current, and then the last ones; nil before.
  nonisolated var facts: ItemFacts? {
    let last = state.withLock { $0.lastFacts }
    guard let snapshot, let item = snapshot.currentItem else { return last }
    // A stopped player has released the item, which stays ready and at its end.
    if let last, snapshot.transport == .stopped || snapshot.itemStatus != .readyToPlay { return last }
    return ItemFacts(snapshot, start: item.start)
  }

  /// Keeps the end as the last time of an item that has played.
  nonisolated func recordEnd() {
    state.withLock { state in
      if let duration = state.lastFacts?.duration { state.lastFacts?.position = duration }
    }
  }

  // MARK: Failure

  nonisolated var hasFailed: Bool { error != nil }

  // MARK: Copies

  /// Returns a copy that plays a range of the media; `invalid` for all of it.
  nonisolated func replica(of clip: CMTimeRange) -> AVPlayerItem {
    let settings = state.withLock { ($0.forwardEnd, $0.reverseEnd, $0.forwardBuffer, $0.externalMetadata) }
    let copy = AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: automaticallyLoadedAssetKeys)
    copy.state.withLock { state in
      (state.forwardEnd, state.reverseEnd, state.forwardBuffer, state.externalMetadata) = settings
      state.clip = clip
    }
    return copy
  }
}
