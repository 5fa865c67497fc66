/// The tags of one item as they come: those of the whole item win over those of its stream, newer ones over older ones.
struct CollectedTags: Equatable, Sendable {
  /// All of it together.
  private(set) var merged = MediaMetadata()
  private var stream = MediaMetadata()
  private var item = MediaMetadata()
  /// Another song has begun within the item: what comes next is its own.
  private var isOver = false
  /// The bit rate of a stream that varies is told with every moment of it: these changes have been let through.
  private var bitRateChanges = 0

  /// Takes a list of tags as a demuxer or parser sends it, with all that it knows.
  ///
  /// A station is an item without an end and with a name: what plays there has a title, or none.
  mutating func add(_ newer: MediaMetadata, about scope: TagScope, isStation: Bool = false) {
    if isOver {
      (stream, item, isOver) = (MediaMetadata(), MediaMetadata(), false)
    }
    switch scope {
    case .stream: stream.take(newer, isStation: isStation)
    case .item: item.take(newer, isStation: isStation)
    }
    var sum = stream
    sum.merge(item)
    sum.bitRate = settled(sum.bitRate)
    merged = sum
  }

  /// The stream begins anew, as in a chain of Ogg streams; what is known stays until the next tags come.
  mutating func beginAgain() { isOver = true }

  /// The known bit rate, unless the new one tells clearly more, and that not for ever.
  private mutating func settled(_ bitRate: Int?) -> Int? {
    guard let known = merged.bitRate else { return bitRate }
    guard let bitRate, abs(bitRate - known) > known / 10, bitRateChanges < 8 else { return known }
    bitRateChanges += 1
    return bitRate
  }
}

extension MediaMetadata {
  /// Takes over a newer list of the same scope.
  ///
  /// A station's with another title is another song's: of the old one only what the station and the sound are is true.
  fileprivate mutating func take(_ newer: MediaMetadata, isStation: Bool) {
    guard isStation, title != nil, newer.title != title else { return merge(newer) }
    var next = MediaMetadata()
    next.genres = genres
    next.organization = organization
    next.audioCodec = audioCodec
    next.containerFormat = containerFormat
    next.bitRate = bitRate
    next.merge(newer)
    self = next
  }
}

/// What a list of tags describes.
public enum TagScope: Sendable {
  /// One stream of the media.
  case stream
  /// The media as a whole.
  case item
}
