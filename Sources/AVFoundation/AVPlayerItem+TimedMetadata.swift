import Foundation
import GstPlayer
import Synchronization

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
