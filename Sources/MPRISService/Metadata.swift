import DBus

/// What is known of a track, ready to be sent: made once for each track, then shared by every snapshot at no cost.
///
/// The entries keep the rules that clients depend on: what is unknown or empty is absent, there are at most 16 entries
/// and 8 KiB in all. Two are equal when clients see the same.
/// <https://www.freedesktop.org/wiki/Specifications/mpris-spec/metadata/>
public struct Metadata: Hashable, Sendable {
  /// What is known of a track, field by field; what is unknown is left out.
  public struct Fields: Hashable, Sendable {
    /// The track's identity.
    public var trackID: TrackID
    /// The title; the name of the file where there is no better one, so that it is never empty.
    public var title: String
    /// The length; nil when it is not known or there is none, as for a radio station.
    public var length: Duration?
    /// The URI of a picture; `file:`, percent-encoded, is what every client can show.
    public var artURL: String?
    /// The performers.
    public var artists: [String] = []
    /// The performers of the album as a whole.
    public var albumArtists: [String] = []
    /// The album.
    public var album: String?
    /// The genres.
    public var genres: [String] = []
    /// The composers.
    public var composers: [String] = []
    /// Remarks.
    public var comments: [String] = []
    /// The number on the disc, from 1.
    public var trackNumber: Int?
    /// The number of the disc, from 1.
    public var discNumber: Int?
    /// When the work was created, in the manner of ISO 8601: `1979`, `1979-11-30`, `1979-11-30T20:00:00Z`.
    public var contentCreated: String?
    /// The URI that is played.
    public var url: String?
    /// How often the track has been played.
    public var useCount: Int?
    /// What its listeners think of it, 0 to 1.
    public var userRating: Double?
    /// The beats per minute.
    public var audioBPM: Int?
    /// The lyrics; long texts are a burden for some clients and come last.
    public var lyrics: String?
    /// The recording's MusicBrainz identifiers.
    public var musicBrainzTrackIDs: [String] = []
    /// The release's MusicBrainz identifiers.
    public var musicBrainzAlbumIDs: [String] = []
    /// The performers' MusicBrainz identifiers.
    public var musicBrainzArtistIDs: [String] = []
    /// The MusicBrainz identifiers of the album's performers.
    public var musicBrainzAlbumArtistIDs: [String] = []

    /// Names a track; the rest is assigned.
    public init(trackID: TrackID, title: String) {
      self.trackID = trackID
      self.title = title
    }
  }

  /// Shared, because a snapshot is taken for every read and must not copy thirty fields each time.
  private final class Track: Sendable {
    let fields: Fields
    let value: Value
    init(_ fields: Fields) {
      self.fields = fields
      value = .dictionary(MetadataEntries(fields).entries)
    }
  }

  private let track: Track?

  /// Prepares what is known of a track for sending.
  public init(_ fields: Fields) { track = Track(fields) }

  private init() { track = nil }

  /// What is known when nothing is loaded: no entry at all.
  public static let none = Metadata()

  /// What it was made from; nil when nothing is loaded.
  public var fields: Fields? { track?.fields }

  /// The track's identity; nil when nothing is loaded.
  public var trackID: TrackID? {
    guard let trackID = track?.fields.trackID, trackID != .noTrack else { return nil }
    return trackID
  }

  /// The track's length, above 0; nil when it is not known.
  public var length: Duration? {
    guard let length = track?.fields.length, length > .zero else { return nil }
    return length
  }

  /// The map `a{sv}` that clients read.
  var value: Value { track?.value ?? .dictionary([]) }

  /// Whether clients see the same.
  public static func == (one: Self, other: Self) -> Bool {
    one.track === other.track || one.value == other.value
  }

  /// Hashes what clients see.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
