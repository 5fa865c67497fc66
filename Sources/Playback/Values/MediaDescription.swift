/// What media is, as far as it can be known without playing it.
///
/// The counterpart of the loaded properties of an `AVAsset`.
public struct MediaDescription: Hashable, Sendable {
  /// One track of sound.
  public struct AudioTrack: Hashable, Sendable {
    /// The codec, as GStreamer describes it: `MPEG-1 Layer 3 (MP3)`.
    public var codec: String?
    /// The language, BCP 47 or ISO 639; nil when the media does not say.
    public var language: String?
    /// What the track is called; nil when the media does not say.
    public var title: String?
    /// How many channels there are.
    public var channels: Int?
    /// The sample rate in Hz.
    public var sampleRate: Int?
    /// The average bit rate in bits per second, as the media says it.
    public var bitRate: Int?

    /// Makes a track of which nothing is known.
    public init() {}
  }

  /// How long it is; nil when that is not known, or live.
  public var duration: Duration?
  /// What its tags say, artwork included.
  public var metadata = MediaMetadata()
  /// Whether it can be entered anywhere.
  public var isSeekable = false
  /// Whether it happens now, so that it can be neither paused nor sought in.
  public var isLive = false
  /// The tracks of sound, in the media's order.
  public var audioTracks: [AudioTrack] = []
  /// Whether there are moving pictures; a cover is none.
  public var hasVideo = false
  /// The chapters in the order of their starts; those inside of others follow them.
  public var chapters: [Chapter] = []

  /// Makes the description of nothing.
  public init() {}
}
