extension Player.Item {
  /// The metadata of an item known before it is opened, for example from a playlist; it is shown until the item's tags
  /// are known.
  ///
  /// The counterpart of `AVPlayerItem.externalMetadata`. The player itself does not use it.
  public struct ExternalMetadata: Hashable, Sendable {
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
    /// The track number on the disc, from 1.
    public var trackNumber: Int?
    /// The duration; nil if unknown or endless.
    public var duration: Duration?
    /// The absolute URI of a picture.
    public var image: String?

    /// Creates empty hints.
    public init() {}
  }
}
