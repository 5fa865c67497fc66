import Foundation
import GstPlayer
import Synchronization

extension AVPlayerItem {
  /// The timed metadata at the current time, such as the title of a station; nil before the first.
  ///
  /// It is followed from the first time that it is read or observed.
  ///
  /// <https://developer.apple.com/documentation/avfoundation/avplayeritem/timedmetadata>
  nonisolated public var timedMetadata: [AVMetadataItem]? {
    let (metadata, isFirst) = state.withLock { state in
      defer { state.followsTimedMetadata = true }
      return (state.timedMetadata, !state.followsTimedMetadata)
    }
    if isFirst, let owner { owner.state.withLock { owner.followTimedMetadata(&$0) } }
    return metadata
  }
}

extension AVPlayer {
  /// Keeps the timed metadata of the items from now on.
  nonisolated func followTimedMetadata(_ state: inout AVPlayerState) {
    guard state.timedMetadataObservation == nil else { return }
    state.timedMetadataObservation = player.addTimedMetadataObserver(advance: .zero) { [weak self] metadata in
      guard let self, let group = metadata.group(withIdentifiers: []),
        let item = self.state.withLock({ $0.logItems[metadata.item.id] })
      else { return }
      item.state.withLock { $0.timedMetadata = group.items }
      schedulePublication()
    }
  }
}
