public import CoreMedia
import GstPlayer

extension AVAsyncProperty where Root: AVAsset {
  /// Makes a property of a loaded asset; it has the name of the calling declaration.
  ///
  /// `recover` returns the value of a failed asset, or its error if the property fails, too.
  fileprivate convenience init(
    _ name: String = #function,
    recover: @escaping @Sendable (PlayerError) -> Result<Value, PlayerError> = { .failure($0) },
    _ value: @escaping @Sendable (AVAsset, MediaDescription) -> Value
  ) {
    let result = { @Sendable (asset: AVAsset, answer: AVAssetLoader.Answer) in
      answer.map { value(asset, $0) }.flatMapError(recover).mapError { $0.foundationError(about: asset.uri) }
    }
    self.init(
      name,
      status: { asset in
        switch asset.loader.phase {
        case .idle: .notYetLoaded
        case .loading: .loading
        case .done(let answer):
          switch result(asset, answer) {
          case .success(let value): .loaded(value)
          case .failure(let error): .failed(error as NSError)
          }
        }
      },
      value: { asset in try result(asset, await asset.loader.answer()).get() })
  }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  // MARK: Time

  /// The duration; `indefinite` if it is unknown or the media is live.
  public static var duration: AVAsyncProperty<Root, CMTime> { .init { CMTime($1.duration) } }

  /// The natural rate, always 1.
  public static var preferredRate: AVAsyncProperty<Root, Float> { .init { _, _ in 1 } }

  /// The natural volume, always 1.
  public static var preferredVolume: AVAsyncProperty<Root, Float> { .init { _, _ in 1 } }

  /// The shortest distance from the live edge; always `invalid`, because a live stream is played from its live edge.
  public static var minimumTimeOffsetFromLive: AVAsyncProperty<Root, CMTime> { .init { _, _ in .invalid } }

  /// The hint for the duration of a live stream; always `invalid`.
  public static var overallDurationHint: AVAsyncProperty<Root, CMTime> { .init { _, _ in .invalid } }

  /// Whether duration and positions are exact; always false, because the formats differ.
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> { .init { _, _ in false } }

  // MARK: Tracks

  /// The audio tracks, and one video track if there is video.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { .init { $0.tracks(of: $1) } }

  /// The characteristics with a group for media selection: `audible` for media with several audio tracks.
  public static var availableMediaCharacteristicsWithMediaSelectionOptions:
    AVAsyncProperty<Root, [AVMediaCharacteristic]>
  {
    .init { $1.audioTracks.count > 1 ? [.audible] : [] }
  }

  /// The selection of the first audio track, which plays without another selection.
  public static var preferredMediaSelection: AVAsyncProperty<Root, AVMediaSelection> {
    .init { asset, _ in AVMediaSelection(0, of: asset) }
  }

  /// The selections: one of each audio track, and one for media without groups.
  public static var allMediaSelections: AVAsyncProperty<Root, [AVMediaSelection]> {
    .init { asset, description in (0..<max(1, description.audioTracks.count)).map { AVMediaSelection($0, of: asset) } }
  }

  // MARK: Metadata

  /// The metadata, with the identifiers of the format.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { .init { $1.metadata.nativeItems } }

  /// The metadata that has common keys, with common identifiers.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> { .init { $1.metadata.commonItems } }

  /// The formats of the metadata: one, or none without metadata.
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> { .init { $1.metadataFormats } }

  /// The date of the recording; nil if it is unknown.
  public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> { .init { $1.creationDate } }

  /// The lyrics; nil if there are none.
  public static var lyrics: AVAsyncProperty<Root, String?> { .init { $1.metadata.lyrics } }

  // MARK: Chapters

  /// The locales of the chapters' titles: the undetermined one, or none without chapters.
  public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> { .init { $1.chapterLocales } }

  // MARK: Suitability

  /// Whether the media can be played; false, and not an error, if it was read and is not playable audio.
  public static var isPlayable: AVAsyncProperty<Root, Bool> {
    .init(recover: { $0.isAboutMedia ? .success(false) : .failure($0) }) { _, _ in true }
  }

  /// Whether the content is protected; always false, because protected content cannot be loaded.
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> { .init { _, _ in false } }

  /// Whether the asset can be exported; always false.
  public static var isExportable: AVAsyncProperty<Root, Bool> { .init { _, _ in false } }

  /// Whether an ``AVAssetReader`` can read the samples; false, and not an error, if the media was read and has no audio.
  public static var isReadable: AVAsyncProperty<Root, Bool> {
    .init(recover: { $0.isAboutMedia ? .success(false) : .failure($0) }) { _, _ in true }
  }

  /// Whether the asset can be played over AirPlay; always false.
  public static var isCompatibleWithAirPlayVideo: AVAsyncProperty<Root, Bool> { .init { _, _ in false } }

  /// The orientation of the video; always `identity`, because video is not decoded.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> { .init { _, _ in .identity } }

  /// Whether fragments may be appended to the file; always false.
  public static var canContainFragments: AVAsyncProperty<Root, Bool> { .init { _, _ in false } }

  /// Whether the file has fragments that were appended; always false.
  public static var containsFragments: AVAsyncProperty<Root, Bool> { .init { _, _ in false } }

  /// Whether the asset can be part of a composition; always false.
  public static var isComposable: AVAsyncProperty<Root, Bool> { .init { _, _ in false } }
}
