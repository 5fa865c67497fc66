/// The logs of a player: the last playbacks, and the last errors.
///
/// A pure value; it receives the facts after each decision. It compares a few values then, and allocates only when an
/// entry begins or is added, so it costs next to nothing without a reader.
struct PlaybackLog: Sendable {
  /// The facts about the current item after a decision.
  struct Facts: Sendable {
    var item: Player.Item?
    /// Whether the item is open, and whether it is to play.
    var isOpen: Bool
    var isRequested: Bool
    var isAdvancing: Bool
    var isStalled: Bool
    var token: StreamToken
    var bytes: Int64?
    var bytesPerSecond: Int64?
    var segments: Int?
    var downloadTime: Duration?
    /// The position at which playback began, or continued after the last jump.
    var runStart: Duration
    var bitRate: Int?
    var redirectedURI: String?
  }

  /// The number of complete playbacks, and of errors, that are kept.
  static let limit = 100

  private var complete: [Player.AccessLogEntry] = []
  private(set) var errors: [Player.ErrorLogEntry] = []
  private var current: Player.AccessLogEntry?
  /// The item of `current`: comparing that with nil would copy it.
  private var currentID: Player.Item.ID?
  /// The facts after the last decision; the time since then is counted by them.
  private var last: LastFacts?

  private struct LastFacts: Sendable {
    var isRequested: Bool
    var isAdvancing: Bool
    var isStalled: Bool
    var token: StreamToken
  }
  private var lastInstant = MonotonicTime(nanoseconds: 0)
  /// The instant of the request to play.
  private var requested: MonotonicTime?
  /// The bytes, the segments and the time of the downloads of the earlier streams of this playback.
  private var earlier = (bytes: Int64(0), segments: 0, downloadTime: Duration.zero)

  /// Returns the last playbacks, the oldest first; the last one is in progress if it is not complete.
  func access(at now: MonotonicTime) -> [Player.AccessLogEntry] {
    guard current != nil else { return complete }
    var copy = self
    copy.count(until: now)
    return complete + [copy.current].compactMap { $0 }
  }

  /// Updates the logs after a decision; returns the entries that were added.
  mutating func follow(
    _ facts: Facts, after effects: [Effect], errors new: [Player.ErrorLogEntry], now: MonotonicTime
  ) -> [Player.LogEntry] {
    var added: [Player.LogEntry] = []
    if currentID != nil { count(until: now) }
    lastInstant = now
    for error in new {
      if error.item?.id == currentID { current?.errorCount += 1 }
      Self.append(error, to: &errors)
      added.append(.error(error))
    }
    for case .emit(let event) in effects {
      switch event {
      case .currentItemChanged(_, let item): begin(facts.isOpen ? item : nil, now: now, &added)
      case .itemRepeated(let item, _): begin(facts.isOpen ? item : nil, now: now, &added)
      default: break
      }
    }
    if !facts.isOpen { begin(nil, now: now, &added) }
    if facts.isOpen, currentID == nil { begin(facts.item, now: now, &added) }
    note(facts, now: now)
    last = LastFacts(
      isRequested: facts.isRequested, isAdvancing: facts.isAdvancing, isStalled: facts.isStalled, token: facts.token)
    return added
  }

  /// Begins the playback of an item, nil for none, after completing the one before.
  private mutating func begin(_ item: Player.Item?, now: MonotonicTime, _ added: inout [Player.LogEntry]) {
    if currentID != nil, var entry = current {
      entry.isComplete = true
      Self.append(entry, to: &complete)
      added.append(.access(entry))
    }
    current = item.map { Player.AccessLogEntry(item: $0, start: now) }
    currentID = item?.id
    (last, requested, earlier) = (nil, nil, (0, 0, .zero))
  }

  private mutating func note(_ facts: Facts, now: MonotonicTime) {
    guard currentID != nil else { return }
    if facts.isRequested { requested = requested ?? now }
    if facts.isAdvancing, current?.startupTime == nil {
      current?.startupTime = requested.map { now - $0 } ?? .zero
      current?.startPosition = facts.runStart
    }
    if facts.isStalled, last?.isStalled != true { current?.stallCount += 1 }
    if let last, last.token != facts.token {
      earlier = (
        current?.bytesReceived ?? 0, current?.mediaRequestCount ?? 0, current?.transferDuration ?? .zero
      )
    }
    if let bytes = facts.bytes { current?.bytesReceived = earlier.bytes.advancedClamping(by: bytes) }
    if let segments = facts.segments { current?.mediaRequestCount = earlier.segments + segments }
    if let time = facts.downloadTime { current?.transferDuration = earlier.downloadTime + time }
    if let bytes = facts.bytesPerSecond {
      let (bits, overflows) = Int(clamping: bytes).multipliedReportingOverflow(by: 8)
      current?.observedBitRate = overflows ? .max : bits
    }
    if let bitRate = facts.bitRate { current?.indicatedBitRate = bitRate }
    if let uri = facts.redirectedURI { current?.redirectedURI = uri }
  }

  /// Adds the time since the last decision.
  private mutating func count(until now: MonotonicTime) {
    guard let last, lastInstant < now else { return }
    let time = now - lastInstant
    if last.isAdvancing { current?.timePlayed += time }
    if last.isStalled, last.isRequested { current?.stallDuration += time }
  }

  private static func append<Entry>(_ entry: Entry, to list: inout [Entry]) {
    if list.count >= limit { list.removeFirst(list.count - limit + 1) }
    list.append(entry)
  }
}

extension PlaybackMachine {
  /// The facts for the logs.
  var logFacts: PlaybackLog.Facts {
    PlaybackLog.Facts(
      item: queue.current, isOpen: intent != .stopped && !queue.isEmpty, isRequested: intent == .playing,
      isAdvancing: timebase.isRunning && !loaded.isSeeking, isStalled: current.isStalled, token: token,
      bytes: loaded.buffer.progress.transferred, bytesPerSecond: loaded.buffer.progress.bytesPerSecond,
      segments: loaded.buffer.progress.segments, downloadTime: loaded.buffer.progress.downloadTime,
      runStart: timebase.playbackRun.start, bitRate: current.details.metadata.bitRate,
      redirectedURI: current.redirectedURI)
  }
}
