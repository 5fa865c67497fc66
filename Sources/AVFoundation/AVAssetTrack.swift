public import CoreMedia
public import Foundation
import GstPlayer

/// A track of an asset; immutable, except that the reference to its asset is weak.
///
/// <https://developer.apple.com/documentation/avfoundation/avassettrack>
open class AVAssetTrack: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {  // immutable
  /// The asset of the track; nil after it was released.
  open private(set) weak var asset: AVAsset?
  /// The number of the track, from 1.
  open private(set) var trackID: CMPersistentTrackID
  /// The type of the track.
  open var mediaType: AVMediaType { track == nil ? .video : .audio }
  /// The range of the track in the asset; its duration is `indefinite` if it is unknown.
  open private(set) var timeRange: CMTimeRange
  /// The language, ISO 639-2/T, such as `deu`; nil if it is unknown.
  open var languageCode: String? {
    extendedLanguageTag.map { Locale.Language(identifier: $0).languageCode?.identifier(.alpha3) ?? $0 }
  }
  /// The language, BCP 47, such as `de`; nil if it is unknown.
  open var extendedLanguageTag: String? { track?.language }
  /// The bits per second; 0 if unknown.
  open var estimatedDataRate: Float { Float(track?.bitRate ?? 0) }
  /// The sample rate of audio, in Hz; 0 if unknown.
  open var naturalTimeScale: CMTimeScale { CMTimeScale(clamping: track?.sampleRate ?? 0) }
  /// The number of channels of audio; 0 if unknown.
  var channels: Int { track?.channels ?? 0 }
  /// The format of the media, a `CMFormatDescription`: of audio, the code, the sample rate and the number of channels, as far
  /// as they are known.
  open var formatDescriptions: [Any] { formats }
  /// The metadata of the track.
  open private(set) var metadata: [AVMetadataItem]
  /// The audio track; nil for the video track.
  private let track: AudioTrack?

  init(_ track: AudioTrack?, number: CMPersistentTrackID, of asset: AVAsset, duration: Duration?) {
    self.asset = asset
    self.track = track
    trackID = number
    timeRange = CMTimeRange(start: .zero, duration: CMTime(duration))
    metadata = MetadataFields.title(track?.title).map { AVMetadataItem($0) }
  }

  fileprivate var formats: [CMFormatDescription] {
    guard let track else { return [CMFormatDescription(.video)] }
    var description = AudioStreamBasicDescription()
    description.mFormatID = track.formatID ?? 0
    description.mSampleRate = Double(track.sampleRate ?? 0)
    description.mChannelsPerFrame = UInt32(clamping: track.channels ?? 0)
    return [CMFormatDescription(description)]
  }

  /// Returns the track itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the track is enabled by default; always true.
  open var isEnabled: Bool { true }
  /// Whether the track can be played; true for audio only.
  open var isPlayable: Bool { mediaType == .audio }
  /// Whether the track can be decoded; true for audio only.
  open var isDecodable: Bool { mediaType == .audio }
  /// The natural volume, always 1.
  open var preferredVolume: Float { 1 }
  /// The size of the video; always zero, because video is not decoded.
  open var naturalSize: CGSize { .zero }
  /// The orientation of the video; always `identity`, because video is not decoded.
  open var preferredTransform: CGAffineTransform { .identity }
  /// The frames of the video in a second; always 0, because video is not decoded.
  open var nominalFrameRate: Float { 0 }
  /// The shortest duration of a frame of the video; always `invalid`, because video is not decoded.
  open var minFrameDuration: CMTime { .invalid }
  /// Whether frames of the video are decoded in another order; always false, because video is not decoded.
  open var requiresFrameReordering: Bool { false }
  /// The bytes of all samples; always 0, because they are not counted.
  open var totalSampleDataLength: Int64 { 0 }
  /// Whether the asset contains all samples of the track; always true.
  open var isSelfContained: Bool { true }
  /// Whether cursors of samples are available; always false.
  open var canProvideSampleCursors: Bool { false }
  /// The metadata that has common keys.
  open var commonMetadata: [AVMetadataItem] { metadata }

  /// Whether the media of the track has a characteristic.
  open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    mediaCharacteristic == (mediaType == .audio ? .audible : .visual)
  }

  // MARK: AVAsynchronousKeyValueLoading

  /// Returns `loaded`: a track is made when its asset is loaded.
  open func statusOfValue(
    forKey key: String, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVKeyValueStatus { .loaded }

  /// Calls `handler` at once.
  open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil) {
    handler?()
  }
}

extension AVAsset {
  /// Returns the tracks of a description: audio in its order, and one track for all video.
  func tracks(of description: MediaDescription) -> [AVAssetTrack] {
    let tracks = description.audioTracks.map(Optional.some) + (description.hasVideo ? [nil] : [])
    return zip(tracks, CMPersistentTrackID(1)...).map { track, number in
      AVAssetTrack(track, number: number, of: self, duration: description.duration)
    }
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// The range of the track in the asset; its duration is `indefinite` if it is unknown.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { .init(known: \.timeRange) }
  /// The sample rate of audio, in Hz; 0 if unknown.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> { .init(known: \.naturalTimeScale) }
  /// The format of the media.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> { .init(known: \.formats) }
  /// The bits per second; 0 if unknown.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> { .init(known: \.estimatedDataRate) }
  /// The language, ISO 639-2/T, such as `deu`; nil if it is unknown.
  public static var languageCode: AVAsyncProperty<Root, String?> { .init(known: \.languageCode) }
  /// The language, BCP 47, such as `de`; nil if it is unknown.
  public static var extendedLanguageTag: AVAsyncProperty<Root, String?> { .init(known: \.extendedLanguageTag) }
  /// Whether the track can be played; true for audio only.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { .init(known: \.isPlayable) }
  /// Whether the track can be decoded; true for audio only.
  public static var isDecodable: AVAsyncProperty<Root, Bool> { .init(known: \.isDecodable) }
  /// Whether the track is enabled by default; always true.
  public static var isEnabled: AVAsyncProperty<Root, Bool> { .init(known: \.isEnabled) }
  /// The natural volume, always 1.
  public static var preferredVolume: AVAsyncProperty<Root, Float> { .init(known: \.preferredVolume) }
  /// The size of the video; always zero, because video is not decoded.
  public static var naturalSize: AVAsyncProperty<Root, CGSize> { .init(known: \.naturalSize) }
  /// The orientation of the video; always `identity`, because video is not decoded.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> { .init(known: \.preferredTransform) }
  /// The frames of the video in a second; always 0, because video is not decoded.
  public static var nominalFrameRate: AVAsyncProperty<Root, Float> { .init(known: \.nominalFrameRate) }
  /// The shortest duration of a frame of the video; always `invalid`, because video is not decoded.
  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> { .init(known: \.minFrameDuration) }
  /// Whether frames of the video are decoded in another order; always false, because video is not decoded.
  public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> { .init(known: \.requiresFrameReordering) }
  /// The bytes of all samples; always 0, because they are not counted.
  public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> { .init(known: \.totalSampleDataLength) }
  /// Whether the asset contains all samples of the track; always true.
  public static var isSelfContained: AVAsyncProperty<Root, Bool> { .init(known: \.isSelfContained) }
  /// Whether cursors of samples are available; always false.
  public static var canProvideSampleCursors: AVAsyncProperty<Root, Bool> { .init(known: \.canProvideSampleCursors) }
  /// The characteristics of the media.
  public static var mediaCharacteristics: AVAsyncProperty<Root, [AVMediaCharacteristic]> {
    .init(known: { track in [.audible, .visual].filter { track.hasMediaCharacteristic($0) } })
  }
  /// The metadata of the track.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { .init(known: \.metadata) }
  /// The metadata that has common keys.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> { .init(known: \.commonMetadata) }
}
