public import Foundation
import GstPlayer

extension AVPlayer {
  /// Seeks near a time; the fastest of all forms.
  nonisolated public func seek(to time: CMTime) { seek(to: time, within: .infinity, nil) }

  /// Seeks near a time, and calls `completionHandler` on the main queue with the result.
  nonisolated public func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
    seek(to: time, within: .infinity, completionHandler)
  }

  /// Seeks near a time, and waits for the result.
  ///
  /// - Returns: False if another seek or another item came first, or if the item is missing, not seekable or has failed.
  @discardableResult
  nonisolated public func seek(to time: CMTime) async -> Bool { await seek(to: time, within: .infinity) }

  /// Seeks to a time within tolerances; zero is exact.
  nonisolated public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter), nil)
  }

  /// Seeks to a time within tolerances, and calls `completionHandler` on the main queue with the result.
  nonisolated public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter), completionHandler)
  }

  /// Seeks to a time within tolerances, and waits for the result.
  @discardableResult
  nonisolated public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter))
  }

  /// Does nothing, because media does not have dates here.
  nonisolated public func seek(to date: Date) {}

  /// Calls `completionHandler` with false on the main queue, because media does not have dates here.
  nonisolated public func seek(to date: Date, completionHandler: @escaping @Sendable (Bool) -> Void) {
    complete([completionHandler], with: false)
  }

  /// Returns false, because media does not have dates here.
  @discardableResult
  nonisolated public func seek(to date: Date) async -> Bool { false }

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
