import Foundation
import GstPlayer

/// A format of metadata, for the identifiers of the items.
enum MetadataTagFormat {
  case id3, iTunes, vorbis

  var name: AVMetadataFormat {
    switch self {
    case .id3: .id3Metadata
    case .iTunes: .iTunesMetadata
    case .vorbis: .unknown
    }
  }

  var keySpace: AVMetadataKeySpace {
    switch self {
    case .id3: .id3
    case .iTunes: .iTunes
    case .vorbis: AVMetadataKeySpace("vorb")
    }
  }
}

/// A field of the metadata of the player, and its keys in the formats.
struct MetadataTag: Sendable {
  let common: AVMetadataKey?
  let id3: AVMetadataKey
  let iTunes: AVMetadataKey
  let vorbis: AVMetadataKey
  let values: @Sendable (MediaMetadata) -> [MetadataValue]

  private init(
    _ common: AVMetadataKey?, _ id3: AVMetadataKey, _ iTunes: AVMetadataKey, _ vorbis: String,
    _ values: @escaping @Sendable (MediaMetadata) -> [MetadataValue]
  ) {
    (self.common, self.id3, self.iTunes, self.vorbis) = (common, id3, iTunes, AVMetadataKey(vorbis))
    self.values = values
  }

  static let all: [Self] = [
    Self(.commonKeyTitle, .id3MetadataKeyTitleDescription, .iTunesMetadataKeySongName, "TITLE") { text($0.title) },
    Self(.commonKeyArtist, .id3MetadataKeyLeadPerformer, .iTunesMetadataKeyArtist, "ARTIST") {
      $0.artists.map { .string($0) }
    },
    Self(nil, .id3MetadataKeyBand, .iTunesMetadataKeyAlbumArtist, "ALBUMARTIST") {
      $0.albumArtists.map { .string($0) }
    },
    Self(.commonKeyAlbumName, .id3MetadataKeyAlbumTitle, .iTunesMetadataKeyAlbum, "ALBUM") { text($0.album) },
    Self(.commonKeyType, .id3MetadataKeyContentType, .iTunesMetadataKeyUserGenre, "GENRE") {
      $0.genres.map { .string($0) }
    },
    Self(.commonKeyCreator, .id3MetadataKeyComposer, .iTunesMetadataKeyComposer, "COMPOSER") {
      $0.composers.map { .string($0) }
    },
    Self(.commonKeyDescription, .id3MetadataKeyComments, .iTunesMetadataKeyUserComment, "COMMENT") {
      $0.comments.map { .string($0) }
    },
    Self(nil, .id3MetadataKeyTrackNumber, .iTunesMetadataKeyTrackNumber, "TRACKNUMBER") { number($0.trackNumber) },
    Self(nil, .id3MetadataKeyPartOfASet, .iTunesMetadataKeyDiscNumber, "DISCNUMBER") { number($0.discNumber) },
    Self(.commonKeyCreationDate, .id3MetadataKeyRecordingTime, .iTunesMetadataKeyReleaseDate, "DATE") { text($0.date) },
    Self(nil, .id3MetadataKeyBeatsPerMinute, .iTunesMetadataKeyBeatsPerMin, "BPM") {
      [$0.beatsPerMinute].compactMap(\.self).map { .number($0) }
    },
    Self(nil, .id3MetadataKeyUnsynchronizedLyric, .iTunesMetadataKeyLyrics, "LYRICS") { text($0.lyrics) },
    Self(.commonKeyPublisher, .id3MetadataKeyPublisher, .iTunesMetadataKeyPublisher, "ORGANIZATION") {
      text($0.organization)
    },
    Self(.commonKeyArtwork, .id3MetadataKeyAttachedPicture, .iTunesMetadataKeyCoverArt, "METADATA_BLOCK_PICTURE") {
      [$0.artwork].compactMap(\.self).map { .picture($0) }
    },
  ]

  private static func text(_ text: String?) -> [MetadataValue] { [text].compactMap(\.self).map { .string($0) } }
  private static func number(_ number: Int?) -> [MetadataValue] { [number].compactMap(\.self).map { .number($0) } }

  func key(in format: MetadataTagFormat) -> AVMetadataKey {
    switch format {
    case .id3: id3
    case .iTunes: iTunes
    case .vorbis: vorbis
    }
  }

  /// Returns the common key of an identifier; nil if there is none.
  static func commonKey(of identifier: AVMetadataIdentifier) -> AVMetadataKey? {
    guard let space = AVMetadataItem.keySpace(forIdentifier: identifier),
      let text = (AVMetadataItem.key(forIdentifier: identifier) as? NSString)?._bridgeToSwift()
    else { return nil }
    if space == .common { return AVMetadataKey(text) }
    let format = [MetadataTagFormat.id3, .iTunes, .vorbis].first { $0.keySpace == space }
    return format.flatMap { format in all.first { $0.key(in: format).rawValue == text }?.common }
  }
}

extension ID3Metadata {
  /// The items with the identifiers of ID3.
  var items: [MetadataFields] {
    let known = MetadataTag.all.flatMap { tag in
      tag.values(fields).map { value in
        MetadataFields(AVMetadataItem.identifier(forKey: tag.id3.rawValue, keySpace: .id3), tag.common, value)
      }
    }
    let others = frames.map { frame in
      let value =
        ["TXXX", "COMM"].contains(frame.id)
        ? MetadataValue.string(String(decoding: frame.bytes, as: UTF8.self)) : .data(frame.bytes)
      var fields = MetadataFields(AVMetadataItem.identifier(forKey: frame.id, keySpace: .id3), nil, value)
      fields.info = frame.name.isEmpty ? nil : frame.name
      return fields
    }
    return known + others
  }
}

extension MediaMetadata {
  /// The format that the tags were probably written in.
  ///
  /// The player reads all formats into the same fields; only the names of container and codec differ.
  var format: MetadataTagFormat {
    let names = [containerFormat, audioCodec].compactMap(\.self)
    if names.contains(where: { $0.contains("ID3") || $0.contains("MP3") }) { return .id3 }
    if names.contains(where: { $0.contains("MP4") || $0.contains("M4A") || $0.contains("Quicktime") }) {
      return .iTunes
    }
    return .vorbis
  }

  /// The items with the identifiers of the format.
  var nativeItems: [AVMetadataItem] {
    let format = format
    return MetadataTag.all.flatMap { tag in
      tag.values(self).map { value in
        let identifier = AVMetadataItem.identifier(forKey: tag.key(in: format), keySpace: format.keySpace)
        return AVMetadataItem(MetadataFields(identifier, tag.common, value))
      }
    }
  }

  /// The items that have common keys, with common identifiers.
  var commonItems: [AVMetadataItem] {
    MetadataTag.all.flatMap { tag in
      guard let key = tag.common else { return [AVMetadataItem]() }
      return tag.values(self).map { AVMetadataItem(MetadataFields(common: key, $0, range: nil)) }
    }
  }
}
