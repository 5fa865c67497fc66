/// The tags of an item; every field is empty or nil if its tag is absent.
public struct MediaMetadata: Codable, Hashable, Sendable {
  /// The title; for a radio station, the title that it currently plays.
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
  /// The track number on the disc, from 1.
  public var trackNumber: Int?
  /// The disc number, from 1.
  public var discNumber: Int?
  /// The date, ISO 8601, as precise as the tag: `1979`, `1979-11`, `1979-11-30`.
  public var date: String?
  /// Beats per minute.
  public var beatsPerMinute: Double?
  /// The lyrics.
  public var lyrics: String?
  /// The organisation; for a radio station, its name.
  public var organization: String?
  /// The audio codec, as GStreamer describes it.
  public var audioCodec: String?
  /// The container format, as GStreamer describes it.
  public var containerFormat: String?
  /// The bit rate in bits per second, the average if known; a variable one settles after some time.
  public var bitRate: Int?
  /// The user's rating, 0 to 1.
  public var userRating: Double?
  /// The number of times that it has been played.
  public var useCount: Int?
  /// The front cover, or the first picture if none is marked as the cover.
  public var artwork: MediaMetadata.Artwork?
  /// MusicBrainz recording id.
  public var musicBrainzTrackID: String?
  /// MusicBrainz release id.
  public var musicBrainzAlbumID: String?
  /// MusicBrainz artist ids.
  public var musicBrainzArtistIDs: [String] = []
  /// MusicBrainz release artist ids.
  public var musicBrainzAlbumArtistIDs: [String] = []

  /// Creates metadata without any fields.
  public init() {}

  /// Replaces every field that is present in `newer`.
  package mutating func merge(_ newer: MediaMetadata) {
    for path in Self.texts { if let text = newer[keyPath: path] { self[keyPath: path] = text } }
    for path in Self.lists where !newer[keyPath: path].isEmpty { self[keyPath: path] = newer[keyPath: path] }
    func take<Value>(_ path: WritableKeyPath<Self, Value?>) {
      if let value = newer[keyPath: path] { self[keyPath: path] = value }
    }
    take(\.trackNumber)
    take(\.discNumber)
    take(\.beatsPerMinute)
    take(\.bitRate)
    take(\.userRating)
    take(\.useCount)
    take(\.artwork)
  }

  /// The fields with one text.
  package static let texts: [any WritableKeyPath<Self, String?> & Sendable] = [
    \.title, \.album, \.date, \.lyrics, \.organization, \.audioCodec, \.containerFormat, \.musicBrainzTrackID,
    \.musicBrainzAlbumID,
  ]

  /// The fields with several texts.
  package static let lists: [any WritableKeyPath<Self, [String]> & Sendable] = [
    \.artists, \.albumArtists, \.genres, \.composers, \.comments, \.musicBrainzArtistIDs, \.musicBrainzAlbumArtistIDs,
  ]
}
