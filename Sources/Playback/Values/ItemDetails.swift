import Synchronization

/// The known facts about an item; replaced as a whole, so that a snapshot costs one reference.
final class ItemDetails: Sendable {
  let duration: Duration?
  /// The chapters sorted by start, each with its end if that is known.
  let chapters: [Chapter]
  /// The lines of lyrics with times, sorted by start.
  let lyrics: [LyricsLine]
  private let tags: CollectedTags
  /// The chapters as given by the item.
  private let marks: [Chapter]
  /// A unique number for each change; an address is unsuitable, because addresses are reused.
  let revision: UInt64

  var metadata: MediaMetadata { tags.merged }

  private init(
    duration: Duration?, tags: CollectedTags, marks: [Chapter], revision: UInt64? = nil, after old: ItemDetails? = nil
  ) {
    self.duration = duration
    let text = tags.merged.lyrics
    lyrics = text == old?.metadata.lyrics ? old?.lyrics ?? [] : text.map(LyricsLine.lines(ofLRC:)) ?? []
    self.tags = tags
    self.marks = marks
    chapters = Chapter.ordered(marks, end: duration)
    self.revision = revision ?? Self.revisions.add(1, ordering: .relaxed).newValue
  }

  private static let revisions = Atomic<UInt64>(0)

  static let unknown = ItemDetails(duration: nil, tags: CollectedTags(), marks: [])

  /// The parts of the details that exceed a limit, for the log.
  var excess: [String] {
    var excess: [String] = []
    if marks.count > Chapter.limit { excess.append("only the first \(Chapter.limit) chapters are kept") }
    if marks.contains(where: \.hasLongTitle) { excess.append("only the first KiB of a chapter's title is kept") }
    if lyrics.count >= LyricsLine.limit { excess.append("only the first \(LyricsLine.limit) lines of lyrics are kept") }
    return excess
  }

  func with(duration: Duration?) -> ItemDetails {
    duration == self.duration ? self : ItemDetails(duration: duration, tags: tags, marks: marks, after: self)
  }

  func with(marks: [Chapter]) -> ItemDetails {
    marks == self.marks ? self : ItemDetails(duration: duration, tags: tags, marks: marks, after: self)
  }

  /// Returns the details with newer tags; the revision does not change unless readers can see the difference.
  func adding(_ newer: MediaMetadata, about scope: TagScope) -> ItemDetails {
    var tags = tags
    tags.add(newer, about: scope, isStation: duration == nil && metadata.organization != nil)
    guard tags != self.tags else { return self }
    let isSeen = tags.merged != metadata
    return ItemDetails(duration: duration, tags: tags, marks: marks, revision: isSeen ? nil : revision, after: self)
  }

  func withSongEnded() -> ItemDetails {
    var tags = tags
    tags.beginAgain()
    return ItemDetails(duration: duration, tags: tags, marks: marks, revision: revision, after: self)
  }
}

/// The recorded details; the revision is a new one.
extension ItemDetails: Codable {
  private enum CodingKeys: CodingKey { case duration, tags, marks }

  convenience init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      duration: try values.decodeIfPresent(Duration.self, forKey: .duration),
      tags: try values.decode(CollectedTags.self, forKey: .tags),
      marks: try values.decode([Chapter].self, forKey: .marks))
  }

  /// The details with short texts, and without the bytes of the picture.
  var recorded: ItemDetails { ItemDetails(duration: duration, tags: tags.recorded, marks: marks.map(\.recorded)) }

  /// An upper limit of the bytes of recorded details.
  var weight: Int { tags.weight + marks.count * 2 * (MemoryLayout<Chapter>.stride + 160) }
}
