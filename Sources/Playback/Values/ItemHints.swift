/// What somebody else says of an item before it is opened, such as a playlist: for showing it until its tags are known.
///
/// The counterpart of `AVPlayerItem.externalMetadata`. The player itself uses none of it.
public struct ItemHints: Hashable, Sendable {
  /// The title.
  public var title: String?
  /// The performer.
  public var artist: String?
  /// The album.
  public var album: String?
  /// The album's artist.
  public var albumArtist: String?
  /// The genre.
  public var genre: String?
  /// The date of release, as written.
  public var date: String?
  /// The number on the disc, 1 and up.
  public var trackNumber: Int?
  /// How long it plays; nil when unknown or endless.
  public var duration: Duration?
  /// The absolute URI of a picture.
  public var image: String?

  /// Makes hints that say nothing.
  public init() {}
}
