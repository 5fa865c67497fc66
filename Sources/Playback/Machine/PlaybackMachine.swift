/// The rules of playback: it takes commands and engine events, and produces effects and a snapshot.
///
/// It has no clock and calls nothing; the time is passed in. The machine itself keeps the queue and the intent. Each other concern
/// is a value with its own invariants: ``PlaybackSettings``, ``CurrentItem``, ``Timebase``, ``StreamPhase`` with its
/// ``LoadedStream``, ``SkipPass``, ``OutputState`` and ``Fade``. `reconcile` decides whether the current item plays or pauses;
/// apart from it, only the end of an item pauses it. `updateEngine` then sends the resulting commands to the engine.
struct PlaybackMachine: Codable, Sendable {
  /// The state that the user requested.
  enum Intent: Codable, Sendable { case stopped, paused, playing }

  var configuration: Player.Configuration
  var settings: PlaybackSettings
  var queue = PlayQueue()
  var intent = Intent.stopped
  var current = CurrentItem()
  var phase = StreamPhase.none
  var timebase = Timebase()
  var skip = SkipPass()
  var output = OutputState()
  /// Whether a load waits for the start of the engine, which limits that time itself.
  var isEngineStarting = false
  var fade = Fade()
  /// The stream of the item before, which overlaps with the current one; nil if there is none.
  var outgoing: OutgoingStream?
  /// The stream that a command has skipped, while it fades out; nil if there is none.
  var skipped: SkippedStream?
  /// The start at a later instant, until the engine plays or a command cancels it; nil otherwise.
  var scheduledStart: ScheduledStart?
  /// Whether a request of the sound server has paused playback, and no command has followed.
  var isInterrupted = false
  var lastError: PlayerError?
  /// The volume curves of items; no rule depends on them, so a recorded state lacks them.
  var volumeCurves: [Player.Item.ID: VolumeCurve] = [:]
  /// The files whose measurement was requested last; a replay does not need them.
  var measured = LoudnessRequest()
  /// The state that was last sent to the engine.
  var engine: EngineState
  private var lastToken: UInt64 = 0
  var effects: [Effect] = []

  /// The properties of a recorded state; the queue is recorded separately, and effects exist only during a decision.
  private enum CodingKeys: CodingKey {
    case configuration, settings, intent, current, phase, timebase, skip, output, isEngineStarting, fade, outgoing,
      skipped, scheduledStart, isInterrupted, lastError, engine, lastToken
  }

  init(configuration: Player.Configuration) {
    self.configuration = configuration
    settings = PlaybackSettings(configuration: configuration)
    queue = PlayQueue(shuffleSeed: configuration.shuffleSeed)
    engine = EngineState(settings: EngineSettings(configuration))
  }

  /// The stream of the current item; while none is loaded, it reads as ``LoadedStream/none`` and must not be changed.
  var loaded: LoadedStream {
    get { phase.stream }
    _modify { yield &phase.stream }
  }

  /// The token of the current item's stream; a token unknown to the engine while none is loaded.
  var token: StreamToken { loaded.token }

  /// Whether the engine plays.
  var isRunning: Bool { loaded.run == .running }

  // MARK: Effects

  mutating func takeEffects() -> [Effect] {
    guard !effects.isEmpty else { return [] }
    // Not keeping the capacity: that would allocate again, because the returned array shares the storage.
    defer { effects = [] }
    return effects
  }

  /// Records an error of the current item for the log.
  mutating func log(_ error: PlayerError, _ outcome: Player.ErrorLogEntry.Outcome, now: MonotonicTime) {
    let entry = Player.ErrorLogEntry(
      item: queue.current, instant: now, position: position(at: now), error: error, outcome: outcome)
    effects.append(.log(entry))
  }

  mutating func perform(_ command: EngineCommand) { effects.append(.command(command)) }

  mutating func finishSeek(_ ticket: SeekTicket?, _ isDone: Bool) {
    if let ticket { effects.append(.finishSeek(ticket, isDone)) }
  }

  mutating func emit(_ event: Player.Event) { effects.append(.emit(event)) }

  /// Reports a jump of the position; a seek to the current position, as for another audio track, is not a jump.
  mutating func emitTimeJump(from origin: Duration, to target: Duration) {
    if origin != target { emit(.timeJumped(from: origin, to: target)) }
  }

  // MARK: Position

  /// Returns the current item's position: the target during a seek, never beyond the duration, and not after a fade-out.
  func position(at now: MonotonicTime) -> Duration {
    let pending = loaded.seek?.shown ?? loaded.start?.position
    let position = max(.zero, pending ?? timebase.position(at: min(now, silenceBegin ?? now)))
    return current.details.duration.map { min($0, position) } ?? position
  }

  /// The distance from its duration at which an item may end and still count as played to the end.
  static let endTolerance = Duration.milliseconds(250)

  /// Returns the end position if the current item ends now: its duration, unless it was cut off well before that.
  func endPosition(at now: MonotonicTime) -> Duration { endPosition(reached: position(at: now)) }

  /// Returns the end position if the current item ends at a position.
  func endPosition(reached position: Duration) -> Duration {
    // The clock of the output may deviate from the player's during a long item.
    let position = max(position, itemTime(loaded.foundEnd, of: token) ?? .zero)
    guard let duration = current.details.duration else { return position }
    return loaded.isEstimated || duration - position < Self.endTolerance ? duration : position
  }

  mutating func freeze(at now: MonotonicTime) {
    timebase.stand(at: position(at: now))
    outgoing?.freeze(at: now)
  }

  // MARK: Playing

  /// Whether the current item is to play, according to the intent and the stream.
  var shouldRun: Bool {
    let holds = loaded.isSeeking && !loaded.isWanted
    let isRequested = intent == .playing || fade.pauseDue != nil
    let isEnded = loaded.run == .ended
    return phase.isReady && isRequested && !isEnded && (hasEnough || loaded.buffer.isStarved) && !holds
      && scheduledStart?.isDue ?? true
  }

  /// Lets the current item play or pause, if that is not its state.
  mutating func reconcile(now: MonotonicTime) {
    guard phase.isReady else { return }
    let shouldRun = shouldRun
    // Playback that starts after a wait, or with a part of the forward buffer, does not wait for the rest.
    if shouldRun, !loaded.isWanted || loaded.buffer.percent < 100 { loaded.buffer.isRefilling = false }
    guard shouldRun != loaded.isWanted else { return }
    if shouldRun { resetFade(.in) }
    setWanted(shouldRun ? .starting : .held, now: now)
  }

  /// Lets the current item play or pause, unless it already does.
  mutating func setWanted(_ run: LoadedStream.RunState, now: MonotonicTime) {
    let wasWanted = loaded.isWanted
    loaded.run = run
    guard wasWanted != loaded.isWanted else { return }
    loaded.buffer.isDry = false
    // The wait for a successor begins again.
    if loaded.ended != nil { loaded.ended = now }
  }

  // MARK: Loading and releasing

  mutating func nextToken() -> StreamToken {
    lastToken += 1
    return StreamToken(number: lastToken)
  }

  /// Loads the current item at `position`; unloads if the player is stopped or the queue is empty.
  mutating func loadCurrent(at position: Duration = .zero, ticket: SeekTicket? = nil, now: MonotonicTime) {
    outgoingEnded()
    // After a skip, the previous stream fades out beside this one.
    if phase.isReady { skipped = nil }
    abandonSeeks()
    guard let item = queue.current, intent != .stopped else { return unload() }
    (fade.pauseDue, fade.unloadDue) = (nil, nil)
    scheduledStart?.reset()
    var stream = LoadedStream(token: nextToken(), timeout: configuration.loadTimeout, now: now)
    stream.buffer.arrival = now
    stream.join = skipped.map { .fadeIn($0.shape) } ?? .gapless
    stream.opened = position
    stream.start = position > .zero ? SeekTarget(position: position, ticket: ticket) : nil
    if stream.start == nil { finishSeek(ticket, true) }
    phase = .loading(stream)
    timebase.jump(to: position)
    open(item, token, audioTrack: current.audio.chosen, at: position)
  }

  /// Loads the current item again; a caller that awaits the start position keeps waiting.
  mutating func loadAgain(at position: Duration, now: MonotonicTime) {
    let ticket = loaded.start?.ticket
    if ticket != nil { loaded.start?.ticket = nil }
    reportAbandonedSeek(now: now)
    loadCurrent(at: position, ticket: ticket, now: now)
  }

  /// Reports the jump of a seek that the engine will not complete, although its target remains the position.
  mutating func reportAbandonedSeek(now: MonotonicTime) {
    if let seek = loaded.seek, !seek.isSilent { emitTimeJump(from: seek.origin, to: position(at: now)) }
  }

  /// Releases the loaded media and the output; `next` is the new phase, and `position` the position that is shown.
  mutating func unload(to next: StreamPhase = .none, at position: Duration = .zero) {
    (fade.pauseDue, scheduledStart) = (nil, nil)
    outgoingEnded()
    abandonSeeks()
    timebase.jump(to: position)
    (phase, skipped) = (next, nil)
  }

  mutating func abandonSeeks() {
    guard phase.isLoaded else { return }
    for ticket in loaded.tickets { finishSeek(ticket, false) }
    loaded.seek = nil
    loaded.start = nil
  }

  // MARK: Another item

  /// Resets the state for opening the current item from its start.
  mutating func openAgain() {
    resetFade(.none)
    current.openAgain()
  }

  /// Resets the state of the current item; called whenever another item becomes current.
  mutating func forgetItem() {
    resetFade(.none)
    scheduledStart = nil
    current = CurrentItem(isSeekable: queue.current?.isLocal ?? false, loopCount: current.loopCount)
  }

  /// Stops at the end of the queue, or if no item in it can be played.
  mutating func endQueue() {
    intent = .stopped
    unload()
    emit(.queueEnded)
  }

  /// Makes another item current, and loads it according to the intent.
  mutating func move(to item: Player.Item, now: MonotonicTime) {
    let old = queue.current
    queue.select(item.id)
    forgetItem()
    loadCurrent(now: now)
    // If the player is stopped, selecting the same item is not reported as a start.
    if old?.id != item.id || intent != .stopped { entered(item, after: old) }
  }

  /// Reports the start of an item after another item or after itself.
  mutating func entered(_ item: Player.Item?, after old: Player.Item?) {
    if let item, item.id == old?.id {
      current.loopCount += 1
      emit(.itemRepeated(item, loopCount: current.loopCount))
    } else {
      current.loopCount = 0
      emit(.currentItemChanged(from: old, to: item))
    }
  }

  // MARK: Time

  /// The instant of the next wake-up if no other event occurs before.
  var nextWake: MonotonicTime? {
    let phaseWake: MonotonicTime? =
      switch phase.state {
      case .loading: isEngineStarting ? nil : loaded.deadline
      case .outputLost(let retry): intent == .stopped ? nil : retry
      case .sourceLost(let retry): intent == .playing ? retry : nil
      case .none, .ready, .released: nil
      }
    let waiting = fade.wake.lesser(startWake).lesser(successorDeadline).lesser(networkDeadline).lesser(seekDeadline)
      .lesser(releaseTime).lesser(loadedRangeDue).lesser(fadingDeadline)
      .lesser(phaseWake)
    guard isRunning else { return waiting }
    return waiting.lesser(openingDue).lesser(clipEndInstant).lesser(timebase.nextSample).lesser(standstillDeadline)
      .lesser(durationCheck).lesser(rangeEndDue)
  }

  /// The instant at which a long pause releases the output; nil if the item could not be opened again at the same
  /// position.
  ///
  /// Only a seekable local file can be opened there again. The server ends an interruption by a message to the stream.
  var releaseTime: MonotonicTime? {
    guard phase.isReady, !isInterrupted, let since = loaded.pausedSince, current.isSeekable, !loaded.isLive,
      !loaded.isSeeking,
      queue.current?.isLocal == true
    else { return nil }
    return since + configuration.releaseOutputAfter
  }
}
