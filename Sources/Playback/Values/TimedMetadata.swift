extension Player {
  /// A piece of metadata that belongs to a time of an item; the counterpart of an `AVTimedMetadataGroup`.
  public struct TimedMetadata: Hashable, Sendable {
    /// The metadata.
    public enum Content: Hashable, Sendable {
      /// The title that a radio station plays from then on.
      case streamTitle(String)
      /// A chapter begins.
      case chapter(Chapter)
      /// A line of the lyrics; an empty line ends the one before it.
      case lyrics(String)
      /// An ID3 tag of HTTP Live Streaming.
      case id3(ID3Metadata)
    }

    /// The item.
    public let item: Player.Item
    /// The position in the item from which on it applies.
    public let time: Duration
    /// The duration for which it applies; nil if unknown, for example until a station plays another title.
    public let duration: Duration?
    /// The metadata.
    public let content: Content
  }
}

/// A title of a radio station, with the position at which it becomes audible.
struct StreamTitle: Codable, Hashable, Sendable {
  /// The number of titles that are kept of an item.
  static let limit = 64

  var start: Duration
  var text: String
}

extension [StreamTitle] {
  /// Appends a title, unless it is the last one again, or one before it that is heard again; drops the oldest one beyond the limit.
  mutating func note(_ text: String, at start: Duration) {
    guard last?.text != text, last.map({ start > $0.start }) ?? true else { return }
    if count >= StreamTitle.limit { removeFirst(count - StreamTitle.limit + 1) }
    append(StreamTitle(start: Swift.max(start, last?.start ?? .zero), text: text))
  }
}
