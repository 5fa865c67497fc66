public import CoreMedia
import Foundation
import GstPlayer

/// A composition of parts of assets; it is always empty here.
///
/// Nothing can be added to it, because only whole items and ranges of them are played. Loading and playback fail with
/// ``AVError/Code/noSourceTrack``. A queue player plays parts of assets one after another, see
/// ``AVPlayerItem/forwardPlaybackEndTime``.
///
/// <https://developer.apple.com/documentation/avfoundation/avcomposition>
open class AVComposition: AVAsset, @unchecked Sendable {  // immutable
  init() {
    let failure = PlayerError(code: .noAudio, message: "a composition has no tracks")
    super.init(AVAssetLoader(uri: "composition:", headers: .failure(failure)))
  }
}

/// A composition that a program changes; here, each change is refused.
///
/// It exists so that code that has another way without compositions compiles; see ``AVComposition``.
///
/// <https://developer.apple.com/documentation/avfoundation/avmutablecomposition>
open class AVMutableComposition: AVComposition, @unchecked Sendable {  // immutable
  /// Makes a composition without tracks.
  public override init() { super.init() }

  /// Throws ``AVError/Code/operationNotSupportedForAsset``, because compositions are not available.
  open func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
    throw AVError.compositionsAreUnavailable
  }

  /// Returns nil: a track cannot be added, because compositions are not available.
  open func addMutableTrack(
    withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID
  ) -> AVMutableCompositionTrack? { nil }

  /// Does nothing, because a composition is always empty here.
  open func removeTrack(_ track: AVCompositionTrack) {}
}

/// A track of a composition; there is none, because compositions are not available.
///
/// <https://developer.apple.com/documentation/avfoundation/avcompositiontrack>
open class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {}  // adds no state

/// A track of a composition that a program changes; there is none, because compositions are not available.
///
/// <https://developer.apple.com/documentation/avfoundation/avmutablecompositiontrack>
open class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {  // adds no state
  /// Throws ``AVError/Code/operationNotSupportedForAsset``, because compositions are not available.
  open func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws {
    throw AVError.compositionsAreUnavailable
  }
}

extension AVError {
  fileprivate static var compositionsAreUnavailable: Self {
    Self(.operationNotSupportedForAsset, userInfo: [NSLocalizedDescriptionKey: "Compositions are not available."])
  }
}
