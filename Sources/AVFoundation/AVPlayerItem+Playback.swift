import Foundation
import GstPlayer

/// Carries out the seeks of an item.
extension AVPlayerItem {
  nonisolated func seek(
    to time: CMTime, within tolerance: Player.SeekTolerance, _ completion: (@Sendable (Bool) -> Void)?
  ) {
    if let owner { return owner.seek(to: time, within: tolerance, of: self, completion) }
    if let completion { MainQueue.async { completion(false) } }
  }

  nonisolated func seek(to time: CMTime, within tolerance: Player.SeekTolerance) async -> Bool {
    await owner?.seek(to: time, within: tolerance, of: self) ?? false
  }

  nonisolated func values(_ ranges: [Range<Duration>]?) -> [NSValue] {
    let start = facts?.start ?? .zero
    return (ranges ?? []).map { range in
      NSValue(timeRange: CMTimeRange(start: CMTime(range.lowerBound + start), end: CMTime(range.upperBound + start)))
    }
  }
}
