/// An item that follows the current one without a command, and whose stream is open.
struct Successor: Codable, Sendable {
  /// The overlap with the end of the current item, in positions of that item.
  struct Overlap: Codable, Equatable, Sendable {
    /// The position at which this item begins.
    var start: Duration
    /// The position at which the current item ends: its duration, or where skipped silence begins.
    var end: Duration

    var length: Duration { end - start }
  }

  @RecordedItem var item: Player.Item
  let token: StreamToken
  /// The gain by its measured loudness.
  fileprivate(set) var gain = MeasuredGain.decided(nil)
  /// Whether its stream is ready to play.
  fileprivate(set) var isSettled = false
  fileprivate(set) var isLive = false
  /// Whether all of its samples are decoded.
  fileprivate(set) var isRead = false
  /// The duration of its media.
  fileprivate(set) var media: Duration?
  /// The facts with which it becomes the current item.
  fileprivate(set) var state = CurrentItem(isSeekable: true)
  /// The last reported fill level of GStreamer's queue; nil if none was reported.
  fileprivate(set) var queued: Int?
  /// The last reported progress of a network stream.
  fileprivate(set) var progress = StreamProgress()
  /// The overlap with which it begins; nil if it follows gaplessly.
  fileprivate(set) var overlap: Overlap?

  fileprivate init(_ item: Player.Item, _ token: StreamToken) {
    (_item, self.token) = (RecordedItem(wrappedValue: item), token)
  }

  /// Whether the buffer of its stream is full; a stream without a buffer counts as full.
  var isBuffered: Bool { queued ?? 100 == 100 }
}

/// The successors of the current item, in playback order.
///
/// An event of a stream that is none of them changes nothing. Invariants: each stream was opened after the one before it, and at
/// most ``limit`` are open. Only the first one overlaps with the current item.
struct Successors: RandomAccessCollection, Codable, Sendable {
  /// The maximum number of open successors; only very short items, and those without data, lead to more than one.
  static let limit = 8

  private var list: [Successor] = []
  /// The instant at which the buffer of one last reported data, since another item began.
  private var arrival = MonotonicTime(nanoseconds: 0)

  // MARK: Reading

  var startIndex: Int { list.startIndex }
  var endIndex: Int { list.endIndex }
  subscript(index: Int) -> Successor { list[index] }
  subscript(token: StreamToken) -> Successor? { list.first { $0.token == token } }

  func index(of token: StreamToken) -> Int? { list.firstIndex { $0.token == token } }

  /// The violated rules; empty in a correct program.
  var violations: [String] {
    let isOrdered = zip(list, list.dropFirst()).allSatisfy { $0.token.number < $1.token.number }
    return (isOrdered ? [] : ["successors have later tokens, in order"])
      + (count <= Self.limit ? [] : ["at most \(Self.limit) successors"])
      + (list.dropFirst().allSatisfy { $0.overlap == nil } ? [] : ["only the first successor overlaps"])
  }

  /// The instant at which the first one, which the end of the current item awaits since `ended`, is late.
  ///
  /// Data that arrives defers it, at most to twice the time.
  func deadline(since ended: MonotonicTime, timeout: Duration) -> MonotonicTime {
    Swift.max(ended, Swift.min(arrival, ended + timeout)) + timeout
  }

  // MARK: Opening and closing

  /// Adds an item whose stream is opened.
  mutating func open(_ item: Player.Item, _ token: StreamToken) { list.append(Successor(item, token)) }

  /// Closes the successors from an index on.
  mutating func close(from index: Int = 0) { list.removeSubrange(index...) }

  /// Removes the first one, which begins.
  mutating func begin() -> Successor {
    arrival = MonotonicTime(nanoseconds: 0)
    return list.removeFirst()
  }

  // MARK: Their streams

  private mutating func update(_ token: StreamToken, _ change: (inout Successor) -> Void) {
    if let index = index(of: token) { change(&list[index]) }
  }

  /// Records the facts of a stream that is ready, in time of its item.
  mutating func settle(_ token: StreamToken, _ facts: StreamFacts) {
    update(token) {
      ($0.isSettled, $0.isLive, $0.progress) = (true, facts.isLive, facts.progress)
      $0.state.details = $0.state.details.with(duration: facts.duration ?? $0.state.details.duration)
      $0.state.isSeekable = facts.isSeekable
    }
  }

  mutating func setMedia(_ duration: Duration?, of token: StreamToken) { update(token) { $0.media = duration } }

  mutating func setGain(_ gain: MeasuredGain, of token: StreamToken) { update(token) { $0.gain = gain } }

  mutating func follow(_ progress: StreamProgress, of token: StreamToken) { update(token) { $0.progress = progress } }

  mutating func report(queued percent: Int, of token: StreamToken, now: MonotonicTime) {
    update(token) { $0.queued = percent }
    if self[token] != nil { arrival = now }
  }

  /// Records that all samples of a stream are decoded.
  mutating func read(_ token: StreamToken) { update(token) { $0.isRead = true } }

  /// Changes the facts with which an item becomes the current one.
  mutating func changeItem(of token: StreamToken, _ change: (inout CurrentItem) -> Void) {
    update(token) { change(&$0.state) }
  }

  // MARK: Overlaps

  /// Sets the overlap of the first one.
  mutating func setOverlap(_ overlap: Successor.Overlap?) { if !list.isEmpty { list[0].overlap = overlap } }
}
