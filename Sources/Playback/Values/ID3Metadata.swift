/// The content of an ID3 tag at a time of a stream, such as HTTP Live Streaming carries.
public struct ID3Metadata: Codable, Hashable, Sendable {
  /// A frame without a field in ``ID3Metadata/fields``.
  public struct Frame: Codable, Hashable, Sendable {
    /// The four characters of the frame's type, such as `TXXX`, `PRIV` or `GEOB`.
    public let id: String
    /// The description of a `TXXX` or `COMM` frame, or the owner of a `PRIV` frame; empty for another frame.
    public let name: String
    /// The UTF-8 text of a `TXXX` or `COMM` frame, the data of a `PRIV` frame, or the bytes after the header of another
    /// frame.
    public let bytes: [UInt8]

    package init(id: String, name: String = "", bytes: [UInt8]) {
      (self.id, self.name, self.bytes) = (id, name, bytes)
    }
  }

  /// The title, the artists and the other fields; those without a frame are empty.
  public let fields: MediaMetadata
  /// The other frames: comments with a description, then `PRIV` frames, then the others in the order of the tag.
  public let frames: [Frame]

  package init(fields: MediaMetadata, frames: [Frame]) { (self.fields, self.frames) = (fields, frames) }

  /// Whether the tag has no content.
  package var isEmpty: Bool { fields == MediaMetadata() && frames.isEmpty }
  /// The size in bytes of the contents that can be long: frames, picture and lyrics.
  package var size: Int {
    frames.reduce((fields.artwork?.bytes.count ?? 0) + (fields.lyrics?.utf8.count ?? 0)) { $0 + $1.bytes.count }
  }
}

/// An ID3 tag of a stream, with its position in the item.
struct TimedTag: Codable, Hashable, Sendable {
  /// The number of tags that are kept of an item; demuxers read at most some seconds ahead.
  static let limit = 128
  /// The difference in time up to which equal tags are one tag that was read again after a seek.
  static let tolerance = Duration.milliseconds(500)

  var start: Duration
  var content: ID3Metadata
}

extension [TimedTag] {
  /// Inserts a tag in order of time, unless it is there already; drops the first one beyond the limit.
  mutating func note(_ tag: TimedTag) {
    guard !contains(tag) else { return }
    insert(tag, at: partitioningIndex { $0.start > tag.start })
    if count > TimedTag.limit { removeFirst() }
  }
}
