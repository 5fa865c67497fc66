public import CoreMedia
import Dispatch
import GstPlayer

extension AVAsset {
  // MARK: Tracks

  /// Loads the track with a number; nil if there is none.
  public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
    tracks(of: try await description()).first { $0.trackID == trackID }
  }

  /// Loads the tracks of a type.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    tracks(of: try await description()).filter { $0.mediaType == mediaType }
  }

  /// Loads the tracks with a characteristic.
  public func loadTracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) async throws
    -> [AVAssetTrack]
  {
    tracks(of: try await description()).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// Loads the track with a number, and calls `completionHandler` on any thread.
  @preconcurrency
  public func loadTrack(
    withTrackID trackID: CMPersistentTrackID,
    completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
  ) {
    load(completionHandler) { asset, description in asset.tracks(of: description).first { $0.trackID == trackID } }
  }

  /// Loads the tracks of a type, and calls `completionHandler` on any thread.
  @preconcurrency
  public func loadTracks(
    withMediaType mediaType: AVMediaType, completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { asset, description in
      asset.tracks(of: description).filter { $0.mediaType == mediaType }
    }
  }

  /// Loads the tracks with a characteristic, and calls `completionHandler` on any thread.
  @preconcurrency
  public func loadTracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic,
    completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { asset, description in
      asset.tracks(of: description).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }
  }

  // MARK: Metadata

  /// Loads the metadata of a format; empty for a format that the media does not have.
  public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
    try await description().metadata(of: format)
  }

  /// Loads the metadata of a format, and calls `completionHandler` on any thread.
  @preconcurrency
  public func loadMetadata(
    for format: AVMetadataFormat, completionHandler: @escaping @Sendable ([AVMetadataItem]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { _, description in description.metadata(of: format) }
  }

  // MARK: Chapters

  /// Loads the chapters, and calls `completionHandler` on any thread; locale and keys are ignored.
  @preconcurrency
  public func loadChapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]?,
    completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { _, description in description.chapterGroups }
  }

  /// Loads the chapters: a group with the title, and the range of the chapter, for each.
  ///
  /// Locale and keys are ignored, because titles do not specify their language, and chapters do not contain pictures.
  public func loadChapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
  ) async throws -> [AVTimedMetadataGroup] {
    try await description().chapterGroups
  }

  /// Loads the chapters, as ``loadChapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)`` does.
  public func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String]
  ) async throws -> [AVTimedMetadataGroup] {
    try await description().chapterGroups
  }

  /// Loads the chapters, and calls `completionHandler` on any thread.
  @preconcurrency
  public func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String],
    completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
  ) {
    load(completionHandler) { _, description in description.chapterGroups }
  }

  func load<Value>(
    _ completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ value: @escaping @Sendable (AVAsset, MediaDescription) -> Value?
  ) {
    loader.load { [self] answer in
      // On a thread of its own: the handler may block until another asset is loaded, but the thread of an inspection must not.
      DispatchQueue(label: "AVAsset").async {
        switch answer {
        case .success(let description): completionHandler(value(self, description), nil)
        case .failure(let error): completionHandler(nil, error.foundationError(about: self.uri))
        }
      }
    }
  }
}

extension MediaDescription {
  /// The formats of the metadata: one, or none without metadata.
  var metadataFormats: [AVMetadataFormat] { metadata.nativeItems.isEmpty ? [] : [metadata.format.name] }

  /// Returns the metadata of a format.
  func metadata(of format: AVMetadataFormat) -> [AVMetadataItem] {
    metadata.format.name == format ? metadata.nativeItems : []
  }

  /// The item with the date of the recording.
  var creationDate: AVMetadataItem? { metadata.commonItems.first { $0.commonKey == .commonKeyCreationDate } }

  /// The locales of the chapters' titles: the undetermined one, or none without chapters.
  var chapterLocales: [Locale] { chapters.isEmpty ? [] : [Locale(identifier: "und")] }

  /// The chapters as groups of one title each.
  var chapterGroups: [AVTimedMetadataGroup] {
    chapters.map { chapter in
      AVTimedMetadataGroup(MetadataFields.title(chapter.title), from: chapter.start, duration: chapter.duration)
    }
  }
}
