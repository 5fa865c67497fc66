import CoreMedia
import Dispatch
import GstPlayer

extension AVAsset {
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
