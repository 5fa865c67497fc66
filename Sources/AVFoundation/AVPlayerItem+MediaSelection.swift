public import Foundation
import GstPlayer
import Synchronization

extension AVAsset {
  func mediaSelectionGroup(
    _ characteristic: AVMediaCharacteristic, in tracks: [AVAssetTrack]
  ) -> AVMediaSelectionGroup? {
    let tracks = tracks.filter { $0.mediaType == .audio }
    guard characteristic == .audible, tracks.count > 1 else { return nil }
    return AVMediaSelectionGroup(tracks.enumerated().map { AVMediaSelectionOption($1, index: $0) })
  }
}

extension AVPlayerItem {
  // MARK: Media selection

  /// Posted when another audio track of an item plays, on the main queue; the object is the item.
  nonisolated public static let mediaSelectionDidChangeNotification = Notification.Name(
    "AVPlayerItemMediaSelectionDidChangeNotification")

  /// Selects an audio track by its index.
  nonisolated func select(_ index: Int) {
    let facts = facts
    let selection = state.withLock { state in
      (state.selectedTrack, state.selectionOwner) = (index, nil)
      return state.id.flatMap { id in facts.flatMap { state.takeSelection(for: id, $0) } }
    }
    if let selection, snapshot != nil { owner?.player.selectAudioTrack(at: selection) }
  }
}

extension AVPlayer {
  nonisolated func applyCriteria() {
    player.preferredAudioLanguages = state.withLock { state in
      state.appliesCriteria ? state.criteria[.audible]?.preferredLanguages ?? [] : []
    }
  }
}
