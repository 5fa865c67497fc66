public import Foundation
import GstPlayer
import Observation
import Synchronization

/// An item of a player, with the interface of Apple's `AVPlayerItem`.
///
/// An item belongs to one player at most. While it is current, its state is that of its player; afterwards, the last state
/// is kept. The isolation is that of ``AVPlayer``.
@preconcurrency @MainActor
open class AVPlayerItem: NSObject, NSCopying, AVKeyValueObserving {
  /// The media of the item.
  nonisolated open var asset: AVAsset { media }
  nonisolated let media: AVAsset
  /// The keys that were given when the item was created; the player does not wait for their values.
  nonisolated public let automaticallyLoadedAssetKeys: [String]
  nonisolated let state = Mutex(AVPlayerItemState())
  /// The observers of the properties of the item.
  nonisolated public let keyValueObservers = AVKeyValueObservers()
  nonisolated let registrar = AVPlayer.isObservationEnabled ? ObservationRegistrar() : nil

  /// Creates an item for the media of a URL.
  nonisolated public convenience init(url URL: URL) { self.init(asset: AVURLAsset(url: URL)) }

  /// Creates an item for an asset.
  nonisolated public convenience init(asset: AVAsset) { self.init(asset: asset, automaticallyLoadedAssetKeys: nil) }

  /// Creates an item for an asset; the keys are only stored, because an item is ready without them.
  nonisolated public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
    media = asset
    self.automaticallyLoadedAssetKeys = automaticallyLoadedAssetKeys ?? []
    super.init()
    announceProperties()
  }

  /// Creates an item for an asset; the properties are only stored, because an item is ready without them.
  nonisolated public convenience init(
    asset: AVAsset, automaticallyLoadedAssetKeys: [AVPartialAsyncProperty<AVAsset>]
  ) {
    self.init(asset: asset, automaticallyLoadedAssetKeys: automaticallyLoadedAssetKeys.map(\.description))
  }

  /// Returns a new item with the same asset and settings, which belongs to no player.
  nonisolated open func copy(with zone: NSZone? = nil) -> Any { replica(of: .invalid) }

  // MARK: Readiness

  /// Whether the item is ready to play; `unknown` until it has been current.
  nonisolated open var status: Status {
    access(\.status)
    if hasFailed { return .failed }
    return (facts?.isReady ?? false) ? .readyToPlay : .unknown
  }

  /// The error of an item that has failed; nil otherwise.
  nonisolated open var error: (any Error)? { state.withLock { $0.failure } }

  // MARK: Tracks

  /// The audio tracks; empty until the item has been ready.
  nonisolated open var tracks: [AVPlayerItemTrack] { observed(\.tracks, currentTracks) }

  /// The status of an item.
  public enum Status: Int, Sendable {
    /// Not loaded yet.
    case unknown = 0
    /// Ready to play.
    case readyToPlay = 1
    /// Failed; the error is ``AVPlayerItem/error``.
    case failed = 2
  }

  // MARK: Time

  /// The duration of the media, and for an item of a looper that of its range; `indefinite` until it is known, and for a
  /// live stream.
  nonisolated open var duration: CMTime { observed(\.duration, CMTime(durationWithoutForwardEnd)) }

  /// Returns the current time; zero unless the item has been current.
  nonisolated open func currentTime() -> CMTime {
    facts.map { CMTime($0.start + $0.position) } ?? .zero
  }

  /// Returns nil, because media does not have dates here.
  nonisolated open func currentDate() -> Date? { nil }

  /// The end of forward playback; `invalid` for the end of the media.
  ///
  /// If it is set while the item is current, the item is opened again at its position.
  nonisolated open var forwardPlaybackEndTime: CMTime {
    get { state.withLock { $0.forwardEnd } }
    set {
      state.withLock { $0.forwardEnd = newValue }
      owner?.reopen(self)
    }
  }

  /// The end of reverse playback; only stored, because an item is played forwards only.
  nonisolated open var reversePlaybackEndTime: CMTime {
    get { state.withLock { $0.reverseEnd } }
    set { state.withLock { $0.reverseEnd = newValue } }
  }

  // MARK: Seeking

  /// Seeks near a time while the item is current, and calls `completionHandler` on the main queue with the result.
  ///
  /// The result is false unless the item is current.
  @preconcurrency
  nonisolated open func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
    seek(to: time, within: .infinity, completionHandler)
  }

  /// Seeks near a time while the item is current, and waits for the result.
  @discardableResult
  nonisolated open func seek(to time: CMTime) async -> Bool { await seek(to: time, within: .infinity) }

  /// Seeks to a time within tolerances; zero is exact.
  @preconcurrency
  nonisolated open func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: (@Sendable (Bool) -> Void)?
  ) {
    seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter), completionHandler)
  }

  /// Seeks to a time within tolerances, and waits for the result.
  @discardableResult
  nonisolated open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter))
  }

  /// Returns false and does not call `completionHandler`, because media does not have dates here.
  @discardableResult
  nonisolated open func seek(to date: Date, completionHandler: (@Sendable (Bool) -> Void)?) -> Bool { false }

  /// Finishes every pending seek with false; a seek that has begun is still carried out.
  nonisolated open func cancelPendingSeeks() { if snapshot != nil { owner?.player.cancelPendingSeeks() } }

  // MARK: Capabilities

  /// Whether rates above 1 are possible: while the item is seekable.
  nonisolated open var canPlayFastForward: Bool { facts?.isSeekable ?? false }
  /// Whether rates between 0 and 1 are possible: while the item is seekable.
  nonisolated open var canPlaySlowForward: Bool { facts?.isSeekable ?? false }
  /// Whether the rate −1 is possible; always false.
  nonisolated open var canPlayReverse: Bool { false }
  /// Whether rates below −1 are possible; always false.
  nonisolated open var canPlayFastReverse: Bool { false }
  /// Whether rates between −1 and 0 are possible; always false.
  nonisolated open var canPlaySlowReverse: Bool { false }
  /// Whether the item can step forwards; always false, because only audio is played.
  nonisolated open var canStepForward: Bool { false }
  /// Whether the item can step backwards; always false, because only audio is played.
  nonisolated open var canStepBackward: Bool { false }
  /// The size of the video; always zero, because only audio is played.
  nonisolated open var presentationSize: CGSize { .zero }

  // MARK: The buffer

  /// The received ranges, as values of `CMTimeRange`; for a network stream, an estimate.
  nonisolated open var loadedTimeRanges: [NSValue] {
    observed(\.loadedTimeRanges, values(snapshot?.loadedTimeRanges))
  }

  /// The ranges in which the item can seek, as values of `CMTimeRange`.
  nonisolated open var seekableTimeRanges: [NSValue] {
    observed(\.seekableTimeRanges, values(snapshot?.seekableTimeRanges))
  }

  /// Whether playback would not wait for the buffer; equal to ``isPlaybackBufferFull``.
  nonisolated open var isPlaybackLikelyToKeepUp: Bool {
    observed(\.isPlaybackLikelyToKeepUp, snapshot?.isPlaybackLikelyToKeepUp ?? false)
  }

  /// Whether the buffer is full.
  nonisolated open var isPlaybackBufferFull: Bool {
    observed(\.isPlaybackBufferFull, snapshot?.isPlaybackBufferFull ?? false)
  }

  /// Whether the buffer has run dry; true until the item is loaded.
  nonisolated open var isPlaybackBufferEmpty: Bool {
    observed(
      \.isPlaybackBufferEmpty, snapshot?.itemStatus == .readyToPlay ? snapshot?.isPlaybackBufferEmpty ?? true : true)
  }

  /// The seconds of a network stream to buffer ahead of the time, 1 to 600; 0, the initial value, for about 2 s.
  ///
  /// A player has one value: the last one set on any of its items. It applies to items that are opened later.
  nonisolated open var preferredForwardBufferDuration: TimeInterval {
    get { state.withLock { $0.forwardBuffer } }
    set {
      guard newValue.isFinite, newValue >= 0 else { return }
      state.withLock { $0.forwardBuffer = newValue }
      applyForwardBuffer()
    }
  }

}
