import Playback

/// The record of progress.
struct ProgressRecord {
  /// The instant of the last fault.
  var disturbed: Int64 = 0
  /// The instant of the last progress of a player that is to play.
  var last: Int64 = VirtualClock.start
  /// The number of the present run of playback without a jump.
  var run: UInt64 = 0
  /// The number of jumps and item changes.
  var jumps: UInt64 = 0
  /// The calls of time observers since the last check.
  var calls = 0
  var pausedWakes = 0
  /// The instant of the first measurement that was requested after the last fault has ceased; nil before that.
  var measured: Int64?
  /// The instant at which the player last requested a measurement.
  var requested: Int64 = 0
  /// The current stream, if it was heard without an interruption, and the instant since which the output has a gap.
  var heard: (stream: UInt64, gap: Int64?)?
  /// The boundaries and multiples that playback has passed and whose call is due.
  var passed: [Passed] = []

  struct Passed {
    var observer: Int
    var time: Duration
    var isTick: Bool
    var instant: Int64
  }
}

extension Checker {
  /// The longest time without progress.
  private static let patience: Int64 = 300_000_000_000

  /// The longest time in which the output of a playing player has no sample: the load time-out of 10 s, the measurements
  /// after it, and a correction of the position that is in progress at a low rate.
  static let longestSilence: Int64 = 25_000_000_000

  /// Checks that a playing player does not stay silent.
  private func checkSilence(_ after: PlayerInternals) {
    guard let silence = world.model.output.silentSince, after.snapshot.timeControlStatus == .playing, !after.isSeeking,
      world.model.busyUntil <= now
    else { return }
    let since = max(silence, progress.disturbed, world.resumed, world.model.outputStopsUntil)
    require(
      .silenceEnds, now - since < Self.longestSilence,
      "\(after.snapshot.currentItem?.uri ?? "nil") has no sample for \((now - since) / 1_000_000_000) s")
  }

  /// The longest gap in the audible stream.
  private static let longestGap: Int64 = 50_000_000

  /// Checks that the output plays what the audible stream has while another stream is open.
  private func checkGap(_ after: PlayerInternals) {
    let (model, output) = (world.model, world.model.output)
    guard after.snapshot.timeControlStatus == .playing, after.isReady, !after.isSeeking, !after.isFading,
      let deck = model.deck(after.stream), deck.isCalm, !deck.hasEnded, deck.failedAt == nil, deck.media.fault == .none,
      deck.position < deck.end, !deck.isNetwork || deck.position < deck.received
    else { return progress.heard = nil }
    if output.voices.contains(where: { $0.deck === deck && output.isAdvancing($0) }) {
      return progress.heard = (deck.token, nil)
    }
    // A command that takes some time may be the reason.
    if model.hasCommands { return }
    guard let heard = progress.heard, heard.stream == deck.token, model.decks.count > 1,
      now - max(progress.disturbed, world.resumed, model.outputStopsUntil) > 15_000_000_000,
      now - fades.commanded > 1_000_000_000
    else { return progress.heard = nil }
    if heard.gap == nil { world.schedule(.call {}, at: now + Self.longestGap) }
    let gap = heard.gap ?? now
    progress.heard?.gap = gap
    require(
      .nextLeavesNoGap, now - gap < Self.longestGap, "\(deck.uri) is not heard for \((now - gap) / 1_000_000) ms")
  }

  func checkProgress(_ after: PlayerInternals) {
    checkSilence(after)
    checkGap(after)
    let seen = after.snapshot
    let (world, now) = (world, now)
    if let before, before.isAdvancing, seen.position > position.lastPosition || before.snapshot.position < seen.position
    {
      world.noteListening(now - progress.last)
      progress.last = now
    }
    let isWaiting = seen.transport == .playing && seen.timeControlStatus != .paused
    // A slow server may take longer than that to fill a large buffer.
    if let before, before.snapshot.bufferingPercent < seen.bufferingPercent { progress.last = now }
    // A file may be longer than it claims.
    let isBeyond = world.model.output.isAdvancing && seen.duration.map { seen.position >= $0 } ?? false
    // Slow observers are notified of another item later.
    let isOther = before?.snapshot.currentItem?.id != seen.currentItem?.id
    if !isWaiting || isCommand || isBeyond || isOther || events.contains(where: \.isProgress) { progress.last = now }
    checkScheduledStart(after)
    let fault = max(world.model.outputDownUntil, world.model.networkDownUntil, world.model.outputStopsUntil)
    require(
      .waitingEnds, now - max(progress.last, fault) < Self.patience,
      "\(seen.timeControlStatus) at \(seen.position) of \(seen.currentItem?.uri ?? "nil") for \((now - progress.last) / 1_000_000_000) s"
    )
    if let seek = callers.seeks.first {
      require(
        .seekAnswered, now - max(seek.since, fault, world.resumed) < 2 * Self.patience, "seek \(seek.number) waits")
    }
  }

  /// Checks the time of a start at an instant.
  private func checkScheduledStart(_ after: PlayerInternals) {
    if let start = before?.scheduledStart?.nanoseconds, after.scheduledStart == nil, after.isAdvancing, !isCommand {
      // A report from before the command cannot be told from one of the start.
      require(.startIsNotEarly, now >= start - 100_000_000, "\((start - now) / 1_000_000) ms early")
    }
    guard let start = after.scheduledStart?.nanoseconds else { return }
    require(.startIsNotEarly, !after.isAdvancing, "at \(after.snapshot.position)")
    progress.last = max(progress.last, min(now, start))
    // An item that is ready five seconds before can be started in time. A new process starts first.
    let calm = 15_000_000_000 + Int64(world.scenario.behaviour.engineStart) * 1_000_000
    guard before?.scheduledStart == after.scheduledStart, start - fades.commanded > 5_000_000_000,
      start - progress.disturbed > calm, let media = world.model.output.current?.deck.media, media.source == .file,
      media.isPlayable
    else { return }
    require(.startIsOnTime, now <= start + 1_000_000_000, "\((now - start) / 1_000_000) ms late")
  }

  /// Checks the end of a run: every caller has an answer.
  func checkClosed() {
    require(.closeAnswersAll, callers.seeks.isEmpty, "seeks \(callers.seeks.map(\.number))")
    require(.closeAnswersAll, callers.preparations.isEmpty, "preparations \(callers.preparations.map(\.number))")
    let after = world.player.internals
    require(
      .closeAnswersAll, after.observers == 0 && after.pendingSeeks == 0 && after.pendingPreparations == 0,
      "\(after.observers) observers remain")
  }
}

extension Player.Event {
  fileprivate var isProgress: Bool {
    switch self {
    case .changed, .warning, .outputFailed: false
    default: true
    }
  }
}
