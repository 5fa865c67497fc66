/// An audio track of media.
public struct AudioTrack: Codable, Hashable, Sendable {
  /// The codec, as GStreamer describes it: `MPEG-1 Layer 3 (MP3)`.
  public var codec: String?
  /// The language, BCP 47 or ISO 639; nil if the media does not specify it.
  public var language: String?
  /// The title of the track; nil if the media does not specify it.
  public var title: String?
  /// The number of channels.
  public var channels: Int?
  /// The sample rate in Hz.
  public var sampleRate: Int?
  /// The average bit rate in bits per second, as specified by the media.
  public var bitRate: Int?

  /// Creates a track without any known properties.
  public init() {}
}
