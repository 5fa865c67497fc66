/// What the tags of an item say; every field is empty or nil when its tag is absent.
public struct MediaMetadata: Hashable, Sendable {
  /// The title; on a radio station, what it plays now.
  public var title: String?
  /// The performers.
  public var artists: [String] = []
  /// The album's artists.
  public var albumArtists: [String] = []
  /// The album.
  public var album: String?
  /// The genres.
  public var genres: [String] = []
  /// The composers.
  public var composers: [String] = []
  /// Comments.
  public var comments: [String] = []
  /// The number on the disc, 1 and up.
  public var trackNumber: Int?
  /// The disc's number, 1 and up.
  public var discNumber: Int?
  /// The date, ISO 8601, as exact as the tag: `1979`, `1979-11`, `1979-11-30`.
  public var date: String?
  /// Beats per minute.
  public var beatsPerMinute: Double?
  /// The lyrics.
  public var lyrics: String?
  /// The organisation; on a radio station, its name.
  public var organization: String?
  /// The audio codec, as GStreamer describes it.
  public var audioCodec: String?
  /// The container's format, as GStreamer describes it.
  public var containerFormat: String?
  /// The bit rate in bits per second, on average as far as that is known; a varying one settles after a while.
  public var bitRate: Int?
  /// What its owner thinks of it, 0 to 1.
  public var userRating: Double?
  /// How often it has been played.
  public var useCount: Int?
  /// The front cover, or the first picture when none says that it is one.
  public var artwork: Artwork?
  /// MusicBrainz recording id.
  public var musicBrainzTrackID: String?
  /// MusicBrainz release id.
  public var musicBrainzAlbumID: String?
  /// MusicBrainz artist ids.
  public var musicBrainzArtistIDs: [String] = []
  /// MusicBrainz release artist ids.
  public var musicBrainzAlbumArtistIDs: [String] = []

  /// Makes metadata in which every field is absent.
  public init() {}

  /// Takes over every field that `newer` has.
  package mutating func merge(_ newer: MediaMetadata) {
    func take<Value>(_ path: WritableKeyPath<Self, Value?>) {
      if let value = newer[keyPath: path] { self[keyPath: path] = value }
    }
    func take(_ path: WritableKeyPath<Self, [String]>) {
      if !newer[keyPath: path].isEmpty { self[keyPath: path] = newer[keyPath: path] }
    }
    take(\.title)
    take(\.artists)
    take(\.albumArtists)
    take(\.album)
    take(\.genres)
    take(\.composers)
    take(\.comments)
    take(\.trackNumber)
    take(\.discNumber)
    take(\.date)
    take(\.beatsPerMinute)
    take(\.lyrics)
    take(\.organization)
    take(\.audioCodec)
    take(\.containerFormat)
    take(\.bitRate)
    take(\.userRating)
    take(\.useCount)
    take(\.artwork)
    take(\.musicBrainzTrackID)
    take(\.musicBrainzAlbumID)
    take(\.musicBrainzArtistIDs)
    take(\.musicBrainzAlbumArtistIDs)
  }
}
