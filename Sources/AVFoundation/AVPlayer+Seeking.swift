import Foundation
import GstPlayer

/// Carries out the seeks of a player and its items.
extension AVPlayer {
  nonisolated func seek(
    to time: CMTime, within tolerance: Player.SeekTolerance, of item: AVPlayerItem? = nil,
    _ completion: (@Sendable (Bool) -> Void)?
  ) {
    guard let position = position(of: time, in: item) else {
      return complete(completion.map { [$0] } ?? [], with: false)
    }
    let seek = player.seek(to: position, within: tolerance)
    if let completion { seek.whenFinished { isCompleted in MainQueue.async { completion(isCompleted) } } }
    changed()
  }

  nonisolated func seek(
    to time: CMTime, within tolerance: Player.SeekTolerance, of item: AVPlayerItem? = nil
  ) async -> Bool {
    guard let position = position(of: time, in: item) else { return false }
    return await player.seek(to: position, within: tolerance).isCompleted
  }

  /// Returns the position of a time in the current item; nil if there is none, or if it is not `item`.
  nonisolated private func position(of time: CMTime, in item: AVPlayerItem?) -> Duration? {
    guard let entry = currentEntry, item == nil || entry.item === item, !entry.item.hasFailed else { return nil }
    if time.isPositiveInfinity { return player.snapshot.duration }
    return time.isNegativeInfinity ? .zero : time.duration.map { $0 - entry.playerItem.start }
  }
}

extension Player.SeekTolerance {
  /// Creates a tolerance of two times; one that is not numeric is infinite.
  init(_ before: CMTime, _ after: CMTime) {
    let infinity = Self.infinity
    self.init(before: before.duration ?? infinity.before, after: after.duration ?? infinity.after)
  }
}
