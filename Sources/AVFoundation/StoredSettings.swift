public import Foundation
import Synchronization

// Settings of video, AirPlay and networks that have no effect on audio here; a program reads the values that it has set.

/// The settings of a player that are only stored.
struct StoredPlayerSettings: Sendable {
  var allowsExternalPlayback = true
  var usesExternalPlayback = false
  var preventsDisplaySleep = true
  var preventsBackgrounding = false
  var backgroundPolicy = AVPlayerAudiovisualBackgroundPlaybackPolicy.automatic
}

/// The settings of an item that are only stored.
struct StoredItemSettings: Sendable {
  var peakBitRate = 0.0
  var peakBitRateForExpensiveNetworks = 0.0
  var maximumResolution = CGSize.zero
  var maximumResolutionForExpensiveNetworks = CGSize.zero
  var startsOnFirstEligibleVariant = false
  var usesNetworkWhilePaused = false
  var preservesTimeOffsetFromLive = false
  var timeOffsetFromLive = CMTime.invalid
}

/// The playback of video while the app is in the background.
public enum AVPlayerAudiovisualBackgroundPlaybackPolicy: Int, Sendable {
  /// The system decides.
  case automatic = 1
  /// Video pauses.
  case pauses = 2
  /// Video continues.
  case continuesIfPossible = 3
}

extension AVPlayer {
  /// Whether AirPlay may be used; only stored, initially true.
  nonisolated public var allowsExternalPlayback: Bool {
    get { state.withLock { $0.stored.allowsExternalPlayback } }
    set { state.withLock { $0.stored.allowsExternalPlayback = newValue } }
  }

  /// Whether AirPlay is used; always false.
  nonisolated public var isExternalPlaybackActive: Bool { false }

  /// Whether AirPlay is used while a screen is mirrored; only stored.
  nonisolated public var usesExternalPlaybackWhileExternalScreenIsActive: Bool {
    get { state.withLock { $0.stored.usesExternalPlayback } }
    set { state.withLock { $0.stored.usesExternalPlayback = newValue } }
  }

  /// Whether video keeps the display awake; only stored, initially true.
  nonisolated public var preventsDisplaySleepDuringVideoPlayback: Bool {
    get { state.withLock { $0.stored.preventsDisplaySleep } }
    set { state.withLock { $0.stored.preventsDisplaySleep = newValue } }
  }

  /// Whether video keeps the app in the foreground; only stored.
  nonisolated public var preventsAutomaticBackgroundingDuringVideoPlayback: Bool {
    get { state.withLock { $0.stored.preventsBackgrounding } }
    set { state.withLock { $0.stored.preventsBackgrounding = newValue } }
  }

  /// The playback of video in the background; only stored.
  nonisolated public var audiovisualBackgroundPlaybackPolicy: AVPlayerAudiovisualBackgroundPlaybackPolicy {
    get { state.withLock { $0.stored.backgroundPolicy } }
    set { state.withLock { $0.stored.backgroundPolicy = newValue } }
  }
}

extension AVPlayerItem {
  /// The highest bit rate of a variant, 0 for any; only stored, because the variant is fixed when a stream is opened.
  nonisolated public var preferredPeakBitRate: Double {
    get { state.withLock { $0.stored.peakBitRate } }
    set { state.withLock { $0.stored.peakBitRate = newValue } }
  }

  /// The highest bit rate of a variant on an expensive network; only stored.
  nonisolated public var preferredPeakBitRateForExpensiveNetworks: Double {
    get { state.withLock { $0.stored.peakBitRateForExpensiveNetworks } }
    set { state.withLock { $0.stored.peakBitRateForExpensiveNetworks = newValue } }
  }

  /// The largest picture of a variant; only stored, because only audio is played.
  nonisolated public var preferredMaximumResolution: CGSize {
    get { state.withLock { $0.stored.maximumResolution } }
    set { state.withLock { $0.stored.maximumResolution = newValue } }
  }

  /// The largest picture of a variant on an expensive network; only stored.
  nonisolated public var preferredMaximumResolutionForExpensiveNetworks: CGSize {
    get { state.withLock { $0.stored.maximumResolutionForExpensiveNetworks } }
    set { state.withLock { $0.stored.maximumResolutionForExpensiveNetworks = newValue } }
  }

  /// Whether playback begins with the first variant of the playlist that fits; only stored.
  nonisolated public var startsOnFirstEligibleVariant: Bool {
    get { state.withLock { $0.stored.startsOnFirstEligibleVariant } }
    set { state.withLock { $0.stored.startsOnFirstEligibleVariant = newValue } }
  }

  /// Whether a paused live stream uses the network; only stored, because a paused player keeps its connection.
  nonisolated public var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
    get { state.withLock { $0.stored.usesNetworkWhilePaused } }
    set { state.withLock { $0.stored.usesNetworkWhilePaused = newValue } }
  }

  /// Whether the distance from the live edge is kept after buffering; only stored.
  nonisolated public var automaticallyPreservesTimeOffsetFromLive: Bool {
    get { state.withLock { $0.stored.preservesTimeOffsetFromLive } }
    set { state.withLock { $0.stored.preservesTimeOffsetFromLive = newValue } }
  }

  /// The distance from the live edge; only stored, because a live stream is played from its live edge.
  nonisolated public var configuredTimeOffsetFromLive: CMTime {
    get { state.withLock { $0.stored.timeOffsetFromLive } }
    set { state.withLock { $0.stored.timeOffsetFromLive = newValue } }
  }

  /// The recommended distance from the live edge; always `invalid`.
  nonisolated public var recommendedTimeOffsetFromLive: CMTime { .invalid }
}
