public import Foundation
import GstPlayer

/// Media at a URL: its duration, tracks, metadata and chapters.
///
/// All properties are loaded together, once, when one of them is needed, without playback. The synchronous ones block until
/// they are loaded, unless an item of the asset is ready to play. Safe to use from any isolation.
///
/// <https://developer.apple.com/documentation/avfoundation/avasset>
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, AVAssetMaking,
  @unchecked Sendable  // the loader has a lock
{
  let loader: AVAssetLoader

  /// The absolute URI of the media.
  var uri: String { loader.uri }

  /// Makes an ``AVURLAsset``; the URL is opened when a property is loaded or the asset is played.
  public convenience init(url URL: URL) { self.init(made: AVURLAsset(url: URL)) }

  init(_ loader: AVAssetLoader) { self.loader = loader }

  /// The error of invalid HTTP headers; nil if they are valid.
  var headersError: PlayerError? {
    if case .failure(let error) = loader.headers { error } else { nil }
  }

  /// Returns an item of a `Player` for a range of the media.
  ///
  /// With invalid headers, the item does not send a request, and fails when it becomes current.
  func playerItem(start: Duration, end: Duration?) -> Player.Item {
    switch loader.headers {
    case .success(nil): Player.Item(uri: uri, externalMetadata: nil, start: start, end: end)
    case .success(let headers?): Player.Item(uri: uri, httpHeaders: headers, start: start, end: end)
    case .failure: Player.Item(uri: "invalid-headers:")
    }
  }

  /// Returns the asset itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Cancels the load of properties for all callers, with ``AVError/Code/operationCancelled``.
  open func cancelLoading() { loader.cancel() }

  /// Returns the description, and loads it if necessary.
  func description() async throws -> MediaDescription {
    try await loader.answer().mapError { $0.foundationError(about: uri) }.get()
  }

  /// The description of an item of the asset that is ready to play, or else the loaded one; blocks until that is known.
  ///
  /// Nil if the asset cannot be loaded.
  private var known: MediaDescription? { loader.description ?? loader.playing ?? loader.waitForDescription() }

  // MARK: AVAsynchronousKeyValueLoading

  /// Returns the state of the asset, whatever the key.
  open func statusOfValue(
    forKey key: String, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVKeyValueStatus {
    switch loader.phase {
    case .idle: return .unknown
    case .loading: return .loading
    case .done(.success): return .loaded
    case .done(.failure(let error)):
      unsafe outError?.pointee = error.foundationError(about: uri) as NSError
      return error == AVAssetLoader.cancellation ? .cancelled : .failed
    }
  }

  /// Loads all properties, and calls `handler` on any thread.
  open func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    loader.load { _ in handler?() }
  }

  // MARK: Values

  /// The duration; `indefinite` if it cannot be loaded.
  open var duration: CMTime { CMTime(known?.duration) }
  /// The natural rate, always 1.
  open var preferredRate: Float { 1 }
  /// The natural volume, always 1.
  open var preferredVolume: Float { 1 }
  /// The tracks; empty if they cannot be loaded.
  open var tracks: [AVAssetTrack] { known.map { tracks(of: $0) } ?? [] }
  /// The metadata; empty if it cannot be loaded.
  open var metadata: [AVMetadataItem] { known?.metadata.nativeItems ?? [] }
  /// The metadata that has common keys; empty if it cannot be loaded.
  open var commonMetadata: [AVMetadataItem] { known?.metadata.commonItems ?? [] }
  /// The formats of the metadata; empty if it cannot be loaded.
  open var availableMetadataFormats: [AVMetadataFormat] { known?.metadataFormats ?? [] }
  /// The date of the recording; nil if it cannot be loaded.
  open var creationDate: AVMetadataItem? { known?.creationDate }
  /// The locales of the chapters' titles; empty if they cannot be loaded.
  open var availableChapterLocales: [Locale] { known?.chapterLocales ?? [] }
  /// The lyrics; nil if they cannot be loaded.
  open var lyrics: String? { known?.metadata.lyrics }
  /// Whether the media can be played; false if it cannot be loaded.
  open var isPlayable: Bool { known != nil }
  /// Whether the asset can be exported; always false.
  open var isExportable: Bool { false }
  /// Whether an ``AVAssetReader`` can read the samples; false if the asset cannot be loaded.
  open var isReadable: Bool { known != nil }
  /// Whether the asset can be part of a composition; always false.
  open var isComposable: Bool { false }
  /// Whether duration and positions are exact; always false, because the formats differ.
  open var providesPreciseDurationAndTiming: Bool { false }
  /// Whether the content is protected; always false.
  open var hasProtectedContent: Bool { false }
  /// Whether the asset can be played over AirPlay; always false.
  open var isCompatibleWithAirPlayVideo: Bool { false }
  /// The orientation of the video; always `identity`, because video is not decoded.
  open var preferredTransform: CGAffineTransform { .identity }
  /// The shortest distance from the live edge; always `invalid`, because a live stream is played from its live edge.
  open var minimumTimeOffsetFromLive: CMTime { .invalid }
  /// The hint for the duration of a live stream; always `invalid`.
  open var overallDurationHint: CMTime { .invalid }
  /// Whether fragments may be appended to the file; always false, because an asset does not follow its file.
  open var canContainFragments: Bool { false }
  /// Whether the file has fragments that were appended; always false.
  open var containsFragments: Bool { false }

  /// Returns the metadata of a format.
  open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    known?.metadata(of: format) ?? []
  }

  /// Returns the chapters; the languages are ignored, because titles do not specify theirs.
  open func chapterMetadataGroups(bestMatchingPreferredLanguages preferredLanguages: [String])
    -> [AVTimedMetadataGroup]
  {
    known?.chapterGroups ?? []
  }

  /// Returns the chapters; the locale and the keys are ignored, because titles do not specify their language.
  open func chapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]?
  ) -> [AVTimedMetadataGroup] {
    known?.chapterGroups ?? []
  }

  /// Returns the track with a number; nil if there is none.
  open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// Returns the tracks of a type.
  open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  /// Returns the tracks with a characteristic.
  open func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
    tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  // MARK: Media selection

  /// Loads the audio tracks to select from; nil for another characteristic, and for media with one track.
  open func loadMediaSelectionGroup(for mediaCharacteristic: AVMediaCharacteristic) async throws
    -> AVMediaSelectionGroup?
  {
    mediaSelectionGroup(mediaCharacteristic, in: tracks(of: try await description()))
  }

  /// Loads the audio tracks to select from, and calls `completionHandler` on any thread.
  @preconcurrency
  open func loadMediaSelectionGroup(
    for mediaCharacteristic: AVMediaCharacteristic,
    completionHandler: @escaping @Sendable (AVMediaSelectionGroup?, (any Error)?) -> Void
  ) {
    load(completionHandler) { asset, description in
      asset.mediaSelectionGroup(mediaCharacteristic, in: asset.tracks(of: description))
    }
  }

  /// Returns the audio tracks to select from; nil for another characteristic, and for media with one track.
  open func mediaSelectionGroup(
    forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> AVMediaSelectionGroup? {
    mediaSelectionGroup(mediaCharacteristic, in: tracks)
  }

  /// The characteristics with a group: `audible` for media with several audio tracks.
  open var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
    mediaSelectionGroup(forMediaCharacteristic: .audible) == nil ? [] : [.audible]
  }

  /// The selection of the first audio track, which plays without another selection.
  open var preferredMediaSelection: AVMediaSelection { AVMediaSelection(0, of: self) }

  /// The selections: one of each audio track, and one for media without groups.
  open var allMediaSelections: [AVMediaSelection] {
    let options = mediaSelectionGroup(forMediaCharacteristic: .audible)?.options ?? []
    return options.isEmpty ? [preferredMediaSelection] : options.map { AVMediaSelection($0.index, of: self) }
  }

  // MARK: Tracks

  /// Loads the track with a number; nil if there is none.
  open func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
    tracks(of: try await description()).first { $0.trackID == trackID }
  }

  /// Loads the tracks of a type.
  open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    tracks(of: try await description()).filter { $0.mediaType == mediaType }
  }

  /// Loads the tracks with a characteristic.
  open func loadTracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) async throws
    -> [AVAssetTrack]
  {
    tracks(of: try await description()).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// Loads the track with a number, and calls `completionHandler` on any thread.
  @preconcurrency
  open func loadTrack(
    withTrackID trackID: CMPersistentTrackID,
    completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
  ) {
    load(completionHandler) { asset, description in asset.tracks(of: description).first { $0.trackID == trackID } }
  }

  /// Loads the tracks of a type, and calls `completionHandler` on any thread.
  @preconcurrency
  open func loadTracks(
    withMediaType mediaType: AVMediaType, completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { asset, description in
      asset.tracks(of: description).filter { $0.mediaType == mediaType }
    }
  }

  /// Loads the tracks with a characteristic, and calls `completionHandler` on any thread.
  @preconcurrency
  open func loadTracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic,
    completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { asset, description in
      asset.tracks(of: description).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }
  }

  // MARK: Metadata

  /// Loads the metadata of a format; empty for a format that the media does not have.
  open func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
    try await description().metadata(of: format)
  }

  /// Loads the metadata of a format, and calls `completionHandler` on any thread.
  @preconcurrency
  open func loadMetadata(
    for format: AVMetadataFormat, completionHandler: @escaping @Sendable ([AVMetadataItem]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { _, description in description.metadata(of: format) }
  }

  // MARK: Chapters

  /// Loads the chapters, and calls `completionHandler` on any thread; locale and keys are ignored.
  @preconcurrency
  open func loadChapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]?,
    completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { _, description in description.chapterGroups }
  }

  /// Loads the chapters: a group with the title, and the range of the chapter, for each.
  ///
  /// Locale and keys are ignored, because titles do not specify their language, and chapters do not contain pictures.
  open func loadChapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
  ) async throws -> [AVTimedMetadataGroup] {
    try await description().chapterGroups
  }

  /// Loads the chapters, as ``loadChapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)`` does.
  open func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String]
  ) async throws -> [AVTimedMetadataGroup] {
    try await description().chapterGroups
  }

  /// Loads the chapters, and calls `completionHandler` on any thread.
  @preconcurrency
  open func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String],
    completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { _, description in description.chapterGroups }
  }
}
