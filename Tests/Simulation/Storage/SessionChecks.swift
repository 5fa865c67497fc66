import Playback

@testable import PlayerdConfiguration
@testable import PlayerdStorage

/// The record of the states that the session file may have.
struct SessionRecord {
  /// The state of a player that a session contains, apart from the position.
  struct State: Equatable {
    var queue: [String] = []
    var order: [Int]?
    var shuffle: Player.ShuffleMode
    var index = 0
    var state = SavedSession.State.stopped
    var loop = Player.LoopMode.none
    var volume = 1.0
    var rate = 1.0
  }

  /// A time during which the state did not change, and the position advanced evenly.
  struct Period {
    var state: State
    var start: Int64
    var end: Int64
    var from: Double
    var to: Double

    /// Returns the position at an instant.
    func position(at instant: Int64) -> Double {
      guard end > start else { return to }
      return from + (to - from) * min(1, max(0, Double(instant - start) / Double(end - start)))
    }
  }

  var periods: [Period] = []
  /// The session that the daemon has loaded; nil for none.
  var loaded: SavedSession?
  /// The instant of the first change after the start; nil before it.
  var firstChange: Int64?
  /// The instant of the last replacement of a file of the session.
  var lastSuccess: Int64?
  /// Whether an attempt has failed since then.
  var hasFailed = false
  /// The largest delay of an operation so far, in nanoseconds.
  var latency: Int64 = 0
  var isInOrder = false
  var isDamaged = false
  /// Whether the session may still be the damaged one.
  var mayBeDamaged = false
  var isPlaceDamaged = false
  /// The failures that were reported, by file, until a success.
  var reported: [String: String] = [:]
  var revision: (number: UInt64, queue: [String])?
}

extension StorageChecks {
  /// The time after which a saved session is out of date, in nanoseconds.
  private static let limit: Int64 = 5_000_000_000
  private static let tolerance = 0.6

  // MARK: Start

  func startSession(_ life: DaemonLife, _ last: SavedSession?) {
    let isDamaged = session.isDamaged
    let was = session
    session = SessionRecord()
    session.loaded = last
    let lines = life.log.take()
    for line in lines { life.world.note("    log \(line)") }
    if isDamaged {
      require(
        .damagedFileReported, last == nil && lines.contains { $0.contains("session.json") },
        "\(lines.joined(separator: "; "))")
    } else if lines.isEmpty, !was.isPlaceDamaged, !was.periods.isEmpty || was.loaded != nil {
      checkSaved(was, last)
    }
    if positions.isDamaged {
      require(
        .damagedFileReported, lines.contains { $0.contains("positions.json") }, "\(lines.joined(separator: "; "))")
    }
    // A loss of power may undo the new name of the damaged file.
    session.mayBeDamaged = isDamaged || was.mayBeDamaged && was.lastSuccess == nil
    for line in lines where !session.mayBeDamaged && !positions.isDamaged && !positions.mayBeDamaged {
      require(.damagedFileReported, !line.contains("json"), "without damage: \(line)")
    }
    checkRestored(life, last)
  }

  private func checkRestored(_ life: DaemonLife, _ last: SavedSession?) {
    let player = life.player
    let snapshot = life.world.player.internals.snapshot
    guard let last, !last.queue.isEmpty else {
      return require(.resumeRestoresSession, snapshot.itemCount == 0, "\(snapshot.itemCount) items without a session")
    }
    require(
      .resumeRestoresSession, player.items.map(\.uri) == last.queue, "another queue of \(snapshot.itemCount) items")
    require(.resumeRestoresSession, snapshot.currentIndex == last.place.current, "index \(snapshot.currentIndex ?? -1)")
    require(
      .resumeRestoresSession, player.playOrder == last.order && snapshot.shuffleMode == last.shuffle, "another order")
    require(
      .resumeRestoresSession,
      snapshot.loop.rawValue == last.loop.rawValue && abs(snapshot.volume - last.volume) < 1e-5
        && snapshot.rate == last.rate, "loop \(snapshot.loop), volume \(snapshot.volume), rate \(snapshot.rate)")
    let resume = life.settings.current.resume
    let isLoaded = resume != .off && last.place.state != .stopped
    let expected: Player.Transport =
      !isLoaded ? .stopped : resume == .playing && last.place.state == .playing ? .playing : .paused
    require(.resumeRestoresSession, snapshot.transport == expected, "\(snapshot.transport) instead of \(expected)")
    let position = Double(snapshot.position.wholeNanoseconds) / 1e9
    require(
      .resumeRestoresSession, abs(position - (isLoaded ? last.place.position : 0)) < 0.001,
      "at \(position) s instead of \(last.place.position) s")
  }

  // MARK: While it runs

  func diskChanged(_ life: DaemonLife) { session.latency = max(session.latency, 3_000_000_000) }

  func checkSession(_ life: DaemonLife, _ snapshot: Player.Snapshot) {
    let now = life.world.now
    for attempt in life.disk.takeAttempts() {
      let isOfSession = attempt.name.contains("/session")
      // The files of the session share one log.
      if attempt.isSuccess {
        session.reported = session.reported.filter { $0.key.contains("/session") != isOfSession }
      }
      guard isOfSession else {
        positions.hasFailed = !attempt.isSuccess
        continue
      }
      if attempt.isSuccess {
        session.lastSuccess = now
        session.hasFailed = false
      } else {
        session.hasFailed = true
      }
    }
    let state = SessionRecord.State(life.player, snapshot, &session)
    let position = Double(snapshot.position.wholeNanoseconds) / 1e9
    guard let last = session.periods.last, last.state == state else { return add(state, position, now) }
    let expected = Double(now - last.end) / 1e9 * snapshot.rate
    let isEven = abs(position - last.to - expected) < 0.02 || position == last.to
    let isMoving = position != last.to
    // A period either advances all the time or stands.
    guard isEven, last.end == last.start || isMoving == (last.to != last.from) else { return add(state, position, now) }
    session.periods[session.periods.count - 1].end = now
    session.periods[session.periods.count - 1].to = position
  }

  private func add(_ state: SessionRecord.State, _ position: Double, _ now: Int64) {
    if !session.periods.isEmpty {
      session.periods[session.periods.count - 1].end = now
      session.firstChange = session.firstChange ?? now
    }
    session.periods.append(.init(state: state, start: now, end: now, from: position, to: position))
    let keep = min(now - 30_000_000_000, session.lastSuccess ?? now)
    if session.periods.count > 50 { session.periods.removeAll { $0.end < keep } }
  }

  // MARK: End

  func endSession(_ life: DaemonLife) {
    // The machine may go down within an event.
    checkSession(life, life.world.player.internals.snapshot)
  }

  /// Checks a saved session against the states of the life that has saved it.
  private func checkSaved(_ was: SessionRecord, _ saved: SavedSession?) {
    guard let end = was.periods.last?.end else { return }
    var from = end - was.latency - (was.isInOrder ? 0 : Self.limit)
    if was.hasFailed { from = min(from, was.lastSuccess ?? 0) }
    let fitting = was.periods.filter { $0.end >= from && saved.map($0.state.matches) ?? false }
    let fits = fitting.contains { period in
      guard let position = saved?.place.position else { return false }
      // An item is at its start for a moment before it continues at its place.
      if position == 0, period.start >= from { return true }
      let (low, high) = (period.position(at: max(from, period.start)), period.to)
      return position >= min(low, high) - Self.tolerance && position <= max(low, high) + Self.tolerance
    }
    // Until the first change is due, the file from before is current.
    let isUnchanged = was.firstChange.map { $0 >= from } ?? true
    if fits || isUnchanged && saved == was.loaded { return }
    let last = was.periods.last
    require(
      .sessionIsRecent, false,
      "the saved session has \(saved?.queue.count ?? -1) items, item \(saved?.place.current ?? -1) at "
        + "\(saved?.place.position ?? -1) s, \(saved?.place.state.rawValue ?? "none"); the last state has "
        + "\(last?.state.queue.count ?? -1) items, item \(last?.state.index ?? -1) at \(last?.to ?? -1) s, "
        + "\(last?.state.state.rawValue ?? "none")\(fitting.isEmpty ? "" : "; only the position differs")")
  }

  // MARK: Reports

  /// Checks that a failure is reported once until the next success.
  func checkReports(_ life: DaemonLife, _ lines: [String]) {
    for name in ["session.json", "session-place.json", "positions.json"] {
      let path = "\(DaemonLife.folder)/\(name)"
      for line in lines where line.hasPrefix("\(path): ") {
        require(.diskFailureReportedOnce, session.reported[path] != line, line)
        session.reported[path] = line
      }
    }
  }
}

extension SessionRecord.State {
  fileprivate init(_ player: Player, _ snapshot: Player.Snapshot, _ record: inout SessionRecord) {
    if record.revision?.number != snapshot.queueRevision {
      record.revision = (snapshot.queueRevision, player.items.map(\.uri))
    }
    queue = record.revision?.queue ?? []
    (order, shuffle) = (player.playOrder, snapshot.shuffleMode)
    index = snapshot.currentIndex ?? 0
    state =
      switch snapshot.transport {
      case .stopped: .stopped
      case .paused: .paused
      case .playing: .playing
      }
    loop =
      switch snapshot.loop {
      case .none: .none
      case .track: .track
      case .playlist: .playlist
      }
    volume = snapshot.volume
    rate = snapshot.rate
  }

  func matches(_ saved: SavedSession) -> Bool {
    queue == saved.queue && order == saved.order && shuffle == saved.shuffle && index == saved.place.current
      && state == saved.place.state
      && loop == saved.loop && abs(volume - saved.volume) < 1e-9 && rate == saved.rate
  }
}
