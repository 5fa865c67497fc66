public import Foundation
import GstPlayer

/// An audio track of a player item, with the interface of Apple's `AVPlayerItemTrack`.
@preconcurrency @MainActor
open class AVPlayerItemTrack: NSObject {
  /// The track of the asset.
  nonisolated open var assetTrack: AVAssetTrack? { trackOfAsset }
  nonisolated private let trackOfAsset: AVAssetTrack?
  nonisolated private let item: AVPlayerItem
  nonisolated private let index: Int

  nonisolated init(_ assetTrack: AVAssetTrack?, of item: AVPlayerItem, index: Int) {
    trackOfAsset = assetTrack
    self.item = item
    self.index = index
  }

  /// Whether the track plays; setting true selects it, and deselects the others.
  ///
  /// Setting false is ignored, because one track is always selected.
  nonisolated open var isEnabled: Bool {
    get { item.facts?.audioTrackIndex == index }
    set { if newValue { item.select(index) } }
  }

  /// The frame rate of video, always 0.
  nonisolated open var currentVideoFrameRate: Float { 0 }

  /// Whether two objects are the same track of the same item.
  nonisolated open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVPlayerItemTrack else { return false }
    return other.item === item && other.index == index
  }

  /// The hash of the item and the index.
  nonisolated open override var hash: Int { ObjectIdentifier(item).hashValue ^ index }
}

extension AVPlayerItem {
  nonisolated var currentTracks: [AVPlayerItemTrack] {
    guard let facts else { return [] }
    return facts.audioTracks.enumerated().map { index, track in
      let number = CMPersistentTrackID(index + 1)
      let assetTrack = AVAssetTrack(track, number: number, of: asset, duration: durationWithoutForwardEnd)
      return AVPlayerItemTrack(assetTrack, of: self, index: index)
    }
  }
}
