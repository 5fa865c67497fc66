/// The logs of a player: the last playbacks, and the last errors.
///
/// A pure value; it reads the machine after each decision. It compares a few values then, and allocates only when an
/// entry begins or is added, so it costs next to nothing without a reader.
struct PlaybackLog: Sendable {
  /// The number of complete playbacks, and of errors, that are kept.
  static let limit = 100

  private var complete: [Player.AccessLogEntry] = []
  private(set) var errors: [Player.ErrorLogEntry] = []
  private var current: Player.AccessLogEntry?
  /// The item of `current`: comparing that with nil would copy it.
  private var currentID: Player.Item.ID?
  /// The activity after the last decision; the time since then is counted by it.
  private var last: Activity?

  fileprivate struct Activity: Sendable {
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
    _ machine: borrowing PlaybackMachine, after effects: [Effect], now: MonotonicTime
  ) -> [Player.LogEntry] {
    let isOpen = machine.isOpen
    var added: [Player.LogEntry] = []
    if currentID != nil { count(until: now) }
    lastInstant = now
    for effect in effects {
      switch effect {
      case .emit(.currentItemChanged(_, let item)): begin(isOpen ? item : nil, now: now, &added)
      case .emit(.itemRepeated(let item, _)): begin(isOpen ? item : nil, now: now, &added)
      case .log(let error):
        if error.item?.id == currentID { current?.errorCount += 1 }
        Self.append(error, to: &errors)
        added.append(.error(error))
      default: break
      }
    }
    if !isOpen { begin(nil, now: now, &added) }
    if isOpen, currentID == nil { begin(machine.queue.current, now: now, &added) }
    let activity = machine.activity
    if currentID != nil { note(activity, machine, now: now) }
    last = activity
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

  private mutating func note(_ activity: Activity, _ machine: borrowing PlaybackMachine, now: MonotonicTime) {
    if activity.isRequested { requested = requested ?? now }
    if activity.isAdvancing, current?.startupTime == nil {
      current?.startupTime = requested.map { now - $0 } ?? .zero
      current?.startPosition = machine.timebase.playbackRun.start
    }
    if activity.isStalled, last?.isStalled != true { current?.stallCount += 1 }
    if let last, last.token != activity.token {
      earlier = (
        current?.bytesReceived ?? 0, current?.mediaRequestCount ?? 0, current?.transferDuration ?? .zero
      )
    }
    let progress = machine.loaded.buffer.progress
    if let bytes = progress.transferred { current?.bytesReceived = earlier.bytes.advancedClamping(by: bytes) }
    if let segments = progress.segments { current?.mediaRequestCount = earlier.segments + segments }
    if let time = progress.downloadTime { current?.transferDuration = earlier.downloadTime + time }
    if let bytes = progress.bytesPerSecond { current?.observedBitRate = Int(clamping: Int128(bytes) * 8) }
    if let bitRate = machine.current.details.metadata.bitRate { current?.indicatedBitRate = bitRate }
    if let uri = machine.current.redirectedURI { current?.redirectedURI = uri }
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
  /// Whether the current item is open.
  fileprivate var isOpen: Bool { intent != .stopped && !queue.isEmpty }

  fileprivate var activity: PlaybackLog.Activity {
    PlaybackLog.Activity(
      isRequested: intent == .playing, isAdvancing: timebase.isRunning && !loaded.isSeeking,
      isStalled: current.isStalled, token: token)
  }
}
