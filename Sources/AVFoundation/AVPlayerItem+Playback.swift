public import Foundation
import GstPlayer
import Synchronization

extension AVPlayerItem {
  // MARK: Seeking

  /// Seeks near a time while the item is current, and calls `completionHandler` on the main queue with the result.
  ///
  /// The result is false unless the item is current.
  nonisolated public func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
    seek(to: time, within: .infinity, completionHandler)
  }

  /// Seeks near a time while the item is current, and waits for the result.
  @discardableResult
  nonisolated public func seek(to time: CMTime) async -> Bool { await seek(to: time, within: .infinity) }

  /// Seeks to a time within tolerances; zero is exact.
  nonisolated public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: (@Sendable (Bool) -> Void)?
  ) {
    seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter), completionHandler)
  }

  /// Seeks to a time within tolerances, and waits for the result.
  @discardableResult
  nonisolated public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter))
  }

  /// Returns false and does not call `completionHandler`, because media does not have dates here.
  @discardableResult
  nonisolated public func seek(to date: Date, completionHandler: (@Sendable (Bool) -> Void)?) -> Bool { false }

  /// Finishes every pending seek with false; a seek that has begun is still carried out.
  nonisolated public func cancelPendingSeeks() { if snapshot != nil { owner?.player.cancelPendingSeeks() } }

  nonisolated private func seek(
    to time: CMTime, within tolerance: Player.SeekTolerance, _ completion: (@Sendable (Bool) -> Void)?
  ) {
    if let owner { return owner.seek(to: time, within: tolerance, of: self, completion) }
    if let completion { MainQueue.async { completion(false) } }
  }

  nonisolated private func seek(to time: CMTime, within tolerance: Player.SeekTolerance) async -> Bool {
    await owner?.seek(to: time, within: tolerance, of: self) ?? false
  }

  // MARK: Capabilities

  /// Whether rates above 1 are possible: while the item is seekable.
  nonisolated public var canPlayFastForward: Bool { facts?.isSeekable ?? false }
  /// Whether rates between 0 and 1 are possible: while the item is seekable.
  nonisolated public var canPlaySlowForward: Bool { facts?.isSeekable ?? false }
  /// Whether the rate −1 is possible; always false.
  nonisolated public var canPlayReverse: Bool { false }
  /// Whether rates below −1 are possible; always false.
  nonisolated public var canPlayFastReverse: Bool { false }
  /// Whether rates between −1 and 0 are possible; always false.
  nonisolated public var canPlaySlowReverse: Bool { false }
  /// Whether the item can step forwards; always false, because only audio is played.
  nonisolated public var canStepForward: Bool { false }
  /// Whether the item can step backwards; always false, because only audio is played.
  nonisolated public var canStepBackward: Bool { false }
  /// The size of the video; always zero, because only audio is played.
  nonisolated public var presentationSize: CGSize { .zero }

  // MARK: The buffer

  /// The received ranges, as values of `CMTimeRange`; for a network stream, an estimate.
  nonisolated public var loadedTimeRanges: [NSValue] {
    observed(\.loadedTimeRanges, values(snapshot?.loadedTimeRanges))
  }

  /// The ranges in which the item can seek, as values of `CMTimeRange`.
  nonisolated public var seekableTimeRanges: [NSValue] {
    observed(\.seekableTimeRanges, values(snapshot?.seekableTimeRanges))
  }

  nonisolated private func values(_ ranges: [Range<Duration>]?) -> [NSValue] {
    let start = facts?.start ?? .zero
    return (ranges ?? []).map { range in
      NSValue(timeRange: CMTimeRange(start: CMTime(range.lowerBound + start), end: CMTime(range.upperBound + start)))
    }
  }

  /// Whether playback would not wait for the buffer; equal to ``isPlaybackBufferFull``.
  nonisolated public var isPlaybackLikelyToKeepUp: Bool {
    observed(\.isPlaybackLikelyToKeepUp, snapshot?.isPlaybackLikelyToKeepUp ?? false)
  }

  /// Whether the buffer is full.
  nonisolated public var isPlaybackBufferFull: Bool {
    observed(\.isPlaybackBufferFull, snapshot?.isPlaybackBufferFull ?? false)
  }

  /// Whether the buffer has run dry; true until the item is loaded.
  nonisolated public var isPlaybackBufferEmpty: Bool {
    access(\.isPlaybackBufferEmpty)
    guard let snapshot, snapshot.itemStatus == .readyToPlay else { return true }
    return snapshot.isPlaybackBufferEmpty
  }

  /// The seconds of a network stream to buffer ahead of the time, 1 to 600; 0, the initial value, for about 2 s.
  ///
  /// A player has one value: the last one set on any of its items. It applies to items that are opened later.
  nonisolated public var preferredForwardBufferDuration: TimeInterval {
    get { state.withLock { $0.forwardBuffer } }
    set {
      guard newValue.isFinite, newValue >= 0 else { return }
      state.withLock { $0.forwardBuffer = newValue }
      applyForwardBuffer()
    }
  }
}
