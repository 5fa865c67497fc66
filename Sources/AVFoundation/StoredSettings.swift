import Foundation
import Synchronization

// Settings of video, AirPlay and networks that have no effect on audio here; a program can read back the values that it has set.

/// The settings of a player that are only stored.
struct StoredPlayerSettings: Sendable {
  var allowsExternalPlayback = true
  var usesExternalPlayback = false
  var preventsDisplaySleep = true
  var showsCaptions = false
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
  var spatialFormats = AVAudioSpatializationFormats.monoStereoAndMultichannel
}

/// The formats that may be played as spatial audio.
///
/// <https://developer.apple.com/documentation/avfoundation/avaudiospatializationformats>
public struct AVAudioSpatializationFormats: OptionSet, Hashable, Sendable {
  /// The bits of the formats.
  public let rawValue: UInt

  /// Creates formats from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// One or two channels.
  public static let monoAndStereo = Self(rawValue: 0x3)
  /// More than two channels.
  public static let multichannel = Self(rawValue: 0x4)
  /// Any number of channels.
  public static let monoStereoAndMultichannel = Self(rawValue: 0x7)
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
