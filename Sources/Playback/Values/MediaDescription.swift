/// The properties of media that can be determined without playing it.
///
/// The counterpart of the loaded properties of an `AVAsset`.
public struct MediaDescription: Codable, Hashable, Sendable {
  /// The duration; nil if unknown or live.
  public var duration: Duration?
  /// The tags, including artwork.
  public var metadata = MediaMetadata()
  /// Whether the position can be set.
  public var isSeekable = false
  /// Whether it is live, and therefore cannot be paused or seeked.
  public var isLive = false
  /// The audio tracks, in the order of the media.
  public var audioTracks: [AudioTrack] = []
  /// Whether it contains video; a cover does not count.
  public var hasVideo = false
  /// The chapters sorted by start; nested chapters follow the enclosing one.
  public var chapters: [Chapter] = []

  /// Creates an empty description.
  public init() {}
}
