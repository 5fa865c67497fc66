/// The last received frames of a stream, still encoded, and a cursor from which they are read.
///
/// Frames have times, which do not go back. Marks are between them, such as a change of the tags; each kind of mark is in force until the
/// next one of its kind. The oldest frames are removed beyond a duration and beyond a size, whether they were read or not.
///
/// Invariants: every chunk begins with a frame. The cursor is at an entry of a chunk, at the end of the last one, or lost.
struct ReceivedFrames<Mark: Sendable>: Sendable {
  /// A frame or a mark in order.
  enum Item {
    case frame([UInt8], start: Duration, duration: Duration)
    case mark(Mark)
  }

  private enum Entry: Sendable {
    case frame(Range<Int>, start: Duration, duration: Duration)
    case mark(kind: Int, Mark)
  }

  /// Frames that are removed together.
  private struct Chunk: Sendable {
    var bytes: [UInt8] = []
    var entries: [Entry] = []
    /// The marks in force at its start.
    let inherited: [Int: Mark]
    let start: Duration
    var end: Duration

    init(at start: Duration, _ inherited: [Int: Mark]) {
      (self.start, end, self.inherited) = (start, start, inherited)
      bytes.reserveCapacity(chunkSize)
    }

    /// The bytes of memory that it takes, apart from the marks.
    var size: Int { max(bytes.count, chunkSize) + entries.count * MemoryLayout<Entry>.stride }
  }

  /// The bytes and the duration at which the next frame begins another chunk.
  private static var chunkSize: Int { 32 << 10 }
  private static var chunkLength: Duration { .seconds(5) }

  private let limit: (time: Duration, bytes: Int)
  private var chunks: [Chunk] = []
  /// The number of chunks that were removed.
  private var removed = 0
  /// The marks in force after the last frame.
  private var marks: [Int: Mark] = [:]
  /// The cursor: the number of its chunk, and the index of the next entry in it.
  private var cursor = (chunk: 0, entry: 0)
  /// Whether no frame follows the last one.
  private(set) var hasEnded = false
  /// The size of all chunks but the last one.
  private var closedSize = 0

  /// Creates an empty store with a limit of the duration and the bytes that are kept.
  init(time: Duration, bytes: Int) { limit = (time, bytes) }

  // MARK: Adding

  /// Adds a frame; a time before the end of the last frame is replaced by this end.
  mutating func add(_ bytes: [UInt8], at start: Duration, for duration: Duration) {
    let start = max(start, chunks.last?.end ?? start)
    if let last = chunks.last, !last.entries.isEmpty,
      last.bytes.count + bytes.count > Self.chunkSize || start - last.start >= Self.chunkLength
    {
      begin(at: start)
    } else if chunks.isEmpty {
      begin(at: start)
    }
    let index = chunks.count - 1
    let range = chunks[index].bytes.count..<chunks[index].bytes.count + bytes.count
    chunks[index].bytes += bytes
    chunks[index].entries.append(.frame(range, start: start, duration: duration))
    chunks[index].end = start + max(.zero, duration)
    trim()
  }

  /// Adds a mark; before the first frame, it is only in force, and not read.
  mutating func add(_ mark: Mark, kind: Int) {
    marks[kind] = mark
    guard !chunks.isEmpty else { return }
    chunks[chunks.count - 1].entries.append(.mark(kind: kind, mark))
  }

  /// The mark of a kind that is in force after the last frame.
  func lastMark(ofKind kind: Int) -> Mark? { marks[kind] }

  /// Notes that nothing follows.
  mutating func end() { hasEnded = true }

  private mutating func begin(at start: Duration) {
    let isAtEnd = !isLost && !hasNext
    closedSize += chunks.last?.size ?? 0
    chunks.append(Chunk(at: start, marks))
    if isAtEnd { cursor = (removed + chunks.count - 1, 0) }
  }

  /// Removes the oldest chunks beyond the limits; the last one stays.
  private mutating func trim() {
    guard let last = chunks.last else { return }
    var count = 0
    while count + 1 < chunks.count,
      closedSize + last.size > limit.bytes || chunks[count].end < last.end - limit.time
    {
      closedSize -= chunks[count].size
      count += 1
    }
    guard count > 0 else { return }
    chunks.removeFirst(count)
    removed += count
  }

  // MARK: Reading

  /// Whether the frame at the cursor was removed before it was read.
  var isLost: Bool { cursor.chunk < removed }

  /// Whether ``next()`` returns an item.
  var hasNext: Bool {
    guard !isLost, let last = chunks.last else { return false }
    return cursor.chunk - removed < chunks.count - 1 || cursor.entry < last.entries.count
  }

  /// Returns the next item and moves the cursor; nil at the end, and if the cursor is lost.
  mutating func next() -> Item? {
    let index = cursor.chunk - removed
    guard hasNext, chunks[index].entries.indices.contains(cursor.entry) else { return nil }
    defer {
      let isLastEntry = cursor.entry + 1 == chunks[index].entries.count
      cursor = isLastEntry && index + 1 < chunks.count ? (cursor.chunk + 1, 0) : (cursor.chunk, cursor.entry + 1)
    }
    switch chunks[index].entries[cursor.entry] {
    case .mark(_, let mark): return .mark(mark)
    case .frame(let range, let start, let duration):
      return .frame(Array(chunks[index].bytes[range]), start: start, duration: duration)
    }
  }

  /// Moves the cursor to the last frame that begins at or before a time, or to the first frame.
  ///
  /// - Returns: The marks in force there, in the order of their kinds; nil without a frame.
  mutating func seek(to time: Duration) -> [Mark]? {
    guard range != nil, let index = chunks.lastIndex(where: { $0.start <= time }) ?? chunks.indices.first else {
      return nil
    }
    let entries = chunks[index].entries
    let isFrame = { (entry: Entry) in if case .frame = entry { true } else { false } }
    let target =
      entries.lastIndex { if case .frame(_, let start, _) = $0 { start <= time } else { false } }
      ?? entries.firstIndex(where: isFrame) ?? entries.endIndex
    var inForce = chunks[index].inherited
    for case .mark(let kind, let mark) in entries[..<target] { inForce[kind] = mark }
    cursor = (removed + index, target)
    return inForce.sorted { $0.key < $1.key }.map(\.value)
  }

  // MARK: Times

  /// The times of the kept frames; nil without a frame.
  var range: Range<Duration>? {
    guard let first = chunks.first, let last = chunks.last, first.start < last.end else { return nil }
    return first.start..<last.end
  }

  /// The duration of the frames behind the cursor; all of them if the cursor is lost.
  var unread: Duration {
    guard let range else { return .zero }
    guard !isLost, hasNext else { return isLost ? range.upperBound - range.lowerBound : .zero }
    let index = cursor.chunk - removed
    for case .frame(_, let start, _) in chunks[index].entries.dropFirst(cursor.entry) {
      return range.upperBound - start
    }
    return index + 1 < chunks.count ? range.upperBound - chunks[index + 1].start : .zero
  }

  /// The bytes of memory that the frames take.
  var size: Int { closedSize + (chunks.last?.size ?? 0) }
}
