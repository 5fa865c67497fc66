import AVFoundation
import MPRISService

/// The values of an info that clients can see.
struct NowPlayingInfo: Equatable, Sendable {
  var title: String?
  var artist: String?
  var album: String?
  var albumArtist: String?
  var genre: String?
  var composer: String?
  var comments: String?
  var lyrics: String?
  var trackNumber: Int?
  var discNumber: Int?
  var beatsPerMinute: Int?
  var playCount: Int?
  var rating: Double?
  var released: Date?
  var url: String?
  /// Identifies the item in the program; nil if the program declares nothing for this.
  var identifier: String?
  var duration: Duration?
  var elapsed: Duration?
  var rate: Double?
  var defaultRate: Double?
  var isLive: Bool

  /// Reads an info; nil for an empty one.
  ///
  /// Values of other types are ignored.
  init?(_ dictionary: [String: Any]?) {
    guard let dictionary, !dictionary.isEmpty else { return nil }
    let values = InfoValues(dictionary: dictionary)
    title = values.text(MPMediaItemPropertyTitle)
    artist = values.text(MPMediaItemPropertyArtist)
    album = values.text(MPMediaItemPropertyAlbumTitle) ?? values.text(MPMediaItemPropertyPodcastTitle)
    albumArtist = values.text(MPMediaItemPropertyAlbumArtist)
    genre = values.text(MPMediaItemPropertyGenre)
    composer = values.text(MPMediaItemPropertyComposer)
    comments = values.text(MPMediaItemPropertyComments)
    lyrics = values.text(MPMediaItemPropertyLyrics)
    trackNumber = values.integer(MPMediaItemPropertyAlbumTrackNumber)
    discNumber = values.integer(MPMediaItemPropertyDiscNumber)
    beatsPerMinute = values.integer(MPMediaItemPropertyBeatsPerMinute)
    playCount = values.integer(MPMediaItemPropertyPlayCount)
    rating = values.number(MPMediaItemPropertyRating).map { $0 / 5 }
    released = dictionary[MPMediaItemPropertyReleaseDate] as? Date
    url =
      (dictionary[MPNowPlayingInfoPropertyAssetURL] as? URL ?? dictionary[MPMediaItemPropertyAssetURL] as? URL)?
      .absoluteString
    isLive = values.number(MPNowPlayingInfoPropertyIsLiveStream).map { $0 != 0 } ?? false
    // As text, because a Double does not have all 64 bits.
    let persistentID = dictionary[MPMediaItemPropertyPersistentID].map { "\($0)" }
    identifier = values.text(MPNowPlayingInfoPropertyExternalContentIdentifier) ?? persistentID ?? url
    duration = isLive ? nil : values.time(MPMediaItemPropertyPlaybackDuration)
    elapsed = values.time(MPNowPlayingInfoPropertyElapsedPlaybackTime)
    rate = values.number(MPNowPlayingInfoPropertyPlaybackRate)
    defaultRate = values.number(MPNowPlayingInfoPropertyDefaultPlaybackRate).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether both describe one item: no value that identifies an item differs.
  ///
  /// A program often declares the title first, and the artist when it is known.
  func isSameItem(as other: Self) -> Bool {
    if let identifier, let otherIdentifier = other.identifier, identifier != otherIdentifier { return false }
    let pairs = [(title, other.title), (artist, other.artist), (album, other.album)]
    return pairs.allSatisfy { one, other in one == nil || other == nil || one == other }
  }

  /// Returns the metadata for clients.
  func metadata(track: MPRISTrackID, artURL: String?) -> MPRISMetadata {
    var fields = MPRISMetadata.Fields(trackID: track, title: title ?? "")
    fields.length = duration
    fields.artURL = artURL
    fields.artists = [artist].compactMap { $0 }
    fields.album = album
    fields.albumArtists = [albumArtist].compactMap { $0 }
    fields.genres = [genre].compactMap { $0 }
    fields.composers = [composer].compactMap { $0 }
    fields.comments = [comments].compactMap { $0 }
    fields.lyrics = lyrics
    fields.trackNumber = trackNumber
    fields.discNumber = discNumber
    fields.audioBPM = beatsPerMinute
    fields.useCount = playCount
    fields.userRating = rating
    fields.contentCreated = released?.formatted(.iso8601)
    fields.url = url
    return MPRISMetadata(fields)
  }
}

/// The values of a dictionary, by their type.
///
/// Numbers have any type that bridges to `NSNumber` on Apple's systems.
private struct InfoValues {
  let dictionary: [String: Any]

  func text(_ key: String) -> String? {
    guard let text = dictionary[key] as? String ?? (dictionary[key] as? NSString).map({ "\($0)" }), !text.isEmpty else {
      return nil
    }
    return text
  }

  func number(_ key: String) -> Double? {
    let number: Double? =
      switch dictionary[key] {
      case let value as Bool: value ? 1 : 0
      case let value as any BinaryInteger: Double(value)
      case let value as any BinaryFloatingPoint: Double(value)
      case let value as NSNumber: value.doubleValue
      case let value as CMTime: value.seconds
      default: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0.rounded()) } }

  /// Returns a time of at most a hundred years; a negative one is 0.
  func time(_ key: String) -> Duration? { number(key).map { .seconds(min(max($0, 0), 3.2e9)) } }
}
