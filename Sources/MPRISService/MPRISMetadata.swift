import DBus
import Synchronization

/// The metadata of a track: ``Fields``, which are encoded once and shared by the snapshots that are copied from each other.
///
/// Every field can be assigned, as in `snapshot.metadata.title = "Morning show"`. A track that has no ``trackID`` yet gets
/// `MPRISTrackID(1)`; give each track its own, because clients recognize a new track by it.
///
/// The entries follow the limits that clients depend on: unknown and empty values are omitted, with at most 16 entries
/// and 8 KiB in total. Two values are equal if their encoded entries are equal.
/// <https://www.freedesktop.org/wiki/Specifications/mpris-spec/metadata/>
@dynamicMemberLookup
public struct MPRISMetadata: Hashable, Sendable {
  /// The metadata of a track, field by field; unknown fields are omitted.
  public struct Fields: Hashable, Sendable {
    /// The track's identity.
    public var trackID: MPRISTrackID
    /// The title, or the file name of an untitled track, so it is never empty.
    public var title: String
    /// The length; nil if it is unknown or there is none, as for a radio station.
    public var length: Duration?
    /// The URI of a picture; every client can show a percent-encoded `file:` URI.
    public var artURL: String?
    /// The artists.
    public var artists: [String] = []
    /// The artists of the whole album.
    public var albumArtists: [String] = []
    /// The album.
    public var album: String?
    /// The genres.
    public var genres: [String] = []
    /// The composers.
    public var composers: [String] = []
    /// The comments.
    public var comments: [String] = []
    /// The track number on the disc, from 1.
    public var trackNumber: Int?
    /// The disc number, from 1.
    public var discNumber: Int?
    /// The date of creation in the format of ISO 8601: `1979`, `1979-11-30`, `1979-11-30T20:00:00Z`.
    public var contentCreated: String?
    /// The URI of the media.
    public var url: String?
    /// The number of times the track has been played.
    public var useCount: Int?
    /// The user's rating, from 0 to 1.
    public var userRating: Double?
    /// The beats per minute.
    public var audioBPM: Int?
    /// The lyrics.
    ///
    /// They come last, because long texts slow some clients down.
    public var lyrics: String?
    /// The MusicBrainz IDs of the recording.
    public var musicBrainzTrackIDs: [String] = []
    /// The MusicBrainz IDs of the release.
    public var musicBrainzAlbumIDs: [String] = []
    /// The MusicBrainz IDs of the artists.
    public var musicBrainzArtistIDs: [String] = []
    /// The MusicBrainz IDs of the album artists.
    public var musicBrainzAlbumArtistIDs: [String] = []

    /// Creates the fields of a track; the other fields are assigned later.
    public init(trackID: MPRISTrackID, title: String) {
      self.trackID = trackID
      self.title = title
    }
  }

  /// A reference, because a snapshot is taken for every read and must not copy thirty fields each time.
  private final class Track: Sendable {
    let fields: Fields
    private let encoded = Mutex(DBusValue?.none)

    init(_ fields: Fields) { self.fields = fields }

    /// The map for clients; encoded when it is first needed, because fields are assigned one by one.
    var value: DBusValue {
      encoded.withLock { encoded in
        if let encoded { return encoded }
        let value = DBusValue.dictionary(MetadataEntries(fields).entries)
        encoded = value
        return value
      }
    }
  }

  private var track: Track?

  /// Creates the metadata of a track.
  public init(_ fields: Fields) { track = Track(fields) }

  private init() { track = nil }

  /// The metadata if nothing is loaded: no entries.
  public static let none = MPRISMetadata()

  /// The fields before encoding; nil if nothing is loaded.
  public var fields: Fields? { track?.fields }

  private var assignable: Fields { track?.fields ?? Fields(trackID: MPRISTrackID(1), title: "") }

  /// A field of the track; empty or nil if nothing is loaded.
  public subscript<Value>(dynamicMember field: WritableKeyPath<Fields, Value>) -> Value {
    get { assignable[keyPath: field] }
    set {
      var fields = assignable
      fields[keyPath: field] = newValue
      track = Track(fields)
    }
  }

  /// The track's identity; nil if nothing is loaded.
  public var trackID: MPRISTrackID? {
    get {
      guard let trackID = track?.fields.trackID, trackID != .noTrack else { return nil }
      return trackID
    }
    set { self[dynamicMember: \.trackID] = newValue ?? .noTrack }
  }

  /// The track's length, above 0; nil if it is unknown.
  public var length: Duration? {
    get {
      guard let length = track?.fields.length, length > .zero else { return nil }
      return length
    }
    set { self[dynamicMember: \.length] = newValue }
  }

  /// The map `a{sv}` for clients.
  var value: DBusValue { track?.value ?? .dictionary([]) }

  /// Whether the encoded entries are equal.
  public static func == (one: Self, other: Self) -> Bool {
    one.track === other.track || one.value == other.value
  }

  /// Hashes the encoded entries.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
