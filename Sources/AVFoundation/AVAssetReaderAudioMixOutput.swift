import CoreMedia
import Foundation
import GstPlayer
import Synchronization

/// The sum of the samples of audio tracks, with the volumes of an ``AVAudioMix``.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetreaderaudiomixoutput>
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {  // `mix` and `pitch` are locks
  /// The tracks.
  open private(set) var audioTracks: [AVAssetTrack]
  /// The settings; nil for 32-bit floating-point numbers.
  open private(set) var audioSettings: [String: Any]?
  private let mix = Mutex<AVAudioMix?>(nil)
  private let pitch = Mutex(AVAudioTimePitchAlgorithm.spectral)

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - audioTracks: Audio tracks of the asset of the reader, at least one.
  ///   - audioSettings: Linear PCM, as for ``AVAssetReaderTrackOutput``; nil is 32-bit floating-point numbers. Without
  ///     `AVSampleRateKey` and `AVNumberOfChannelsKey`, the values are the greatest ones of the tracks.
  public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
    (self.audioTracks, self.audioSettings) = (audioTracks, audioSettings)
    super.init(audioSettings)
  }

  /// The volumes of the tracks; nil, initially, for 1.
  ///
  /// The output copies the mix. A change applies from the next range on.
  open var audioMix: AVAudioMix? {
    get { mix.withLock { $0 } }
    set {
      let copy = newValue?.copy() as? AVAudioMix
      mix.withLock { $0 = copy }
    }
  }

  /// The algorithm for other rates; only stored, because samples are read at their rate.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { pitch.withLock { $0 } }
    set { pitch.withLock { $0 = newValue } }
  }

  override func problem(in asset: AVAsset) -> AVError? {
    if audioTracks.isEmpty { return PlayerError(code: .noAudio, message: "the output has no tracks").formatError }
    return super.problem(in: asset) ?? audioTracks.lazy.compactMap { $0.problem(in: asset) }.first
  }

  override func source(
    _ range: CMTimeRange, of asset: AVAsset, _ settings: LinearPCMSettings
  ) -> (any SampleSource)? {
    let (mix, format) = (audioMix, settings.format)
    // Unknown values are 0.
    let rate = format.sampleRate ?? audioTracks.map { Int($0.naturalTimeScale) }.max() ?? 0
    let channels = format.channels ?? audioTracks.map(\.channels).max() ?? 0
    let common = SampleFormat(
      .float64, sampleRate: rate > 0 ? rate : 48_000, channels: channels > 0 ? channels : 2)
    let tracks = audioTracks.map { track in
      (SampleReader(range, of: track, in: asset, as: common), mix?.volumeCurve(ofTrack: track.trackID))
    }
    return SampleMixer(tracks, as: format.encoding ?? .float32)
  }
}
