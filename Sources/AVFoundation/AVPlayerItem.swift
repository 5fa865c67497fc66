public import Foundation
import GstPlayer
import Observation
import Synchronization

/// An item of a player, with the interface of Apple's `AVPlayerItem`.
///
/// An item belongs to one player at most. While it is current, its state is that of its player; afterwards, the last state
/// is kept. The isolation is that of ``AVPlayer``.
@MainActor
open class AVPlayerItem: NSObject, NSCopying, AVKeyValueObserving {
  /// The media of the item.
  nonisolated public let asset: AVAsset
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
    self.asset = asset
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
  nonisolated public func copy(with zone: NSZone? = nil) -> Any { replica(of: .invalid) }

  // MARK: Readiness

  /// Whether the item is ready to play; `unknown` until it has been current.
  nonisolated public var status: Status {
    access(\.status)
    if hasFailed { return .failed }
    return (facts?.isReady ?? false) ? .readyToPlay : .unknown
  }

  /// The error of an item that has failed; nil otherwise.
  nonisolated public var error: (any Error)? { state.withLock { $0.failure } }

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

  /// The duration; `indefinite` until it is known, and for a live stream.
  nonisolated public var duration: CMTime { observed(\.duration, CMTime(facts?.duration)) }

  /// Returns the current time; zero unless the item has been current.
  nonisolated public func currentTime() -> CMTime {
    facts.map { CMTime($0.start + $0.position) } ?? .zero
  }

  /// Returns nil, because media does not have dates here.
  nonisolated public func currentDate() -> Date? { nil }

  /// The end of forward playback; `invalid` for the end of the media.
  ///
  /// If it is set while the item is current, the item is opened again at its position.
  nonisolated public var forwardPlaybackEndTime: CMTime {
    get { state.withLock { $0.forwardEnd } }
    set {
      state.withLock { $0.forwardEnd = newValue }
      owner?.reopen(self)
    }
  }

  /// The end of reverse playback; only stored, because an item is played forwards only.
  nonisolated public var reversePlaybackEndTime: CMTime {
    get { state.withLock { $0.reverseEnd } }
    set { state.withLock { $0.reverseEnd = newValue } }
  }

  // MARK: Metadata

  /// The metadata given by the program; the player does not use it.
  nonisolated public var externalMetadata: [AVMetadataItem] {
    get { state.withLock { $0.externalMetadata } }
    set { state.withLock { $0.externalMetadata = newValue } }
  }

  /// The info of the item for an `MPNowPlayingSession` of the module `MediaPlayer` that publishes automatically.
  ///
  /// <https://developer.apple.com/documentation/avfoundation/avplayeritem/nowplayinginfo>
  nonisolated public var nowPlayingInfo: [String: Any]? {
    get { state.withLock { $0.nowPlayingInfo }.values }
    set {
      let info = NowPlayingInfo(values: newValue)
      state.withLock { $0.nowPlayingInfo = info }
      MainQueue.async { [self] in keyValueObservers.notify(self) }
    }
  }
}
