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
  /// The last timed metadata; followed from the first time that it is read.
  var timedMetadata: [AVMetadataItem]?
  var followsTimedMetadata = false
  /// The treatment of the pitch; nil if the program has not set it.
  var timePitch: AVAudioTimePitchAlgorithm?
  var stored = StoredItemSettings()
  var audioMix: AVAudioMix?
  /// The index of the audio track that the program has selected; nil for none.
  var selectedTrack: Int?
  /// The identity of the item whose playback has the selected track.
  var selectionOwner: Player.Item.ID?
}

extension AVPlayerItemState {
  /// Returns the index of the audio track that the program has selected, once for each playback of the item.
  mutating func takeSelection(for id: Player.Item.ID, _ facts: ItemFacts) -> Int? {
    guard let selectedTrack, selectionOwner != id, facts.audioTracks.indices.contains(selectedTrack) else { return nil }
    selectionOwner = id
    return selectedTrack == facts.audioTrackIndex ? nil : selectedTrack
  }
}

/// The info that a program gives for an item.
struct NowPlayingInfo: @unchecked Sendable {  // the values are only read
  var values: [String: Any]?
}

/// The facts of a snapshot about one item.
struct ItemFacts: Sendable {
  var isReady: Bool
  /// The duration of the item; the media may be longer.
  var duration: Duration?
  /// The duration of the media.
  var fullDuration: Duration?
  var start: Duration
  var position: Duration
  var isSeekable: Bool
  /// The audio tracks, and the index of the one that plays.
  var audioTracks: [AudioTrack]
  var audioTrackIndex: Int?

  init(_ snapshot: Player.Snapshot, of item: Player.Item, after last: ItemFacts? = nil) {
    let start = item.start
    isReady = snapshot.itemStatus == .readyToPlay
    duration = snapshot.duration
    // While a paused player has released its media, the last duration holds.
    fullDuration = item.isClip ? snapshot.mediaDuration ?? last?.fullDuration : snapshot.duration
    self.start = start
    position = snapshot.position
    // A station whose received data is kept has a seekable range, and plays at the normal rate only.
    isSeekable = snapshot.isSeekable && (snapshot.duration != nil || snapshot.seekableTimeRanges.isEmpty)
    audioTracks = snapshot.audioTracks
    audioTrackIndex = snapshot.audioTrackIndex
  }

  /// Returns the description of the media, as far as the player knows it: without a track for video.
  func description(_ snapshot: Player.Snapshot) -> MediaDescription {
    var description = MediaDescription()
    description.duration = fullDuration
    description.metadata = snapshot.metadata
    description.isSeekable = isSeekable
    description.audioTracks = audioTracks
    description.chapters = snapshot.chapters
    return description
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
      // An item without a preference keeps the buffer of the items before it.
      if state.withLock({ $0.forwardBuffer > 0 }) { applyForwardBuffer() }
      applyTimePitch()
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
    return ItemFacts(snapshot, of: item, after: last)
  }

  /// The duration of the media, or of the range for an item of a looper.
  nonisolated var durationWithoutForwardEnd: Duration? {
    state.withLock({ $0.clip.isValid }) ? facts?.duration : facts?.fullDuration
  }

  /// Keeps the end as the last time of an item that has played.
  nonisolated func recordEnd() {
    state.withLock { state in
      if let duration = state.lastFacts?.duration { state.lastFacts?.position = duration }
    }
  }

  /// Follows a snapshot of the player in which the item is current and ready; called under the lock of the player's state.
  nonisolated func follow(_ snapshot: Player.Snapshot, as playerItem: Player.Item) {
    let (facts, old, selection) = state.withLock { state in
      let facts = ItemFacts(snapshot, of: playerItem, after: state.lastFacts)
      let old = state.lastFacts?.audioTrackIndex
      state.lastFacts = facts
      let selection = state.takeSelection(for: playerItem.id, facts)
      return (facts, old, selection)
    }
    if !playerItem.isClip {
      media.loader.setPlaying(facts.description(snapshot), revision: snapshot.detailsRevision)
    }
    if let selection { owner?.player.selectAudioTrack(at: selection) }
    guard old != facts.audioTrackIndex else { return }
    if audioMix != nil { owner?.player.setVolumeCurve(volumeCurve, of: playerItem.id) }
    guard old != nil else { return }
    MainQueue.async { [self] in
      NotificationCenter.default.post(name: Self.mediaSelectionDidChangeNotification, object: self)
    }
  }

  // MARK: Failure

  nonisolated var hasFailed: Bool { error != nil }

  // MARK: Copies

  /// Returns a copy that plays a range of the media; `invalid` for all of it.
  nonisolated func replica(of clip: CMTimeRange) -> AVPlayerItem {
    let original = state.withLock { state in
      var copy = AVPlayerItemState()
      (copy.forwardEnd, copy.reverseEnd) = (state.forwardEnd, state.reverseEnd)
      (copy.forwardBuffer, copy.timePitch) = (state.forwardBuffer, state.timePitch)
      copy.audioMix = state.audioMix
      (copy.externalMetadata, copy.stored) = (state.externalMetadata, state.stored)
      copy.selectedTrack = state.selectedTrack
      return copy
    }
    let copy = AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: automaticallyLoadedAssetKeys)
    copy.state.withLock { state in
      state = original
      state.clip = clip
    }
    return copy
  }
}
