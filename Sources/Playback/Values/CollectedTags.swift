/// The tags of one item as they arrive.
///
/// Tags in a file beside the item override tags of the whole item. Tags of the whole item override tags of its stream.
/// Newer tags override older ones.
struct CollectedTags: Codable, Equatable, Sendable {
  /// The merged tags.
  private(set) var merged = MediaMetadata()
  private var stream = MediaMetadata()
  private var item = MediaMetadata()
  private var companion = MediaMetadata()
  /// Whether another song has begun within the item; the next tags replace the earlier ones.
  private var isOver = false
  /// The number of accepted bit rate changes; a stream with a variable bit rate reports changes continuously.
  private var bitRateChanges = 0

  /// Adds a list of tags as a demuxer or parser sends it, with all its known tags.
  ///
  /// A station is an endless item with a name; the song or programme that it plays may lack a title.
  mutating func add(_ newer: MediaMetadata, about scope: TagScope, isStation: Bool = false) {
    if isOver, scope != .companionFile {
      (stream, item, isOver) = (MediaMetadata(), isStation ? item.aboutStation : MediaMetadata(), false)
    }
    switch scope {
    case .stream: stream.take(newer, isStation: isStation)
    case .item: item.take(newer, isStation: isStation)
    case .companionFile: companion.merge(newer)
    }
    var sum = stream
    sum.merge(item)
    sum.merge(companion)
    sum.bitRate = settled(sum.bitRate)
    merged = sum
  }

  /// Marks that the stream begins again, as in a chain of Ogg streams; the tags stay until the next ones arrive.
  mutating func beginAgain() { isOver = true }

  /// Returns the known bit rate, unless the new one differs clearly; only a limited number of changes is accepted.
  private mutating func settled(_ bitRate: Int?) -> Int? {
    guard let known = merged.bitRate else { return bitRate }
    guard let bitRate, MediaMetadata.isNotable(bitRate, after: known), bitRateChanges < 8 else { return known }
    bitRateChanges += 1
    return bitRate
  }
}

extension CollectedTags {
  /// The tags with short texts, and without the bytes of the picture.
  var recorded: CollectedTags {
    var tags = self
    (tags.merged, tags.stream) = (merged.recorded, stream.recorded)
    (tags.item, tags.companion) = (item.recorded, companion.recorded)
    return tags
  }

  /// An upper limit of the bytes of recorded tags.
  var weight: Int { merged.weight + stream.weight + item.weight + companion.weight }
}

extension MediaMetadata {
  /// Whether a bit rate differs enough from the known one to be shown.
  fileprivate static func isNotable(_ bitRate: Int, after known: Int) -> Bool { abs(bitRate - known) > known / 10 }

  /// Whether tags differ from older ones only by a bit rate that is not shown.
  package func onlyAdjustsBitRate(of older: MediaMetadata) -> Bool {
    guard let bitRate, let known = older.bitRate, bitRate != known, !Self.isNotable(bitRate, after: known) else {
      return false
    }
    var adjusted = self
    adjusted.bitRate = known
    return adjusted == older
  }

  /// Merges a newer list of tags with the same scope.
  ///
  /// On a station, another title means another song. Only the tags about the station and the audio format are kept
  /// then. A blank title counts as no title, and so does one of a station without a letter or a digit, such as ` - `: many
  /// stations put the missing names of an artist and a song around a dash. A list without a title, such as the list of a
  /// container, keeps the song.
  fileprivate mutating func take(_ newer: MediaMetadata, isStation: Bool) {
    defer {
      let isEmpty = isStation ? title.map { !$0.contains { $0.isLetter || $0.isNumber } } : title.map(\.isBlank)
      if isEmpty == true { title = nil }
    }
    guard isStation, title != nil, let next = newer.title, next != title else { return merge(newer) }
    self = aboutStation
    merge(newer)
  }

  /// The tags about the station and the audio format.
  fileprivate var aboutStation: MediaMetadata {
    var tags = MediaMetadata()
    tags.genres = genres
    tags.organization = organization
    tags.audioCodec = audioCodec
    tags.containerFormat = containerFormat
    tags.bitRate = bitRate
    return tags
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

/// The scope of a list of tags.
public enum TagScope: Codable, Sendable {
  /// One stream of the media.
  case stream
  /// The media as a whole.
  case item
  /// A file beside the media, such as its lyrics.
  case companionFile
}
