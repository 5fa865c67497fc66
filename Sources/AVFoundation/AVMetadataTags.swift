import Foundation
import GstPlayer

/// A field of the metadata of the player, and its keys in the formats.
struct MetadataTag: Sendable {
  /// The keys in the key spaces; in the common one, only if the field has a common key.
  let keys: [AVMetadataKeySpace: AVMetadataKey]
  let values: @Sendable (MediaMetadata) -> [MetadataValue]

  private init(
    _ common: AVMetadataKey?, _ id3: AVMetadataKey, _ iTunes: AVMetadataKey, _ vorbis: String,
    _ values: @escaping @Sendable (MediaMetadata) -> [MetadataValue]
  ) {
    keys = [.common: common, .id3: id3, .iTunes: iTunes, .vorbis: AVMetadataKey(vorbis)].compactMapValues(\.self)
    self.values = values
  }

  static let all: [Self] = [
    Self(.commonKeyTitle, .id3MetadataKeyTitleDescription, .iTunesMetadataKeySongName, "TITLE") { texts([$0.title]) },
    Self(.commonKeyArtist, .id3MetadataKeyLeadPerformer, .iTunesMetadataKeyArtist, "ARTIST") { texts($0.artists) },
    Self(nil, .id3MetadataKeyBand, .iTunesMetadataKeyAlbumArtist, "ALBUMARTIST") { texts($0.albumArtists) },
    Self(.commonKeyAlbumName, .id3MetadataKeyAlbumTitle, .iTunesMetadataKeyAlbum, "ALBUM") { texts([$0.album]) },
    Self(.commonKeyType, .id3MetadataKeyContentType, .iTunesMetadataKeyUserGenre, "GENRE") { texts($0.genres) },
    Self(.commonKeyCreator, .id3MetadataKeyComposer, .iTunesMetadataKeyComposer, "COMPOSER") { texts($0.composers) },
    Self(.commonKeyDescription, .id3MetadataKeyComments, .iTunesMetadataKeyUserComment, "COMMENT") {
      texts($0.comments)
    },
    Self(nil, .id3MetadataKeyTrackNumber, .iTunesMetadataKeyTrackNumber, "TRACKNUMBER") { number($0.trackNumber) },
    Self(nil, .id3MetadataKeyPartOfASet, .iTunesMetadataKeyDiscNumber, "DISCNUMBER") { number($0.discNumber) },
    Self(.commonKeyCreationDate, .id3MetadataKeyRecordingTime, .iTunesMetadataKeyReleaseDate, "DATE") {
      texts([$0.date])
    },
    Self(nil, .id3MetadataKeyBeatsPerMinute, .iTunesMetadataKeyBeatsPerMin, "BPM") {
      [$0.beatsPerMinute].compactMap(\.self).map { .number($0) }
    },
    Self(nil, .id3MetadataKeyUnsynchronizedLyric, .iTunesMetadataKeyLyrics, "LYRICS") { texts([$0.lyrics]) },
    Self(.commonKeyPublisher, .id3MetadataKeyPublisher, .iTunesMetadataKeyPublisher, "ORGANIZATION") {
      texts([$0.organization])
    },
    Self(.commonKeyArtwork, .id3MetadataKeyAttachedPicture, .iTunesMetadataKeyCoverArt, "METADATA_BLOCK_PICTURE") {
      [$0.artwork].compactMap(\.self).map { .data($0.bytes) }
    },
  ]

  private static func texts(_ texts: [String?]) -> [MetadataValue] { texts.compactMap(\.self).map { .string($0) } }
  private static func number(_ number: Int?) -> [MetadataValue] { [number].compactMap(\.self).map { .number($0) } }

  /// Returns the common key of an identifier; nil if there is none.
  static func commonKey(of identifier: AVMetadataIdentifier) -> AVMetadataKey? {
    guard let space = AVMetadataItem.keySpace(forIdentifier: identifier),
      let text = (AVMetadataItem.key(forIdentifier: identifier) as? NSString)?._bridgeToSwift()
    else { return nil }
    if space == .common { return AVMetadataKey(text) }
    return all.first { $0.keys[space]?.rawValue == text }?.keys[.common]
  }
}

extension AVMetadataKeySpace {
  /// The keys of Vorbis comments, and of all other formats.
  fileprivate static let vorbis = Self("vorb")
}

extension ID3Metadata {
  /// The items with the identifiers of ID3.
  var items: [MetadataFields] {
    let others = frames.map { frame in
      let value =
        ["TXXX", "COMM"].contains(frame.id)
        ? MetadataValue.string(String(decoding: frame.bytes, as: UTF8.self)) : .data(frame.bytes)
      var fields = MetadataFields(AVMetadataItem.identifier(forKey: frame.id, keySpace: .id3), nil, value)
      fields.info = frame.name.isEmpty ? nil : frame.name
      return fields
    }
    return fields.items(in: .id3) + others
  }
}

extension MediaMetadata {
  /// The format that the tags were probably written in, and its key space.
  ///
  /// The player reads all formats into the same fields; only the names of container and codec differ.
  var format: (name: AVMetadataFormat, keySpace: AVMetadataKeySpace) {
    let names = [containerFormat, audioCodec].compactMap(\.self)
    if names.contains(where: { $0.contains("ID3") || $0.contains("MP3") }) { return (.id3Metadata, .id3) }
    if names.contains(where: { $0.contains("MP4") || $0.contains("M4A") || $0.contains("Quicktime") }) {
      return (.iTunesMetadata, .iTunes)
    }
    return (.unknown, .vorbis)
  }

  /// The items with the identifiers of the format.
  var nativeItems: [AVMetadataItem] { items(in: format.keySpace).map { AVMetadataItem($0) } }

  /// The items that have common keys, with common identifiers.
  var commonItems: [AVMetadataItem] { items(in: .common).map { AVMetadataItem($0) } }

  /// Returns the items that have keys in a key space.
  fileprivate func items(in space: AVMetadataKeySpace) -> [MetadataFields] {
    MetadataTag.all.flatMap { tag in
      guard let key = tag.keys[space] else { return [MetadataFields]() }
      return tag.values(self).map { value in
        MetadataFields(AVMetadataItem.identifier(forKey: key, keySpace: space), tag.keys[.common], value)
      }
    }
  }
}
