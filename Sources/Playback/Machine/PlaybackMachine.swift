/// The rules of playback: it takes commands and engine events, and produces effects and a snapshot.
///
/// It reads no clock and calls nothing; the time is passed in. ``decide(_:now:)`` is the only entrance, so a recorded state and the
/// inputs after it determine every later state.
///
/// The machine itself keeps the queue and the intent, which is the state that the user requested. Each other concern is a part
/// that keeps its state private and decides about itself, such as ``SeekState``, ``StreamBuffer`` or ``Fade``. The rules here
/// connect the parts:
///
/// - A rule changes the parts. It sends no command about open streams, the plan or the output.
/// - `reconcile` decides whether the current item plays or pauses; apart from it, only the end of an item pauses it.
/// - After the rule, the decision derives the rest from the state: the successors that are to be open, the range that readers see,
///   whether anything visible has changed, and the commands by which the engine follows.
///
/// The stream of the current item exists while it loads and while it is ready. Its token is in each event, so an event of a
/// closed stream is dropped. `README.md` in this folder has the table of its states.
struct PlaybackMachine: Codable, Sendable {
  /// The state that the user requested.
  enum Intent: Codable, Sendable { case stopped, paused, playing }

  private(set) var configuration: Player.Configuration
  private(set) var settings: PlaybackSettings
  private(set) var queue = PlayQueue()
  private(set) var intent = Intent.stopped
  private(set) var current = CurrentItem()
  private(set) var phase = StreamPhase.none
  private(set) var timebase = Timebase()
  private(set) var skip = SkipPass()
  private var output = OutputState()
  /// Whether a load waits for the start of the engine, which limits that time itself.
  private var isEngineStarting = false
  private(set) var fade = Fade()
  /// The stream of the item before, which overlaps with the current one; nil if there is none.
  private(set) var outgoing: OutgoingStream?
  /// The stream that a command has skipped, while it fades out; nil if there is none.
  private(set) var skipped: SkippedStream?
  /// The start at a later instant, until the engine plays or a command cancels it; nil otherwise.
  private(set) var scheduledStart: ScheduledStart?
  /// Whether a request of the sound server has paused playback, and no command has followed.
  private var isInterrupted = false
  private(set) var lastError: PlayerError?
  /// The volume curves of items; no rule depends on them, so a recorded state lacks them.
  private(set) var volumeCurves: [Player.Item.ID: VolumeCurve] = [:]
  /// The files whose measurement was requested last; a replay does not need them.
  private var measured = LoudnessRequest()
  /// The state that was last sent to the engine.
  private(set) var engine: EngineState
  private var lastToken: UInt64 = 0
  private var effects: [Effect] = []

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
  private(set) var loaded: LoadedStream {
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
  private mutating func log(_ error: PlayerError, _ outcome: Player.ErrorLogEntry.Outcome, now: MonotonicTime) {
    let entry = Player.ErrorLogEntry(
      item: queue.current, instant: now, position: position(at: now), error: error, outcome: outcome)
    effects.append(.log(entry))
  }

  private mutating func perform(_ command: EngineCommand) { effects.append(.command(command)) }

  private mutating func finishSeek(_ ticket: SeekTicket?, _ isDone: Bool) {
    if let ticket { effects.append(.finishSeek(ticket, isDone)) }
  }

  private mutating func reply(_ replies: SeekState.Replies) {
    for reply in replies { effects.append(.finishSeek(reply.ticket, reply.isDone)) }
  }

  private mutating func emit(_ event: Player.Event) { effects.append(.emit(event)) }

  /// Reports a jump of the position; a seek to the current position, as for another audio track, is not a jump.
  private mutating func emitTimeJump(from origin: Duration, to target: Duration) {
    if origin != target { emit(.timeJumped(from: origin, to: target)) }
  }

  // MARK: Position

  /// Returns the current item's position: the target during a seek, never beyond the duration, and not after a fade-out.
  func position(at now: MonotonicTime) -> Duration {
    let position = max(.zero, loaded.seek.shown ?? timebase.position(at: min(now, silenceBegin ?? now)))
    return current.details.duration.map { min($0, position) } ?? position
  }

  /// The distance from its duration at which an item may end and still count as played to the end.
  private static let endTolerance = Duration.milliseconds(250)

  /// Returns the end position if the current item ends now: its duration, unless it was cut off well before that.
  private func endPosition(at now: MonotonicTime) -> Duration { endPosition(reached: position(at: now)) }

  /// Returns the end position if the current item ends at a position.
  private func endPosition(reached position: Duration) -> Duration {
    // The clock of the output may deviate from the player's during a long item.
    let position = max(position, itemTime(loaded.foundEnd, of: token) ?? .zero)
    guard let duration = current.details.duration else { return position }
    return loaded.isEstimated || duration - position < Self.endTolerance ? duration : position
  }

  private mutating func freeze(at now: MonotonicTime) {
    timebase.stand(at: position(at: now))
    outgoing?.freeze(at: now)
  }

  // MARK: Playing

  /// Whether the current item is to play, according to the intent and the stream.
  var shouldRun: Bool {
    let holds = loaded.isSeeking && !loaded.isWanted
    let isRequested = intent == .playing || fade.isPausing
    let isEnded = loaded.run == .ended
    return phase.isReady && isRequested && !isEnded && (hasEnough || loaded.buffer.isStarved) && !holds
      && scheduledStart?.isDue ?? true
  }

  /// Lets the current item play or pause, if that is not its state.
  private mutating func reconcile(now: MonotonicTime) {
    guard phase.isReady else { return }
    let shouldRun = shouldRun
    // Playback that starts after a wait, or with a part of the forward buffer, does not wait for the rest.
    if shouldRun, !loaded.isWanted || loaded.buffer.percent < 100 { loaded.buffer.playbackContinues() }
    guard shouldRun != loaded.isWanted else { return }
    if shouldRun { resetFade(.in) }
    loaded.setWanted(shouldRun ? .starting : .held, now: now)
  }

  // MARK: Loading and releasing

  private mutating func nextToken() -> StreamToken {
    lastToken += 1
    return StreamToken(number: lastToken)
  }

  /// Loads the current item at `position`; unloads if the player is stopped or the queue is empty.
  private mutating func loadCurrent(at position: Duration = .zero, ticket: SeekTicket? = nil, now: MonotonicTime) {
    outgoingEnded()
    // After a skip, the previous stream fades out beside this one.
    if phase.isReady { skipped = nil }
    abandonSeeks()
    guard let item = queue.current, intent != .stopped else { return unload() }
    fade.endPause()
    fade.endStop()
    scheduledStart?.reset()
    var stream = LoadedStream(
      token: nextToken(), at: position, join: skipped.map { .fadeIn($0.shape) } ?? .gapless,
      timeout: configuration.loadTimeout, now: now)
    if position > .zero {
      reply(stream.seek.start(at: SeekTarget(position: position, ticket: ticket)))
    } else {
      finishSeek(ticket, true)
    }
    phase = .loading(stream)
    timebase.jump(to: position)
    open(item, token, audioTrack: current.audio.chosen, at: position)
  }

  /// Loads the current item again; a caller that awaits the start position keeps waiting.
  private mutating func loadAgain(at position: Duration, now: MonotonicTime) {
    let ticket = phase.isLoaded ? loaded.seek.takeStartTicket() : nil
    reportAbandonedSeek(now: now)
    loadCurrent(at: position, ticket: ticket, now: now)
  }

  /// Reports the jump of a seek that the engine will not complete, although its target remains the position.
  private mutating func reportAbandonedSeek(now: MonotonicTime) {
    if loaded.seek.isReported, let origin = loaded.seek.origin { emitTimeJump(from: origin, to: position(at: now)) }
  }

  /// Releases the loaded media and the output; `next` is the new phase, and `position` the position that is shown.
  private mutating func unload(to next: StreamPhase = .none, at position: Duration = .zero) {
    fade.endPause()
    scheduledStart = nil
    outgoingEnded()
    abandonSeeks()
    timebase.jump(to: position)
    (phase, skipped) = (next, nil)
  }

  private mutating func abandonSeeks() {
    if phase.isLoaded { reply(loaded.seek.abandon()) }
  }

  // MARK: Another item

  /// Resets the state for opening the current item from its start.
  private mutating func openAgain() {
    resetFade(.none)
    current.openAgain()
  }

  /// Resets the state of the current item; called whenever another item becomes current.
  private mutating func forgetItem() {
    resetFade(.none)
    scheduledStart = nil
    current = CurrentItem(isSeekable: queue.current?.isLocal ?? false, loopCount: current.loopCount)
  }

  /// Stops at the end of the queue, or if no item in it can be played.
  private mutating func endQueue() {
    intent = .stopped
    unload()
    emit(.queueEnded)
  }

  /// Makes another item current, and loads it according to the intent.
  private mutating func move(to item: Player.Item, now: MonotonicTime) {
    let old = queue.current
    queue.select(item.id)
    forgetItem()
    loadCurrent(now: now)
    // If the player is stopped, selecting the same item is not reported as a start.
    if old?.id != item.id || intent != .stopped { entered(item, after: old) }
  }

  /// Reports the start of an item after another item or after itself.
  private mutating func entered(_ item: Player.Item?, after old: Player.Item?) {
    if let item, item.id == old?.id {
      current.begins(isRepetition: true)
      emit(.itemRepeated(item, loopCount: current.loopCount))
    } else {
      current.begins(isRepetition: false)
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
    let waiting = fade.due.lesser(startWake).lesser(successorDeadline).lesser(networkDeadline).lesser(seekDeadline)
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
  private var releaseTime: MonotonicTime? {
    guard phase.isReady, !isInterrupted, let since = loaded.pausedSince, current.isSeekable, !loaded.isLive,
      !loaded.isSeeking,
      queue.current?.isLocal == true
    else { return nil }
    return since + configuration.releaseOutputAfter
  }
}

// MARK: - Deciding

/// Makes decisions: passes each input to its rule, and derives what follows from the new state.
extension PlaybackMachine {
  /// Makes the decision on an input.
  ///
  /// The rules emit all events but `changed`. After them, one comparison decides about `changed`: it follows the
  /// other events of the decision if readers see another state, however many rules have changed it, and precedes the commands
  /// that derive from the state. Observers receive it as the last event.
  mutating func decide(_ input: PlaybackInput, now: MonotonicTime) {
    let before = visibleState(at: now)
    apply(input, now: now)
    updateSuccessors(now: now)
    updateLoadedRange(now: now)
    if visibleState(at: now) != before { emit(.changed) }
    noteAnnouncedRange()
    announceFiles()
    updateEngine()
  }

  /// Passes an input to the rule that handles it.
  private mutating func apply(_ input: PlaybackInput, now: MonotonicTime) {
    if input.endsInterruption { isInterrupted = false }
    switch input {
    case .play: play(now: now)
    case .playAt(let instant): play(at: instant, now: now)
    case .prepare: prepare(now: now)
    case .stop: stop(now: now)
    case .advance(let distance): select(queue.item(at: distance), isBackward: distance < 0, now: now)
    case .pause(let isFading): pause(fading: isFading, now: now)
    case .playItem(let id): play(id, now: now)
    case .playImmediately(let rate): playImmediately(atRate: rate, now: now)
    case .seek(let target, let tolerance, let ticket): seek(to: target, within: tolerance, ticket: ticket, now: now)
    case .cancelPendingSeeks: cancelPendingSeeks()
    case .setRate(let rate): setRate(rate, now: now)
    case .setDefaultRate(let rate): settings.defaultRate = rate
    case .setVolume(let volume): settings.volume = volume
    case .setMaximumVolume(let volume): settings.maximumVolume = volume
    case .setFade(let length): settings.fade = length
    case .setMuted(let isMuted): settings.isMuted = isMuted
    case .setAudioOutput(let output): setAudioOutput(output, now: now)
    case .setLoop(let loop): setLoop(loop, now: now)
    case .setShuffled(let isShuffled): editQueue(now: now) { $0.setShuffled(isShuffled) }
    case .setShuffleMode(let mode, let names): editQueue(now: now) { $0.setShuffleMode(mode, names: names) }
    case .setActionAtItemEnd(let action): setActionAtItemEnd(action, now: now)
    case .setAutomaticallyWaits(let waits): setAutomaticallyWaits(waits, now: now)
    case .setForwardBuffer(let duration): settings.forwardBuffer = duration
    case .setNetworkTimeout(let timeout): settings.networkTimeout = timeout
    case .setAudioLanguages(let languages): settings.audioLanguages = languages
    case .setLowPowerMode(let isEnabled): settings.isLowPowerModeEnabled = isEnabled
    case .setCrossfade(let crossfade): setCrossfade(crossfade)
    case .suspendCrossfade(let isSuspended):
      settings.isCrossfadeSuspended = isSuspended
    case .setTimePitch(let algorithm): settings.timePitch = algorithm
    case .selectAudioTrack(let index): selectAudioTrack(index, now: now)
    case .setVolumeCurve(let curve, let id): setVolumeCurve(curve, of: id)
    case .replaceQueue(let list, let start, let order):
      replaceQueue(with: list.items, startingAt: start, playOrder: order, now: now)
      forgetVolumeCurves()
    case .rearrange(let list, let order, let keepsAlbums):
      editQueue(now: now) { $0.rearrange(with: list.items, playOrder: order, keepsAlbums: keepsAlbums) }
      forgetVolumeCurves()
    case .insert(let list, let id): editQueue(now: now) { $0.insert(list.items, after: id) }
    case .insertAtStart(let list): editQueue(now: now) { $0.insertAtStart(list.items) }
    case .remove(let ids):
      remove(ids, now: now)
      forgetVolumeCurves()
    case .move(let id, let index): editQueue(now: now) { $0.move(id, to: index) }
    case .event(let event): handle(event, now: now)
    case .loudness(let report): handle(report, now: now)
    case .wake: wake(now: now)
    case .sampleForReader:
      timebase.noteRequest(at: now)
      perform(.samplePosition(of: token))
    case .progress(let progress, let stream): follow(progress, of: stream)
    }
  }

  /// Passes an event of the engine to the rule that handles it.
  private mutating func handle(_ event: EngineEvent, now: MonotonicTime) {
    // While nothing is loaded, an engine that is not trusted might use the number of no stream.
    guard phase.isLoaded || skipped != nil || event.stream == nil else { return }
    switch event {
    case .stream(let stream, let event): handle(event, of: stream, now: now)
    case .output(let event): handle(event, now: now)
    case .audible(let stream, let time): audible(stream, at: time, now: now)
    case .starting(let isStarting): engineStarts(isStarting, now: now)
    case .replaced: engineWasReplaced(now: now)
    case .warning(let text, let stream): emit(.warning(text, of: stream.flatMap { item(of: $0) }))
    }
  }

  private mutating func handle(_ event: StreamEvent, of stream: StreamToken, now: MonotonicTime) {
    // A skipped stream only ends.
    guard phase.isLoaded || stream == skipped?.token else { return }
    switch event {
    case .ended(let time): ended(stream, at: time, now: now)
    case .failed(let error): failed(stream, error, now: now)
    case _ where !phase.isLoaded: break
    case .settled(let facts): settled(stream, facts, now: now)
    case .readingOn: readsOn(stream, now: now)
    case .seekRefused(let position): seekRefused(stream, position: position, now: now)
    case .read: wasRead(stream, now: now)
    case .sampled(let position, let progress):
      follow(progress, of: stream)
      sampled(stream, position: position, progress, now: now)
      announceMeasuredRange(of: stream, now: now)
    case .progressed(let progress): progressed(stream, progress, now: now)
    case .ranOut(let progress): ranOut(stream, progress, now: now)
    case .startMissed(let position): startMissed(stream, position: position, now: now)
    case .durationChanged(let duration): durationChanged(stream, duration, now: now)
    case .tags(let tags, let scope): tagsChanged(stream, tags, about: scope)
    case .titleStarts(let title, let time): titleStarts(stream, title, at: time)
    case .timedTag(let content, let time): timedTag(stream, content, at: time)
    // After a seek, the same tag may have a time that differs by some milliseconds.
    case .timedTagsFlushed: changeItem(of: stream) { $0.tags = [] }
    case .redirected(let uri): changeItem(of: stream) { $0.redirectedURI = uri }
    case .songEnded: changeItem(of: stream) { $0.details = $0.details.withSongEnded() }
    case .chapters(let marks): chaptersChanged(stream, marks)
    case .leftOut(let text): leftOut(stream, text)
    case .interrupted(let text): decodingInterrupted(stream, text, now: now)
    case .audioTracks(let tracks, let current): audioTracksFound(stream, tracks, current: current)
    case .buffering(let percent, let progress): buffering(stream, percent: percent, progress, now: now)
    }
  }

  private mutating func handle(_ event: OutputEvent, now: MonotonicTime) {
    switch event {
    case .failed(let error): outputFailed(error, now: now)
    case .opened(let isSilent): outputOpened(isSilent: isSilent)
    case .found: outputIsAvailable(now: now)
    case .inUse(let id): outputInUse(id)
    case .suspended: outputSuspended(now: now)
    case .removed(let id): outputRemoved(id, now: now)
    case .added(let id): outputAdded(id, now: now)
    case .unplugged(let port): outputLeft("“\(port)” was unplugged", now: now)
    case .volumeChanged(let volume, let isMuted): externalVolumeChanged(volume: volume, isMuted: isMuted)
    case .fadeOutEnds(let delay): fade.ends(in: delay, longest: settings.fade, now: now)
    case .pauseRequested: pauseRequested(now: now)
    case .resumeRequested: resumeRequested(now: now)
    }
  }
}

// MARK: - Commands

/// The user commands.
///
/// Each command is applied to the state at once; the engine follows.
extension PlaybackMachine {
  private mutating func play(now: MonotonicTime) {
    cancelScheduledStart(now: now)
    resume(now: now)
  }

  /// Plays at the default rate.
  private mutating func resume(now: MonotonicTime) {
    guard intent != .playing || phase.isAtEnd, !queue.isEmpty else { return }
    if let rate = settings.defaultRate { setRate(rate, now: now) }
    startPlaying(now: now)
  }

  private mutating func startPlaying(now: MonotonicTime) {
    guard intent != .playing || phase.isAtEnd, !queue.isEmpty else { return }
    let (wasStopped, pausedSince) = (intent == .stopped, loaded.pausedSince)
    intent = .playing
    if phase.isLoaded {
      loaded.resume(now: now)
    }
    if fade.isPausing {
      resetFade(.in)
    } else if wasStopped {
      skip = SkipPass()
      openAgain()
      loadCurrent(now: now)
    } else if phase.isAtEnd {
      playAgain(from: position(at: now), now: now)
    } else if phase.isReleased {
      loadCurrent(at: position(at: now), now: now)
    } else if phase.isSourceLost {
      reconnect(now: now)
    } else {
      leaveRemovedData(pausedSince: pausedSince, now: now)
      reconcile(now: now)
    }
  }

  private mutating func prepare(now: MonotonicTime) {
    guard intent == .stopped, !queue.isEmpty else { return }
    intent = .paused
    skip = SkipPass()
    openAgain()
    loadCurrent(now: now)
  }

  private mutating func pause(fading: Bool, now: MonotonicTime) {
    guard intent == .playing || !fading && fade.isPausing else { return }
    intent = .paused
    if fading, canFade {
      fade.pause(over: settings.fade, now: now)
      perform(.fade(.out))
    } else {
      pausePipeline(now: now)
    }
    cancelScheduledStart(now: now)
  }

  private mutating func stop(now: MonotonicTime) {
    guard intent != .stopped else { return }
    skipped = nil
    if canFade, fade.stop(over: settings.fade, now: now) { perform(.fade(.out)) }
    intent = .stopped
    unload()
  }

  /// Makes the item that a command selects current, if there is one.
  private mutating func select(_ item: Player.Item?, isBackward: Bool = false, now: MonotonicTime) {
    guard let item else { return }
    skip = SkipPass(isBackward: isBackward)
    fadeAtSkip(now: now)
    move(to: item, now: now)
  }

  /// Makes an item of the queue current and plays it.
  private mutating func play(_ id: Player.Item.ID, now: MonotonicTime) {
    guard let index = queue.index(of: id) else { return }
    intent = .playing
    select(queue.items[index], now: now)
  }

  /// Seeks within the current item, and clamps the target to it; if the item is not seekable, the ticket finishes with
  /// false.
  private mutating func seek(
    to target: Duration, within tolerance: Player.SeekTolerance, ticket: SeekTicket, now: MonotonicTime
  ) {
    finishFadeOut(now: now)
    // An item that is still being opened may turn out to be seekable, which is decided when that is known.
    guard intent != .stopped, !queue.isEmpty, current.isSeekable || phase.isLoading || stationRange != nil else {
      return finishSeek(ticket, false)
    }
    scheduledStart = nil
    let upper = max(.zero, current.details.duration ?? .nanoseconds(Int64.max))
    var target = min(max(.zero, target), upper)
    let origin = loaded.seek.origin ?? position(at: now)
    if let range = stationRange {
      // What is audible at the present is not received again. A client that asks for the end knows it from a moment before.
      let present = range.upperBound - Self.presentLength
      if target >= present, origin >= present, target > origin - .seconds(1) { return finishSeek(ticket, true) }
      target = min(max(range.lowerBound, target), range.upperBound)
    }
    switch phase.state {
    case .none, .sourceLost: finishSeek(ticket, false)
    case .loading:
      reply(loaded.seek.start(at: SeekTarget(position: target, ticket: ticket)))
      timebase.jump(to: target)
      emitTimeJump(from: origin, to: target)
    case .released where intent == .playing || queue.current?.isLocal != true:
      // The item is at its end. Playback is to continue at another position, or the item comes from a server, which may
      // not provide it later.
      loadCurrent(at: target, ticket: ticket, now: now)
      emitTimeJump(from: origin, to: target)
    case .released, .outputLost:
      if phase.isReleased { phase = .released(isAtEnd: false) }
      timebase.jump(to: target)
      finishSeek(ticket, true)
      emitTimeJump(from: origin, to: target)
    case .ready:
      let target = SeekTarget(position: target, ticket: ticket, tolerance: tolerance)
      if loaded.sourceFailure != nil, loaded.buffer.kept == nil {
        // Without a source to read from, the current item is opened again.
        loadCurrent(at: target.position, ticket: ticket, now: now)
        emitTimeJump(from: origin, to: target.position)
      } else if loaded.isSeeking {
        reply(loaded.seek.follow(with: target))
      } else {
        beginSeek(EngineSeek(to: target, from: origin), now: now)
      }
    }
  }

  /// Finishes every pending seek with false; the seek that the engine has begun is carried out, but no later one.
  private mutating func cancelPendingSeeks() {
    if phase.isLoaded { reply(loaded.seek.cancel()) }
  }

  /// Sends a seek to the engine.
  ///
  /// `continuesRun` is true if playback has just reached the target, so that observers see no jump.
  private mutating func beginSeek(_ newSeek: EngineSeek, continuesRun: Bool = false, now: MonotonicTime) {
    outgoingEnded()
    // The data at the target is audible at the full level.
    if loaded.isWanted { skipped = nil }
    loaded.begin(
      newSeek, isAlone: skipped == nil, isPlaying: intent == .playing, timeout: configuration.loadTimeout, now: now)
    let target = newSeek.target
    if !continuesRun { timebase.jump(to: target.position) }
    if stationRange != nil { showTitle(at: target.position) }
    let media =
      stationRange == nil ? target.position + (queue.current?.start ?? .zero) : max(.zero, mediaTime(target.position))
    perform(.seek(token, to: media, exactly: target.tolerance.isExact))
    // A start at an instant is requested again.
    engine.start = nil
  }

  /// Sets the rate; 1 is normal.
  ///
  /// The caller has checked the range.
  private mutating func setRate(_ newRate: Double, now: MonotonicTime) {
    guard newRate != settings.rate else { return }
    settings.rate = newRate
    if phase.isReady, current.isSeekable { applyRate(now: now) }
  }

  /// The speed at which an item plays.
  private func rate(isSeekable: Bool) -> Double { isSeekable ? settings.rate : 1 }

  /// Lets the current item play at the rate of the settings from now on.
  private mutating func applyRate(now: MonotonicTime) {
    guard settings.rate != loaded.rate else { return }
    finishFadeOut(now: now)
    let shown = position(at: now)
    loaded.setRate(settings.rate)
    decideOverlapsAgain()
    timebase.beginRun(at: shown)
    guard timebase.isRunning else { return }
    timebase.run(from: shown, rate: loaded.rate, at: now, duration: current.details.duration)
    let rate = loaded.rate
    outgoing?.run(from: now, rate: rate)
  }

  /// Continues playback at a position, usually the current one, and replaces the data on its way to the output.
  private mutating func seekAgain(to position: Duration, isSilent: Bool = false, now: MonotonicTime) {
    if loaded.sourceFailure != nil {
      // A seek lacks a source to read from.
      loadAgain(at: position, now: now)
    } else if loaded.isSeeking {
      // The data of the present seek is replaced too.
      loaded.seek.repeatTarget()
    } else {
      beginSeek(EngineSeek(to: SeekTarget(position: position), from: position, isSilent: isSilent), now: now)
    }
  }

  // MARK: The queue

  /// Applies an edit that keeps the current item; the first item in an empty queue becomes current.
  private mutating func editQueue(now: MonotonicTime, _ edit: (inout PlayQueue) -> Void) {
    let wasEmpty = queue.isEmpty
    edit(&queue)
    if wasEmpty, let first = queue.current {
      forgetItem()
      entered(first, after: nil)
    }
  }

  /// Replaces the queue; the new current item plays or is paused like the one before.
  private mutating func replaceQueue(
    with items: [Player.Item], startingAt start: Int, playOrder: [Int]? = nil, now: MonotonicTime
  ) {
    guard !items.isEmpty || !queue.isEmpty else { return }
    let old = queue.current
    queue.replace(with: items, startingAt: start, playOrder: playOrder)
    currentWasReplaced(old, now: now)
  }

  /// Removes items; if the current one is among them and no item follows, playback stops.
  private mutating func remove(_ ids: Set<Player.Item.ID>, now: MonotonicTime) {
    guard ids.contains(where: queue.contains) else { return }
    guard let old = queue.current, ids.contains(old.id) else {
      return editQueue(now: now) { $0.remove(ids) }
    }
    let hasFollower = queue.neighbour(1, excluding: ids) != nil
    queue.remove(ids)
    if !hasFollower { intent = .stopped }
    currentWasReplaced(old, now: now)
  }

  private mutating func currentWasReplaced(_ old: Player.Item?, now: MonotonicTime) {
    skip = SkipPass()
    forgetItem()
    if queue.isEmpty { intent = .stopped }
    loadCurrent(now: now)
    entered(queue.current, after: old)
  }
}

// MARK: - Audio tracks

/// Selects one of the audio tracks of an item.
extension PlaybackMachine {
  /// Registers the audio tracks that the engine has found in a stream.
  private mutating func audioTracksFound(_ stream: StreamToken, _ tracks: [AudioTrack], current track: Int) {
    let found = AudioSelection(tracks: tracks, current: track)
    guard stream == token else {
      loaded.successors.changeItem(of: stream) { $0.audio = found }
      return
    }
    // A selection made in the meantime is already being applied.
    let kept = found.keeping(current.audio.chosen)
    current.audio = kept
  }

  /// Plays another audio track of the current item from the same position.
  private mutating func selectAudioTrack(_ index: Int, now: MonotonicTime) {
    guard current.audio.tracks.indices.contains(index), index != current.audio.current else { return }
    // Without a seek or a new connection, the data that keeps flowing during the switch would be stuck in two tracks at
    // once.
    guard !phase.isReady || current.isSeekable || isBroadcast else { return }
    finishFadeOut(now: now)
    current.audio.select(index)
    let held = position(at: now)
    if phase.isReady, !current.isSeekable {
      reconnect(now: now)
    } else if phase.isLoading || loaded.sourceFailure != nil {
      loadAgain(at: held, now: now)
    } else if phase.isReady {
      perform(.selectAudioTrack(index, of: token))
      // The output and the elements before it still hold data of the previous track, except at the end of the item.
      if loaded.run != .ended { seekAgain(to: held, isSilent: intent != .playing, now: now) }
    }
  }
}

// MARK: - Events of the stream

/// Handles the events of the current item's stream, and the wake-ups of timers.
///
/// Each event carries the token of its stream; events of a closed stream are dropped.
extension PlaybackMachine {
  /// Handles that a stream is ready, or that its seek is done.
  private mutating func settled(_ stream: StreamToken, _ facts: StreamFacts, now: MonotonicTime) {
    guard stream == token else { return successorSettled(stream, facts) }
    loaded.settle(isEstimated: facts.isEstimated, facts.progress)
    let isBeforeStart = facts.position.map { $0 < queue.current?.start ?? .zero } ?? false
    var facts = itemFacts(facts, of: stream)
    // A tolerant seek must not play the media before the clip.
    if isBeforeStart { facts.position = nil }
    let before = (bufferingPercent, hasEnough)
    assessBuffer(now: now)
    if phase.isLoading {
      prerolled(facts, now: now)
    } else if loaded.isSeeking {
      seekDone(at: facts.position, now: now)
    } else if before != (bufferingPercent, hasEnough) {
      bufferChanged(now: now)
    }
  }

  private mutating func prerolled(_ facts: StreamFacts, now: MonotonicTime) {
    phase.becomeReady()
    let start = loaded.seek.takeStart()
    output.recover()
    current.becomeReady(isSeekable: facts.isSeekable, claimed: facts.duration)
    loaded.becomeReady(isLive: facts.isLive, rate: rate(isSeekable: facts.isSeekable))
    keepCorrection(of: facts.duration)
    if intent == .paused { loaded.pause(now: now) }
    if let start, !current.isSeekable { emitTimeJump(from: start.position, to: loaded.offset) }
    if let startPositionError {
      finishSeek(start?.ticket, false)
      return fail(startPositionError, now: now)
    }
    scheduledStart?.streamIsReady(now: now)
    let target = min(start?.position ?? .zero, current.details.duration ?? .seconds(Int64.max / 4))
    if !current.isSeekable {
      finishSeek(start?.ticket, false)
      // A start position that the item does not support was shown until now.
      if start == nil { timebase.stand(at: loaded.offset) } else { timebase.jump(to: loaded.offset) }
    } else if target == loaded.opened {
      finishSeek(start?.ticket, true)
      timebase.stand(at: target + loaded.offset)
    } else {
      // A command has changed the start since the stream was opened.
      let target = SeekTarget(position: target, ticket: start?.ticket)
      beginSeek(EngineSeek(to: target, from: target.position, isSilent: true), now: now)
    }
    reconcile(now: now)
    if let cut = loaded.takeFailure() { cutOff(cut, now: now) }
  }

  private mutating func seekDone(at measured: Duration?, now: MonotonicTime) {
    guard let (outcome, replies) = loaded.seek.finish(at: measured) else { return }
    reply(replies)
    guard case .landed(let done, at: let landed) = outcome else {
      if case .further(let next) = outcome { seekFurther(next, now: now) }
      return
    }
    if !done.target.tolerance.isExact { timebase.jump(to: landed) }
    loaded.noteEnd(at: nil)
    timebase.stand(at: landed)
    if isRunning, hasEnough { run(from: landed, now: now) }
    if !done.isSilent { emitTimeJump(from: done.origin, to: landed) }
    reconcile(now: now)
  }

  /// Sends another seek after one that is done; without a source to read from, opens the item again at its target.
  private mutating func seekFurther(_ next: EngineSeek, now: MonotonicTime) {
    guard loaded.sourceFailure != nil, loaded.buffer.kept == nil else { return beginSeek(next, now: now) }
    loadCurrent(at: next.target.position, ticket: next.target.ticket, now: now)
    if !next.isSilent { emitTimeJump(from: next.origin, to: next.target.position) }
  }

  /// Handles a seek that the engine refused.
  private mutating func seekRefused(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token else { return }
    let shown = position(at: now)
    // The report that ended a late one belonged to an earlier pause.
    guard let (refused, isLate, replies) = loaded.seek.refuse() else { return }
    let measured = itemTime(measured, of: stream)
    scheduledStart?.reset()
    reply(replies)
    if !isLate, let end = loaded.foundEnd {
      timebase.jump(to: itemTime(end))
      return ended(stream, at: end, now: now)
    }
    if let measured, let duration = current.details.duration, measured + Self.endTolerance >= duration {
      // An item at its end does not continue, so it is opened again. The duration may be a little too long.
      if !refused.isSilent, !isLate { emitTimeJump(from: refused.origin, to: refused.shown) }
      loadCurrent(at: refused.shown, now: now)
      return
    }
    if isLate, refused.isSilent {
      // The next start corrects the position, and reports a jump.
      if isRunning { run(from: measured ?? shown, now: now) }
      // A start at an instant waits in another way.
      reconcile(now: now)
      return
    }
    timebase.jump(to: measured ?? refused.origin)
    if isLate { emitTimeJump(from: shown, to: measured ?? refused.origin) }
    if loaded.isWanted, !isLate || isRunning {
      loaded.confirm()
      // A refused seek has emptied no buffer.
      loaded.buffer.playbackContinues()
      run(from: measured ?? refused.origin, now: now)
    }
    reconcile(now: now)
  }

  /// Handles that the current item is audible, at a measured position; nil if it is unknown.
  private mutating func running(at measured: Duration?, now: MonotonicTime) {
    guard phase.isReady, loaded.isWanted, !isBeforeStart(now) else { return }
    loaded.confirm()
    scheduledStart = nil
    // The engine has carried it out.
    engine.start = nil
    current.starts()
    loaded.standstill.begin(at: now)
    loaded.buffer.forgetSurplus()
    // Otherwise the report is older than the seek.
    guard !loaded.isSeeking else { return }
    run(from: measured ?? position(at: now), now: now)
    if current.play(at: now), let item = queue.current {
      emit(.playbackResumed(item, at: position(at: now)))
    }
  }

  private mutating func run(from measured: Duration, now: MonotonicTime) {
    let shown = position(at: now)
    // The resumption after a stall is reported with its position, which may be a little earlier.
    if current.isStalled, !PositionAnchor.isJump(from: shown, to: measured) { timebase.stand(at: measured) }
    let isJump = timebase.run(
      from: measured, rate: loaded.rate, at: now, duration: current.details.duration)
    let rate = loaded.rate
    outgoing?.run(from: now, rate: rate)
    if isJump { emitTimeJump(from: shown, to: position(at: now)) }
  }

  /// Handles a measurement of the position of a running stream.
  private mutating func sampled(
    _ stream: StreamToken, position media: Duration, _ progress: StreamProgress, now: MonotonicTime
  ) {
    guard stream == token, isRunning, !loaded.isSeeking, loaded.ended == nil,
      timebase.isRunning || loaded.buffer.isStarved
    else { return }
    correctEstimate(at: media)
    let measured = itemTime(media)
    if watchesArrival, noteArrival(media, now: now) { return }
    timebase.noteMeasurement(at: now)
    loaded.stopDoubting()
    if let failure = loaded.sourceFailure {
      // A position that no longer advances shows the end.
      if timebase.noteMeasured(media) == true { return fail(failure, now: now) }
      correctPosition(to: measured, now: now)
      timebase.sample(at: now + Timebase.sampleInterval)
      return
    }
    correctDuration(reached: measured)
    correctPosition(to: measured, now: now)
    // An output that has stood unnoticed has not reached a part that began by the clock; then its position is unknown.
    let early = mediaTime(.zero) - media
    if early > .zero { timebase.sampleBy(now + max(Timebase.sampleInterval, early / loaded.rate)) }
    if followStandstill(at: measured, progress, now: now) { return }
    followBuffer(at: max(measured, position(at: now)), now: now)
  }

  private mutating func correctPosition(to measured: Duration, now: MonotonicTime) {
    let shown = position(at: now)
    // At its duration an item only waits for its end or its successor.
    let isAtEnd = current.details.duration.map { shown >= $0 && measured + Self.endTolerance >= $0 } ?? false
    guard !isAtEnd, let isJump = timebase.correct(to: measured, at: now, duration: current.details.duration) else {
      return
    }
    // The output fell behind because it played nothing for some time; the difference is large enough to be noticed.
    if isJump { emitTimeJump(from: shown, to: position(at: now)) }
  }

  /// Whether a reader of the position should request a measurement, because the last one is old and clocks drift apart.
  func wantsSample(now: MonotonicTime) -> Bool { isRunning && timebase.wantsReaderSample(at: now) }

  /// Defers the time-out of a local file that is read on: a parser without an index reads all of a large file for a seek.
  ///
  /// A load may take twice its time at most.
  private mutating func readsOn(_ stream: StreamToken, now: MonotonicTime) {
    guard stream == token, queue.current?.isLocal == true, phase.isLoading || loaded.isSeeking else { return }
    if phase.isLoading {
      loaded.deferLoad(by: configuration.loadTimeout, now: now)
    } else {
      loaded.deferSeek(by: configuration.loadTimeout, now: now)
    }
  }

  /// The instant at which the seek in progress times out.
  ///
  /// A stream that plays may take the time of a server that sends nothing; one that is paused may take any time. A file that
  /// is read on defers the deadline, and so does a process that starts.
  private var seekDeadline: MonotonicTime? {
    guard phase.isReady, loaded.isSeeking, !isEngineStarting else { return nil }
    if queue.current?.isLocal == true { return loaded.deadline }
    return intent == .playing ? max(loaded.deadline, loaded.buffer.arrival + settings.networkTimeout) : nil
  }

  private mutating func seekTimedOut(now: MonotonicTime) {
    guard queue.current?.isLocal == true else { return networkTimedOut(now: now) }
    fail(PlayerError(code: .loadTimeout, message: "timed out seeking after \(configuration.loadTimeout)"), now: now)
  }

  // MARK: Stream updates

  private mutating func durationChanged(_ stream: StreamToken, _ media: Duration?, now: MonotonicTime) {
    if stream == token, isTooShort(media, now: now) { return }
    guard let duration = media.flatMap({ itemDuration($0, of: stream) }) else { return }
    changeItem(of: stream) { $0.details = $0.details.with(duration: $0.duration(claimed: duration)) }
    if stream == token { keepCorrection(of: duration) }
  }

  private mutating func externalVolumeChanged(volume newVolume: Double, isMuted newMuted: Bool) {
    let volume = settings.volume
    guard abs(newVolume - volume) > 0.005 * max(volume, 0.01) || newMuted != settings.isMuted else { return }
    settings.volume = min(newVolume, settings.maximumVolume)
    settings.isMuted = newMuted
    // The output has these values.
    (engine.settings.volume, engine.settings.isMuted) = (newVolume, newMuted)
  }

  // MARK: Time

  /// Performs the actions that are due at an instant given by `nextWake`.
  private mutating func wake(now: MonotonicTime) {
    passFade(now: now)
    passFading(now: now)
    passStart(now: now)
    passLoadedRange(now: now)
    switch phase.state {
    case .loading where !isEngineStarting && loaded.deadline <= now:
      let timeout = PlayerError(code: .loadTimeout, message: "timed out loading after \(configuration.loadTimeout)")
      fail(loaded.sourceFailure ?? timeout, now: now)
      return
    case .outputLost(let retry) where retry <= now:
      loadCurrent(at: position(at: now), now: now)
      return
    case .sourceLost(let retry) where retry <= now && intent == .playing: return reconnect(now: now)
    case .ready:
      if let end = networkDeadline, end <= now { return networkTimedOut(now: now) }
      if let end = seekDeadline, end <= now { return seekTimedOut(now: now) }
      if let deadline = successorDeadline, deadline <= now, let next = loaded.successors.first {
        return rejectSuccessor(next.token)
      }
      if let due = releaseTime, due <= now { unload(to: .released(isAtEnd: phase.isAtEnd), at: position(at: now)) }
    default: break
    }
    guard isRunning else { return }
    if passDueEnd(now: now) || passStandstill(now: now) { return }
    if let due = durationCheck, due <= now { checkDuration() }
    if let due = timebase.nextSample, due <= now {
      let ending = loaded.sourceFailure == nil ? nil : Timebase.sampleInterval
      timebase.takeSample(at: now, then: watchesArrival ? Self.arrivalInterval : ending)
      perform(.samplePosition(of: token))
      // The item is without a title; the tags received by now are complete.
      current.stopAwaitingTags()
    }
  }
}

// MARK: - Buffer

/// Decides whether the received data of a stream is enough to play.
///
/// A server that becomes silent is no error of GStreamer: the buffer, and a position that does not advance, show it.
extension PlaybackMachine {
  /// The fill level that readers see, in percent; 0 for a lost source.
  var bufferingPercent: Int { phase.isSourceLost ? 0 : loaded.buffer.percent }

  /// Whether the buffer holds enough to play: to start, or to continue until all of it has been played.
  var hasEnough: Bool {
    loaded.buffer.isEnough(
      continues: loaded.isWanted && !loaded.isSeeking, isFading: fade.isPausing, isLive: loaded.isLive,
      waits: settings.automaticallyWaits)
  }

  private mutating func buffering(_ stream: StreamToken, percent: Int, _ progress: StreamProgress, now: MonotonicTime) {
    let percent = min(max(0, percent), 100)
    loaded.successors.report(queued: percent, of: stream, now: now)
    guard stream == token, !loaded.isLive, loaded.sourceFailure == nil else { return }
    defer { leaveRemovedData(now: now) }
    let isNews = loaded.buffer.report(percent: percent, progress, now: now)
    if isNews { loaded.deferLoad(by: configuration.loadTimeout, now: now) }
    let before = (loaded.buffer.percent, hasEnough)
    assessBuffer(now: now)
    if let due = nextBufferCheck(now: now) { timebase.sampleBy(due) }
    if before != (loaded.buffer.percent, hasEnough) {
      bufferChanged(now: now)
    } else {
      progressed(stream, progress, now: now)
    }
  }

  /// Plays or waits according to the buffer, after each change of it.
  private mutating func bufferChanged(now: MonotonicTime) {
    // A seek has emptied the buffer, which was reported after the end of the seek.
    if !loaded.isSeeking, timebase.isRunning, !hasEnough { freeze(at: now) }
    reconcile(now: now)
  }

  /// Whether the current item is streamed through a buffer.
  var isStreaming: Bool { phase.isReady && queue.current?.isLocal == false }

  /// Updates the progress of a stream.
  private mutating func follow(_ progress: StreamProgress, of stream: StreamToken) {
    if stream == token, !loaded.isSeeking { loaded.buffer.follow(progress) }
  }

  /// The end of the decoded data of the current item.
  private var decodedEnd: Duration { itemTime(loaded.buffer.progress.decoded, of: token) ?? .zero }

  /// The end of the received data of the current item.
  private var loadedEnd: Duration {
    let estimate = itemTime(loaded.buffer.progress.loaded(ofDuration: loaded.media), of: token) ?? .zero
    return loaded.buffer.loadedEnd(decoded: decodedEnd, estimate: estimate)
  }

  /// Compares the buffered duration with its goal.
  private mutating func assessBuffer(now: MonotonicTime) {
    guard loaded.buffer.isAnnounced, loaded.sourceFailure == nil else { return }
    let goal = settings.forwardBuffer ?? StreamBuffer.usualForwardBuffer
    loaded.buffer.hold(loadedEnd - position(at: now), of: goal)
  }

  /// Whether playback may reach the end of the received data: GStreamer's queue is not full, and more data is expected.
  private var mayRunDry: Bool {
    guard loaded.buffer.isAnnounced, loaded.buffer.queued < 100, loaded.isWanted, timebase.isRunning,
      !loaded.isSeeking, !loaded.isLive, loaded.sourceFailure == nil, !loaded.isRead
    else { return false }
    return current.details.duration.map { decodedEnd < $0 - StreamBuffer.stallMargin } ?? true
  }

  /// Returns the instant of the next check whether the buffer has run dry.
  private func nextBufferCheck(now: MonotonicTime) -> MonotonicTime? {
    mayRunDry ? timebase.anchor.instant(reaching: decodedEnd - StreamBuffer.stallMargin, from: now) : nil
  }

  /// Checks at a newly measured position whether the buffer has run dry.
  private mutating func followBuffer(at position: Duration, now: MonotonicTime) {
    let before = (loaded.buffer.percent, hasEnough)
    // The fill level after a seek would have been reported.
    loaded.buffer.playbackContinues()
    assessBuffer(now: now)
    let isAtDataEnd = mayRunDry && decodedEnd - position <= StreamBuffer.stallMargin
    guard isAtDataEnd, loaded.buffer.progress.isQueueEmpty else {
      if isAtDataEnd {
        // The decoder is late.
        timebase.sample(at: now + StreamBuffer.stallMargin / 2)
      } else if let due = nextBufferCheck(now: now) {
        timebase.sampleBy(due)
      }
      if before != (loaded.buffer.percent, hasEnough) { bufferChanged(now: now) }
      return
    }
    loaded.buffer.runDry(loaded: loadedEnd, decoded: decodedEnd)
    assessBuffer(now: now)
    ranDry(now: now)
    reconcile(now: now)
  }

  private mutating func ranDry(now: MonotonicTime) {
    guard !fade.isPausing else { return finishFadeOut(now: now) }
    freeze(at: now)
    guard !loaded.isSeeking, let item = queue.current, current.stall() else { return }
    emit(.playbackStalled(item))
    guard !settings.automaticallyWaits, isRunning else { return }
    intent = .paused
    loaded.pause(now: now)
  }

  /// The share of the speed of playback below which data arrives too slowly; the measured speed varies by less.
  private static let leastArrival = 0.9

  /// Whether the data arrives fast enough to play to the end without a stall, as far as is known.
  func keepsUp(at now: MonotonicTime) -> Bool {
    let progress = loaded.buffer.progress
    guard isStreaming, !progress.isWhole, loaded.sourceFailure == nil, !loaded.isRead,
      let arrival = progress.arrivalRate.map({ $0 / loaded.rate }), arrival < Self.leastArrival
    else { return true }
    guard let duration = current.details.duration else { return false }
    let position = position(at: now)
    return loadedEnd - position >= (duration - position).scaled(by: 1 - arrival)
  }

  // MARK: User commands

  private mutating func setAutomaticallyWaits(_ waits: Bool, now: MonotonicTime) {
    guard waits != settings.automaticallyWaits else { return }
    settings.automaticallyWaits = waits
    reconcile(now: now)
  }

  /// Plays at a rate, regardless of the default rate, with the data that is available.
  private mutating func playImmediately(atRate newRate: Double, now: MonotonicTime) {
    cancelScheduledStart(now: now)
    setRate(newRate, now: now)
    startPlaying(now: now)
    guard phase.isLoading || phase.isReady && !loaded.isLive && loaded.buffer.isPartlyFilled,
      !loaded.buffer.isEnoughUnlessEmpty
    else { return }
    loaded.buffer.beEnoughUnlessEmpty()
    reconcile(now: now)
  }

  // MARK: Servers that stop sending

  /// Whether playback waits for data of an item that is ready.
  private var waitsForData: Bool {
    phase.isReady && intent == .playing && loaded.run != .ended && !hasEnough && loaded.sourceFailure == nil
  }

  /// The instant at which the wait for data times out.
  private var networkDeadline: MonotonicTime? { waitsForData ? loaded.buffer.arrival + settings.networkTimeout : nil }

  private mutating func networkTimedOut(now: MonotonicTime) {
    fail(PlayerError(code: .networkTimeout, message: "received no data for \(settings.networkTimeout)"), now: now)
  }

  /// Whether only the position shows that no data arrives: a stream whose buffer reports nothing.
  private var watchesArrival: Bool {
    !loaded.buffer.isAnnounced && loaded.sourceFailure == nil && queue.current?.isLocal == false
      && !loaded.isRead
  }

  /// The time after which the position of a stream without buffer messages is checked again.
  private static let arrivalInterval = Duration.milliseconds(500)

  /// Evaluates a measured media time of such a stream.
  ///
  /// - Returns: Whether it shows that no data arrives, or that data arrives again.
  private mutating func noteArrival(_ measured: Duration, now: MonotonicTime) -> Bool {
    guard let isStanding = timebase.noteMeasured(measured) else { return false }
    if !isStanding {
      guard loaded.buffer.arrive(now: now) else { return false }
      running(at: itemTime(measured), now: now)
      return true
    }
    if loaded.buffer.starve() {
      ranDry(now: now)
      if intent == .paused { reconcile(now: now) }
    }
    timebase.sample(at: now + Self.arrivalInterval)
    return true
  }
}

// MARK: - Duration

/// Compares the duration with the samples, and estimated positions with the duration.
///
/// The duration of media may be wrong: the header of the first of several joined files describes that file alone, and
/// the last playlist of a broadcast only its last segments. Samples beyond the duration show that.
extension PlaybackMachine {
  /// The time before and after the duration at which the samples are compared with it; decoding is ahead by more.
  private static let checkDistance = Duration.milliseconds(500)

  /// The instant of the next comparison; nil if none is needed.
  ///
  /// If the samples have not passed the duration shortly after it, an end is on its way. A part that ends by the clock is
  /// measured before its end, because the output may have stood; the samples after the end belong to the next part.
  private var durationCheck: MonotonicTime? {
    guard isRunning, timebase.isRunning, !loaded.isSeeking, !loaded.isLive, loaded.sourceFailure == nil,
      let duration = current.details.duration
    else { return nil }
    let target: Duration
    switch loaded.checks(of: duration) {
    case 0 where queue.current?.end == nil || clipEndInstant != nil: target = duration - Self.checkDistance
    case 1 where queue.current?.end == nil: target = duration + Self.checkDistance
    default: return nil
    }
    return timebase.anchor.outputInstant(reaching: target)
  }

  /// Requests a measurement, to compare its progress with the duration.
  private mutating func checkDuration() {
    guard let duration = current.details.duration else { return }
    loaded.noteCheck(of: duration)
    perform(.samplePosition(of: token))
  }

  /// Corrects the duration if samples lie beyond it; `measured` is the position of the output.
  ///
  /// The new duration is estimated from the bytes, and never shorter than the decoded part. If they are not counted, it is the end of the decoded samples the
  /// first time, and unknown if more follow.
  private mutating func correctDuration(reached measured: Duration) {
    guard let duration = current.details.duration, queue.current?.end == nil, !loaded.isEstimated else { return }
    let reached = max(measured, decodedEnd)
    guard reached > duration + Self.endTolerance else { return }
    let estimate = loaded.buffer.progress.estimatedEnd().map { max(reached, itemTime($0)) }
    let found = estimate ?? (current.correction == nil ? reached : nil)
    loaded.setMedia(found.map { $0 + (queue.current?.start ?? .zero) })
    current.correctDuration(to: found)
  }

  /// Forgets the duration that the media claims if another one was found before.
  private mutating func keepCorrection(of claimed: Duration?) {
    guard claimed != nil, claimed != current.details.duration, queue.current?.end == nil else { return }
    loaded.setMedia(current.details.duration.map { $0 + (queue.current?.start ?? .zero) })
  }

  /// Whether the current item has already been played beyond a duration that its media claims.
  private func isTooShort(_ media: Duration?, now: MonotonicTime) -> Bool {
    guard let media, phase.isReady, !loaded.isSeeking, !loaded.isEstimated else { return false }
    return max(timebase.position(at: now), decodedEnd) > itemTime(media) + Self.endTolerance
  }

  /// Corrects an estimated position so that the item ends at its duration, when the rest of the data shows the error.
  ///
  /// The time of the rest is itself an estimate, which becomes exact towards the end. The first blocks after a seek say
  /// little, because they also contain data before the target.
  private mutating func correctEstimate(at media: Duration) {
    guard loaded.isEstimated, let duration = current.details.duration,
      let end = loaded.buffer.progress.estimatedEnd(from: .seconds(5))
    else { return }
    let error = duration - itemTime(end)
    let uncertainty = max(.zero, end - media) / 4
    if error.magnitude >= max(PositionAnchor.tolerance, uncertainty) { loaded.shift(by: error) }
  }
}

// MARK: - Standstill

/// Limits the time of playback without progress, while the output runs and has nothing left to play.
///
/// The data of an item may stop without an end and without an error, for example where `avdemux_dsf` reads the end of a
/// truncated file again and again. The engine reports when all decoded data has reached the output, so no timer fires while an item plays, except
/// beyond its stated duration. Two measurements decide, because the process may not have run for some time.
extension PlaybackMachine {
  /// Whether a position that does not advance is judged here.
  ///
  /// Waits for data and for a successor have separate limits, but a gap lies in data that has arrived.
  private var mayStandStill: Bool {
    guard isRunning, timebase.isRunning, !loaded.isSeeking else { return false }
    return loaded.standstill.gap != nil
      || !loaded.isLive && loaded.ended == nil && !watchesArrival && loaded.sourceFailure == nil
  }

  /// The end of the data at the output, or before a gap, in time of the item; nil if more is decoded, or is to arrive.
  private var playedData: Duration? {
    if let gap = loaded.standstill.gap { return itemTime(gap.start, of: token) }
    let buffer = loaded.buffer
    let waits = queue.current?.isLocal == false && buffer.progress.isQueueEmpty && !loaded.isRead
    return waits ? nil : itemTime(loaded.standstill.dataEnd, of: token)
  }

  /// The position at which playback ends as far as is known.
  private var expectedEnd: Duration? {
    playedData.lesser(current.details.duration.map { max($0, loaded.standstill.beyond) })
  }

  /// The instant of the next check whether playback makes progress; nil while it does.
  private var standstillDeadline: MonotonicTime? {
    guard mayStandStill else { return nil }
    let standstill = loaded.standstill
    if let check = standstill.nextCheck { return check }
    // A stream that is decoded to its end only has to end.
    let isEnding = loaded.isRead
    guard let end = expectedEnd else { return isEnding ? standstill.deadline(after: configuration.loadTimeout) : nil }
    return timebase.anchor.instant(reaching: end, from: timebase.anchor.instant).map {
      standstill.deadline(
        after: isEnding ? configuration.pipelineTimeout : configuration.loadTimeout, reaching: $0)
    }
  }

  /// Handles that all decoded data of a stream has reached the output.
  private mutating func ranOut(_ stream: StreamToken, _ progress: StreamProgress, now: MonotonicTime) {
    loaded.successors.follow(progress, of: stream)
    guard stream == token else { return }
    follow(progress, of: stream)
    loaded.standstill.note(progress, now: now)
  }

  /// Performs a check that is due; returns whether the item has ended or failed.
  private mutating func passStandstill(now: MonotonicTime) -> Bool {
    guard let due = standstillDeadline, due <= now else { return false }
    if loaded.standstill.isInDoubt {
      standsStill(at: min(playedData ?? position(at: now), position(at: now)), now: now)
      return true
    }
    if loaded.standstill.doubts(since: due, now: now) { perform(.samplePosition(of: token)) }
    return false
  }

  /// Evaluates a measured position of the item; returns whether the item has ended or failed.
  private mutating func followStandstill(at measured: Duration, _ progress: StreamProgress, now: MonotonicTime) -> Bool
  {
    let isRequested = loaded.standstill.takeMeasurement()
    loaded.standstill.note(progress, now: now)
    if let gap = loaded.standstill.gap, let last = itemTime(max(gap.start, gap.end), of: token),
      measured > last + Self.endTolerance
    {
      loaded.standstill.passGap()
    }
    guard mayStandStill, let end = expectedEnd else {
      // The duration may have become unknown since the first measurement.
      if isRequested { loaded.standstill.begin(at: now) }
      return false
    }
    let isAtEnd = measured + Self.endTolerance >= end
    // The position runs on in a gap, so its start may have been reached long before.
    let gone = loaded.standstill.gap == nil ? .zero : max(.zero, (measured - end) / timebase.anchor.rate)
    loaded.standstill.reaches(isAtEnd ? now + (.zero - gone) : nil)
    guard isRequested else { return false }
    let isInGap = loaded.standstill.gap != nil && playedData.map { measured + Self.endTolerance >= $0 } ?? false
    guard loaded.standstill.judge(measured, isAtEnd: isAtEnd, isInGap: isInGap, now: now) else { return false }
    standsStill(at: measured, now: now)
    return true
  }

  /// Ends the current item if its data has been played, and otherwise fails it.
  private mutating func standsStill(at end: Duration, now: MonotonicTime) {
    // Data that was read beyond a gap has not been played.
    let isRead = loaded.isRead && loaded.standstill.gap == nil
    let isPlayed = current.details.duration.map { $0 - end < Self.endTolerance } ?? false
    let shown = position(at: now)
    // The position that is shown has advanced without the output.
    if PositionAnchor.isJump(from: shown, to: end) { emitTimeJump(from: shown, to: end) }
    // Readers see no small step back.
    let isNear = shown > end && shown - end < Self.endTolerance
    timebase.stand(at: isNear ? shown : end)
    if isRead || isPlayed {
      // The engine does not report the end, so no successor would begin.
      loaded.successors.close()
      return ended(token, at: loaded.standstill.dataEnd, now: now)
    }
    fail(loaded.sourceFailure ?? gapFailure ?? noProgress("and the media has not ended"), now: now)
  }

  /// The failure of an item whose data before a gap has been played; nil without a gap.
  private var gapFailure: PlayerError? {
    loaded.standstill.gap.map { _ in noProgress("because the time stamps of the media jump") }
  }

  private func noProgress(_ reason: String) -> PlayerError {
    PlayerError(code: .noProgress, message: "no audio follows for \(configuration.loadTimeout), \(reason)")
  }
}

// MARK: - Received range

/// Decides which range of a network stream readers see as received.
///
/// The range contains the position while playback advances. Its end moves back only with the position, by a seek or after a
/// stall. Both bounds are in quarters of a second, and change together, at most four times a second.
extension PlaybackMachine {
  /// Returns the received ranges of the current item: all of a file; of a stream, the data held from the position on.
  func loadedTimeRanges(at now: MonotonicTime) -> [Range<Duration>] {
    guard current.status == .readyToPlay, intent != .stopped, !loaded.isLive, let item = queue.current else {
      return []
    }
    if item.isLocal { return current.details.duration.map { [.zero..<$0] } ?? [] }
    let isShown = loaded.buffer.range.shows(position(at: now), until: current.details.duration)
    let range = isShown ? loaded.buffer.range.shown : receivedRange(at: now)
    // The media may have ended earlier than it was to.
    return range.map { [$0.clamped(to: .zero..<(current.details.duration ?? $0.upperBound))] } ?? []
  }

  /// Updates the range that readers see; after each decision.
  private mutating func updateLoadedRange(now: MonotonicTime) {
    guard isStreaming, !loaded.isLive, !loaded.isSeeking else { return }
    if !showReceivedRange(now: now) { loaded.buffer.range.announceLater() }
  }

  /// Notes the range that readers see if the decision has an event, whose snapshot contains it.
  private mutating func noteAnnouncedRange() {
    let isAnnounced = effects.contains { if case .emit = $0 { true } else { false } }
    if isAnnounced, phase.isLoaded { loaded.buffer.range.noteAnnounced() }
  }

  /// Handles that more of a stream was received.
  private mutating func progressed(_ stream: StreamToken, _ progress: StreamProgress, now: MonotonicTime) {
    loaded.successors.follow(progress, of: stream)
    guard stream == token, isStreaming, !loaded.isLive, !loaded.isSeeking else { return }
    loaded.buffer.follow(progress)
    announceLoadedRange(now: now)
  }

  /// Announces a range that has grown, when the one before it has been shown long enough, and measures its end.
  private mutating func passLoadedRange(now: MonotonicTime) {
    if let due = loadedRangeDue, due <= now { announceLoadedRange(now: now) }
    if let due = rangeEndDue, due <= now { timebase.sampleBy(now) }
  }

  /// Announces a range after a measurement, if playback is about to leave the one that clients know.
  private mutating func announceMeasuredRange(of stream: StreamToken, now: MonotonicTime) {
    guard stream == token, isStreaming, timebase.isRunning, !loaded.isLive, !loaded.isSeeking,
      loaded.buffer.range.isLeft(at: position(at: now), until: current.details.duration)
    else { return }
    announceLoadedRange(now: now)
  }

  /// The instant at which a range that has grown is announced; nil if it was.
  private var loadedRangeDue: MonotonicTime? { phase.isReady && !loaded.isSeeking ? loaded.buffer.range.due : nil }

  /// The instant at which playback is about to reach the end of the range, which is then measured; nil at the end of the item.
  ///
  /// The end of the range is an estimate: if the media claims too short a duration, more has been received, and the engine
  /// reports nothing until further data arrives.
  private var rangeEndDue: MonotonicTime? {
    guard isStreaming, timebase.isRunning, !loaded.isSeeking, !loaded.isLive, loaded.sourceFailure == nil,
      // These are measured in time.
      !watchesArrival, !mayRunDry,
      let end = loaded.buffer.range.shown?.upperBound, end != current.details.duration
    else { return nil }
    return timebase.anchor.instant(
      reaching: end - LoadedRange.lead, from: timebase.lastSample + Timebase.sampleInterval)
  }

  private mutating func announceLoadedRange(now: MonotonicTime) {
    let isNewest = showReceivedRange(now: now)
    loaded.buffer.range.announce(isNewest: isNewest)
  }

  /// Shows the received range; returns false if the one before it has not been shown long enough.
  private mutating func showReceivedRange(now: MonotonicTime) -> Bool {
    loaded.buffer.range.extend(to: loadedEnd)
    let range = receivedRange(at: now)
    return loaded.buffer.range.show(range, at: position(at: now), until: current.details.duration, now: now)
  }

  /// Returns the range of the data held from the position on; nil if nothing is held.
  private func receivedRange(at now: MonotonicTime) -> Range<Duration>? {
    guard phase.isReady else { return nil }
    let (position, duration) = (position(at: now), current.details.duration)
    let end = loaded.buffer.range.end(loadedEnd)
    let received = loaded.isRead ? duration ?? end : end
    // Audible data has been received, although an estimate may lag behind.
    let isAudible = timeControlStatus == .playing && !loaded.isSeeking
    guard received > position || isAudible else { return nil }
    return LoadedRange.around(position, to: received, until: duration)
  }
}

// MARK: - Tags

/// Keeps the tags of each stream for the item of that stream, including successors from the start.
extension PlaybackMachine {
  private mutating func tagsChanged(_ stream: StreamToken, _ tags: MediaMetadata, about scope: TagScope) {
    changeDetails(of: stream) { $0.adding(tags, about: scope) }
    if current.details.metadata.title != nil { current.stopAwaitingTags() }
  }

  /// Records a title of a radio station with the position at which it becomes audible.
  private mutating func titleStarts(_ stream: StreamToken, _ title: String, at time: Duration) {
    guard let start = itemTime(time, of: stream) else { return }
    changeItem(of: stream) { $0.titles.note(title, at: start) }
  }

  /// Records an ID3 tag of a stream.
  private mutating func timedTag(_ stream: StreamToken, _ content: ID3Metadata, at time: Duration) {
    guard let start = itemTime(time, of: stream) else { return }
    changeItem(of: stream) { $0.tags.note(TimedTag(start: start, content: content)) }
  }

  private mutating func chaptersChanged(_ stream: StreamToken, _ marks: [Chapter]) {
    // Chapters are positions in the whole media, so they do not apply to a part of it.
    guard item(of: stream)?.isClip != true else { return }
    changeDetails(of: stream) { $0.with(marks: marks) }
  }

  /// Changes the details of the item of a stream, and reports the details that exceed a limit.
  private mutating func changeDetails(of stream: StreamToken, _ change: (ItemDetails) -> ItemDetails) {
    var excess: [String] = []
    changeItem(of: stream) {
      let old = $0.details
      $0.details = change(old)
      if $0.details !== old { excess = $0.details.excess.filter { !old.excess.contains($0) } }
    }
    for text in excess { emit(.warning(text, of: item(of: stream))) }
  }

  /// Reports a part of the media's description that is left out.
  private mutating func leftOut(_ stream: StreamToken, _ text: String) {
    if let item = item(of: stream) { emit(.warning(text, of: item)) }
  }

  /// Changes the item of a stream, the current one or a successor that follows; reports new details of the current one.
  private mutating func changeItem(of stream: StreamToken, _ change: (inout CurrentItem) -> Void) {
    if stream == token {
      change(&current)
    } else {
      loaded.successors.changeItem(of: stream, change)
    }
  }
}

// MARK: - Ends

/// Handles the end of an item, and takes the action that follows.
extension PlaybackMachine {
  /// Whether playback advances at the end of an item; a looped item repeats regardless of the action at the end, unless
  /// that is to stop.
  private var advancesByItself: Bool {
    settings.actionAtItemEnd == .advance || queue.loop == .track && settings.actionAtItemEnd != .stop
  }

  /// Handles that the last sample of a stream's part was played, at a time of its media; nil if it is unknown.
  private mutating func ended(_ stream: StreamToken, at end: Duration?, now: MonotonicTime) {
    if stream == outgoing?.token { return outgoingEnded() }
    if stream == skipped?.token { return skipped = nil }
    // Items without a sample end without being audible.
    if loaded.ended != nil, loaded.successors[stream] != nil { audible(stream, at: nil, now: now) }
    guard mayEnd(stream) else {
      // The end applies if the seek is refused.
      if stream == token, loaded.isSeeking { loaded.noteEnd(at: end) }
      return
    }
    noteEnd(at: end)
    passUnnoticedEnds(now: now)
    if let failure = loaded.sourceFailure, !isRefusedAtEnd(failure, now: now) {
      fail(failure, now: now)
    } else if isStation {
      fail(PlayerError(code: .networkCut, message: "the station closed the connection"), now: now)
    } else if isClipBeyondMedia, let item = queue.current {
      // Repeated, such a clip would end many times in a second.
      let message = "start position \(item.start) is beyond the end of the media"
      fail(PlayerError(code: .corrupt, message: message), now: now)
    } else if loaded.successors.isEmpty {
      playedToEnd(now: now)
    } else {
      // The next item is current when it is audible.
      loaded.awaitSuccessor(now: now)
      // The position waits for it at the duration, or if that is unknown or wrong, here. Silence is skipped without a wait.
      let reached = endPosition(at: now)
      guard reached != current.details.duration, !endsAtSilence(reached) else { return }
      freeze(at: now)
    }
  }

  /// Whether a stream belongs to the current item and may end: an end from before a seek is ignored.
  private func mayEnd(_ stream: StreamToken) -> Bool {
    stream == token && phase.isReady && !loaded.isSeeking && loaded.run != .ended
  }

  /// Whether the current item is a clip that was played from its start, where no media was found.
  private var isClipBeyondMedia: Bool {
    guard let start = queue.current?.start, start > .zero, let end = loaded.foundEnd, end <= start else { return false }
    return loaded.offset == .zero && timebase.playbackRun.start == .zero
  }

  /// Whether a server has refused the range after the last byte, which a seek to the very end requests.
  private func isRefusedAtEnd(_ failure: PlayerError, now: MonotonicTime) -> Bool {
    failure.code == .httpError && current.details.duration.map { position(at: now) >= $0 } ?? false
  }

  /// Updates the duration of the current item if its media ended unexpectedly.
  ///
  /// The duration was unknown, or wrong: a truncated file is shorter than its header claims, and joined files are longer
  /// than the header of the first one claims.
  private mutating func noteEnd(at mediaEnd: Duration?) {
    // If no position of the stream was measured before, its end is unknown.
    guard let mediaEnd, mediaEnd > .zero, !loaded.isLive, !isStation, let item = queue.current else { return }
    loaded.noteEnd(at: mediaEnd)
    let end = itemTime(mediaEnd)
    // An estimated position does not show that the duration is wrong.
    if endsAtSilence(end) || endsWherePlaybackBegan || item.end != nil || loaded.isEstimated { return }
    if current.details.duration.map({ (end - $0).magnitude > Self.endTolerance }) ?? true {
      current.correctDuration(to: end)
    }
  }

  /// Whether an end is the one of the part before skipped silence.
  private func endsAtSilence(_ end: Duration) -> Bool {
    current.silence.map { (end - $0).magnitude <= Self.endTolerance } ?? false
  }

  /// Whether media of unknown duration has ended without a sample after a seek: its end is at the target or before it.
  private var endsWherePlaybackBegan: Bool {
    guard current.details.duration == nil, let end = itemTime(loaded.foundEnd, of: token), end > .zero else {
      return false
    }
    return end <= timebase.playbackRun.start + .milliseconds(1)
  }

  private mutating func playedToEnd(now: MonotonicTime) {
    // If playback was paused shortly before the end, the action at the end follows when playback resumes.
    if fade.isPausing {
      finishFadeOut(now: now)
      loaded.forgetEnd()
      return
    }
    guard let ended = queue.current else { return endQueue() }
    // An item without a sample ends at the instant of its start.
    scheduledStart = nil
    let end = endPosition(at: now)
    // A truncated file is shorter than its header claims; the duration of a stream becomes known at its end.
    // If nothing was played, the end is unknown, for example the end of a clip beyond the end of its media.
    if timebase.isRunning, !loaded.isLive, !loaded.isEstimated, end > .zero, !endsWherePlaybackBegan,
      !endsAtSilence(end)
    {
      current.correctDuration(to: end)
    }
    emit(.itemDidPlayToEnd(ended))
    skip.succeed()
    finish(ended, at: end, now: now)
  }

  /// Performs the action at the end of an item according to the settings and the loop mode.
  private mutating func finish(_ ended: Player.Item, at end: Duration, now: MonotonicTime) {
    if settings.actionAtItemEnd == .stop { return stopAfter(ended, now: now) }
    guard advancesByItself else { return hold(at: end, now: now) }
    guard let next = queue.following() else { return endQueue() }
    skip = SkipPass()
    guard next.id == ended.id else { return move(to: next, now: now) }
    playAgain(from: .zero, isSilent: true, now: now)
    entered(next, after: ended)
  }

  /// Stops playback; a later Play begins with the item that would have followed.
  private mutating func stopAfter(_ ended: Player.Item, now: MonotonicTime) {
    guard let next = queue.following() else { return endQueue() }
    intent = .stopped
    if next.id == ended.id {
      unload()
    } else {
      move(to: next, now: now)
    }
  }

  /// Holds the position at the end of the item, which stays current.
  private mutating func hold(at end: Duration, now: MonotonicTime) {
    timebase.stand(at: end)
    if settings.actionAtItemEnd == .pause { intent = .paused }
    if phase.isReady {
      loaded.pause(now: now)
      loaded.setWanted(.ended, now: now)
    }
  }

  /// Plays an item that has ended from its start; reports a jump from `origin` unless it is silent.
  private mutating func playAgain(from origin: Duration, isSilent: Bool = false, now: MonotonicTime) {
    if phase.isReady, current.isSeekable, loaded.sourceFailure == nil {
      beginSeek(EngineSeek(to: SeekTarget(position: .zero), from: origin, isSilent: isSilent), now: now)
    } else {
      loadCurrent(now: now)
      emitTimeJump(from: origin, to: .zero)
    }
  }

  /// Sets the action at the end of an item.
  private mutating func setActionAtItemEnd(_ action: Player.ActionAtItemEnd, now: MonotonicTime) {
    guard action != settings.actionAtItemEnd else { return }
    settings.actionAtItemEnd = action
    finishHeldItem(now: now)
  }

  /// Sets the loop mode.
  private mutating func setLoop(_ loop: Player.LoopMode, now: MonotonicTime) {
    guard loop != queue.loop else { return }
    editQueue(now: now) { $0.loop = loop }
    finishHeldItem(now: now)
  }

  /// Performs the new action at an item that was held at its end.
  private mutating func finishHeldItem(now: MonotonicTime) {
    guard phase.isAtEnd, intent == .playing, let ended = queue.current else { return }
    guard settings.actionAtItemEnd != .none || advancesByItself else { return }
    finish(ended, at: position(at: now), now: now)
  }
}

// MARK: - Clips

/// Plays items that are a part (clip) of their media: the engine uses media times, and the machine uses item times.
///
/// If the next item begins where the current one ends in the same media, playback continues and the next item becomes
/// current without a new stream. The stream's part of the plan ends exactly at the end of the last of these items.
extension PlaybackMachine {
  // MARK: Times

  private func item(of stream: StreamToken) -> Player.Item? {
    if stream == token { return queue.current }
    return loaded.successors[stream]?.item
  }

  /// Converts a media time to a time of the item.
  private func itemTime(_ time: Duration?, of stream: StreamToken) -> Duration? {
    guard let time else { return nil }
    return stream == token ? itemTime(time) : max(.zero, time - (item(of: stream)?.start ?? .zero))
  }

  /// Converts a media time to a time of the current item.
  private func itemTime(_ time: Duration) -> Duration {
    max(.zero, time - (queue.current?.start ?? .zero)) + loaded.offset
  }

  /// Converts a time of the current item to a media time.
  private func mediaTime(_ position: Duration) -> Duration {
    position - loaded.offset + (queue.current?.start ?? .zero)
  }

  /// Converts the facts that the engine reports of a stream to those of its item.
  private mutating func itemFacts(_ facts: StreamFacts, of stream: StreamToken) -> StreamFacts {
    var facts = facts
    facts.duration = itemDuration(facts.duration, of: stream)
    facts.position = itemTime(facts.position, of: stream)
    return facts
  }

  private mutating func itemDuration(_ duration: Duration?, of stream: StreamToken) -> Duration? {
    if stream == token { loaded.setMedia(duration) } else { loaded.successors.setMedia(duration, of: stream) }
    return item(of: stream)?.duration(ofMedia: duration) ?? duration
  }

  // MARK: Ends

  /// Whether the next item continues where the current one ends, in the same media.
  private var isJoined: Bool {
    guard let item = queue.current, let next = follower() else { return false }
    return isJoined(item, next, media: loaded.media)
  }

  private func isJoined(_ item: Player.Item, _ next: Player.Item, media: Duration?) -> Bool {
    item.isContinued(by: next) && !skip.failed.contains(next.id) && media.map { next.start < $0 } ?? true
  }

  /// Returns the media time at which the last of several joined parts ends; nil for the end of the media.
  ///
  /// `first` is the first of these clips, and `index` is its distance from the current item. `media` is the duration of
  /// the media; nil while unknown.
  private func endOfClips(from first: Player.Item, at index: Int, media: Duration?) -> Duration? {
    var (last, index) = (first, index + 1)
    while last.end != nil, let next = follower(index), isJoined(last, next, media: media) {
      (last, index) = (next, index + 1)
    }
    return last.end
  }

  /// The media time at which the current stream stops; nil for the end of the media.
  private var stopTime: Duration? { queue.current.flatMap { endOfClips(from: $0, at: 0, media: loaded.media) } }

  /// The error if the media does not contain the item's start position; nil if it does.
  private var startPositionError: PlayerError? {
    guard let start = queue.current?.start, start > .zero else { return nil }
    if !current.isSeekable {
      return PlayerError(code: .unknown, message: "cannot seek to the start position of the item")
    }
    guard let media = loaded.media, start >= media else { return nil }
    return PlayerError(code: .corrupt, message: "start position \(start) is beyond the duration \(media) of the media")
  }

  /// The instant at which the current item ends while its stream continues.
  private var clipEndInstant: MonotonicTime? {
    guard isJoined, !loaded.isSeeking, loaded.run != .ended, timebase.isRunning, let duration = current.details.duration
    else { return nil }
    return loaded.endDoubt ?? timebase.anchor.outputInstant(reaching: duration)
  }

  /// Handles a due end of an item at which its stream continues.
  ///
  /// - Returns: Whether an end was due; if so, nothing else remains to be done.
  private mutating func passDueEnd(now: MonotonicTime) -> Bool {
    guard let due = clipEndInstant, due <= now else { return false }
    if loaded.endDoubt == nil, timebase.measured < due, due + .seconds(1) < now {
      // The process did not run for some time; only a measurement after the end can show whether playback continued.
      loaded.doubtEnd(until: now + .milliseconds(200))
      perform(.samplePosition(of: token))
      return true
    }
    passClipEnd(now: now)
    return true
  }

  /// Passes the ends of joined items too short to be noticed before the media ended.
  private mutating func passUnnoticedEnds(now: MonotonicTime) {
    while isJoined, clipEndInstant != nil, let duration = current.details.duration, endPosition(at: now) >= duration {
      passClipEnd(now: now)
    }
  }

  /// Passes the end of the current item while its stream continues.
  private mutating func passClipEnd(now: MonotonicTime) {
    loaded.stopDoubting()
    guard isJoined, let old = queue.current, let next = follower() else { return playedToEnd(now: now) }
    let beyond = max(.zero, timebase.anchor.outputPosition(at: now) - (current.details.duration ?? .zero))
    loaded.enterClip()
    skip = SkipPass()
    queue.select(next.id)
    current.enterClip(duration: next.duration(ofMedia: loaded.media))
    timebase.enterItem(with: PositionAnchor(position: beyond, instant: now, rate: loaded.rate), at: now)
    emit(.itemDidPlayToEnd(old))
    entered(next, after: old)
  }
}

extension Player.Item {
  /// Whether the item ends within its media, as far as the duration of that is known.
  func isWithin(media: Duration?) -> Bool {
    guard let end, let media else { return true }
    return end <= media
  }

  /// Whether `next` begins where this item ends, in the same media.
  fileprivate func isContinued(by next: Player.Item) -> Bool {
    next.id != id && next.uri == uri && next.httpHeaders == httpHeaders && end == next.start
      && next.end.map { $0 > next.start } ?? true
  }
}

// MARK: - Successors

/// Opens the items that follow without a command while the current one plays, so that they begin with its last sample or
/// overlap with its end.
///
/// An item follows in the plan as soon as its stream is open. It becomes current when its first sample is audible.
extension PlaybackMachine {
  /// The time before the end of an item at which the next one is opened if it comes from a server, for a gapless start.
  private static let serverLead = Duration.seconds(20)

  /// Returns the item at a given distance after the current one that follows without a command; nil if there is none.
  func follower(_ places: Int = 1) -> Player.Item? { advancesByItself ? queue.following(places) : nil }

  // MARK: Which items are open

  /// Closes the successors that no longer follow, opens the next ones when that is due, and decides how the first one begins.
  private mutating func updateSuccessors(now: MonotonicTime) {
    guard phase.isReady, loaded.run != .ended else { return }
    let kept = loaded.successors.indices.prefix { loaded.successors[$0].item.id == follower($0 + 1)?.id }
    if kept.count < loaded.successors.count { loaded.successors.close(from: kept.count) }
    while let next = nextSuccessor,
      loaded.successors.last?.isRead ?? (loaded.isRead || openingDue.map { $0 <= now } ?? false)
    {
      let stream = nextToken()
      loaded.successors.open(next, stream)
      // A repetition of the same item keeps its audio track.
      open(next, stream, audioTrack: next.id == queue.current?.id ? current.audio.chosen : nil)
    }
    updateOverlap(now: now)
    // It has ended before the one that was to follow it was removed.
    if loaded.ended != nil, loaded.successors.isEmpty, loaded.isWanted { playedToEnd(now: now) }
  }

  /// The item to open after the last open item; nil if no item is to be opened now.
  ///
  /// An item that follows in the same stream, or only after the end of the previous item, is not opened ahead.
  private var nextSuccessor: Player.Item? {
    let count = loaded.successors.count
    guard phase.isReady, !loaded.isSeeking, loaded.sourceFailure == nil, !loaded.isLive, !isStation,
      count < Successors.limit, let next = follower(count + 1), !current.rejectedSuccessors.contains(next.id)
    else { return nil }
    guard let last = loaded.successors.last else { return isJoined ? nil : next }
    // Media without a duration may be a broadcast, and further parts of the same media need no stream.
    let isWhole = last.isSettled && !last.isLive && (last.item.isLocal || last.state.details.duration != nil)
    return isWhole && !(last.item.isClip && isJoined(last.item, next, media: last.media)) ? next : nil
  }

  /// The instant at which the next item is opened, unless the current one is decoded to its end before; nil if it is open,
  /// or while the position does not advance.
  private var openingDue: MonotonicTime? {
    guard timebase.isRunning, loaded.successors.isEmpty, !loaded.isRead, let next = nextSuccessor,
      let end = followedEnd
    else { return nil }
    let lead =
      crossfades(to: next)
      ? settings.crossfade.length + Self.preparation(of: next) : next.isLocal ? nil : Self.serverLead
    return lead.flatMap { timebase.anchor.outputInstant(reaching: end - $0 * loaded.rate) }
  }

  /// Handles that a stream is decoded to the end of its part.
  private mutating func wasRead(_ stream: StreamToken, now: MonotonicTime) {
    if stream == token {
      // Before a seek is done, the report is one from before it.
      guard !loaded.isSeeking else { return }
      loaded.read()
      // The received range then reaches the end of the item.
      if isStreaming, !loaded.isLive { announceLoadedRange(now: now) }
    } else {
      loaded.successors.read(stream)
    }
  }

  /// Handles that the stream of a successor is ready.
  private mutating func successorSettled(_ stream: StreamToken, _ facts: StreamFacts) {
    guard loaded.successors[stream] != nil else { return }
    let facts = itemFacts(facts, of: stream)
    loaded.successors.settle(stream, facts)
    guard let next = loaded.successors[stream], next.item.start > .zero else { return }
    if !facts.isSeekable || next.media.map({ next.item.start >= $0 }) ?? false { rejectSuccessor(stream) }
  }

  /// Closes a successor and those after it; it is opened again, and may fail, when it is current.
  private mutating func rejectSuccessor(_ stream: StreamToken) {
    guard let index = loaded.successors.index(of: stream) else { return }
    current.reject(loaded.successors[index].item.id)
    loaded.successors.close(from: index)
  }

  // MARK: The transition

  /// Handles that a stream is audible, at a time of its media.
  private mutating func audible(_ stream: StreamToken, at time: Duration?, now: MonotonicTime) {
    guard stream != token else { return running(at: itemTime(time, of: stream), now: now) }
    guard let index = loaded.successors.index(of: stream) else { return }
    let position = itemTime(time, of: stream) ?? .zero
    // The engine holds a part that was audible before the command of a start at an instant.
    if !isBeforeStart(now) {
      // The current item may have ended without a sample.
      loaded.confirm()
      // Another part cancels a start in the engine, too.
      (scheduledStart, engine.start) = (nil, nil)
    }
    let late = index == 0 ? lateOverlap(now: now) : nil
    // The successors before it lack samples, so they overlap with nothing.
    for _ in 0..<index {
      loaded.successors.setOverlap(nil)
      beginNext(at: .zero, now: now)
    }
    beginNext(at: position, late: late, now: now)
  }

  /// The overlap that the engine began before it received the plan without it; nil if the current item has ended.
  private func lateOverlap(now: MonotonicTime) -> Successor.Overlap? {
    guard loaded.ended == nil, timebase.isRunning, let end = followedEnd else { return nil }
    let start = position(at: now)
    return start < end ? Successor.Overlap(start: start, end: end) : nil
  }

  /// Makes the first successor the current item; the item before has ended, or fades out.
  ///
  /// `late` is the overlap in which both are audible if none is planned any more.
  private mutating func beginNext(at position: Duration, late: Successor.Overlap? = nil, now: MonotonicTime) {
    let (old, next) = (queue.current, loaded.successors.begin())
    outgoingEnded()
    skipped = nil
    // A caller may still await a seek in the item that has ended.
    abandonSeeks()
    let overlap = loaded.ended == nil ? next.overlap.flatMap { $0.length > .zero ? $0 : nil } ?? late : nil
    let shape = overlap.map {
      CrossfadeShape(length: $0.length / loaded.rate, curve: settings.crossfade.curve)
    }
    let stream = LoadedStream(
      next, after: loaded, rate: rate(isSeekable: next.state.isSeekable),
      join: old == nil ? .gapless : shape.map { .overlap($0) } ?? .gapless, timeout: configuration.loadTimeout, now: now
    )
    if let overlap, let old {
      var part = currentPart
      part.end = mediaTime(overlap.end)
      outgoing = OutgoingStream(
        item: old,
        // A measurement after the start of the overlap shows that it began late.
        anchor: PositionAnchor(position: max(overlap.start, timebase.anchor.position)), duration: overlap.end,
        part: part)
      let rate = loaded.rate
      // It may be the first report after a pause.
      if isRunning { outgoing?.run(from: now, rate: rate) }
    }
    loaded = stream
    skip = SkipPass()
    current = CurrentItem(next, isRepetition: old?.id == next.item.id, after: current)
    let anchor = PositionAnchor(position: position, instant: now, rate: loaded.rate)
    timebase.enterItem(with: isRunning ? anchor : PositionAnchor(position: position), at: now)
    if outgoing == nil, let old { emit(.itemDidPlayToEnd(old)) }
    queue.select(next.item.id)
    entered(next.item, after: old)
    reconcile(now: now)
  }

  // MARK: The time limit for a successor that hangs while it is opened

  /// The instant at which the awaited successor is late; nil if the current item has not ended, or if none is awaited.
  ///
  /// Data that arrives defers it, at most to twice the time.
  private var successorDeadline: MonotonicTime? {
    guard phase.isReady, loaded.isWanted, let ended = loaded.ended, !loaded.successors.isEmpty else { return nil }
    return loaded.successors.deadline(since: ended, timeout: configuration.loadTimeout)
  }
}

// MARK: - Overlaps

/// Decides whether the end of the current item overlaps with the start of the next one, and where.
///
/// The next item is opened some seconds before. Its media then decides: items of one album follow gaplessly, and an item that is
/// not ready in time follows gaplessly too. The rule is applied after each decision, as long as the next item is not audible.
extension PlaybackMachine {
  /// The time in which an item is to become ready for an overlap.
  private static func preparation(of item: Player.Item) -> Duration { item.isLocal ? .seconds(4) : .seconds(12) }

  /// The least part of that time for an item that is opened late, after a seek towards the end or in a short item.
  private static func shortPreparation(of item: Player.Item) -> Duration {
    item.isLocal ? .milliseconds(500) : .seconds(4)
  }

  /// The shortest overlap that remains of a longer one after a late decision.
  private static let shortest = Duration.seconds(1)

  /// The time before an overlap in which the engine needs its times.
  private static let lead = Duration.milliseconds(500)

  /// The position at which the current item ends if another one follows: where the silence at its end begins, if that is
  /// skipped, and otherwise its duration; nil while unknown.
  private var followedEnd: Duration? {
    current.details.duration.map { duration in
      queue.current?.end == nil ? min(duration, current.silence ?? duration) : duration
    }
  }

  /// Whether the end of the current item may overlap with the start of the next one, as far as is known before that is
  /// opened.
  private func crossfades(to next: Player.Item) -> Bool {
    guard let item = queue.current, let end = followedEnd else { return false }
    return (settings.crossfade.length > .zero || end != current.details.duration) && !settings.isCrossfadeSuspended
      && loaded.sourceFailure == nil && loaded.ended == nil && !loaded.isLive && !isStation
      && current.details.chapters.isEmpty && isLongEnough(end) && next.id != item.id
      && (next.uri != item.uri || !next.isClip && !item.isClip) && item.isWithin(media: loaded.media)
  }

  /// Whether an item is long enough for overlaps at both of its ends, and not so long that it resumes where it was left.
  private func isLongEnough(_ duration: Duration) -> Bool {
    let length = settings.crossfade.length * settings.rate
    return duration >= length + length && duration < .longItem
  }

  /// Decides how the first successor begins.
  private mutating func updateOverlap(now: MonotonicTime) {
    // After the end of the current item, nothing is to be decided.
    guard loaded.ended == nil, let next = loaded.successors.first else { return }
    let overlap = overlap(with: next, now: now)
    if overlap != next.overlap { loaded.successors.setOverlap(overlap) }
  }

  private func overlap(with next: Successor, now: MonotonicTime) -> Successor.Overlap? {
    let details = next.state.details
    // The output has one speed.
    guard let end = followedEnd, crossfades(to: next.item), !next.isLive, details.chapters.isEmpty,
      rate(isSeekable: next.state.isSeekable) == loaded.rate,
      next.item.isWithin(media: next.media), details.duration.map(isLongEnough) ?? false, !isOneAlbum(with: next)
    else { return nil }
    if let overlap = next.overlap, overlap.end == end { return overlap }
    guard next.isSettled, next.isBuffered else { return nil }
    let length = settings.crossfade.length * loaded.rate
    let start = max(end - length, position(at: now) + Self.lead * loaded.rate)
    guard end - start >= min(length, Self.shortest * loaded.rate) else { return nil }
    return Successor.Overlap(start: start, end: end)
  }

  /// Whether the next item may be of the album of the current one: the same folder and the same album tag.
  ///
  /// Without any tags of the next item, the tag is not known.
  private func isOneAlbum(with next: Successor) -> Bool {
    guard let album = current.details.metadata.album, let item = queue.current, item.folder == next.item.folder else {
      return false
    }
    let metadata = next.state.details.metadata
    return metadata == MediaMetadata() || metadata.album == album
  }

  /// Handles that the last sample of the previous item has been played, that its stream has failed, or that a command ends the
  /// overlap at once.
  private mutating func outgoingEnded() {
    guard let outgoing = outgoing.take() else { return }
    emit(.itemDidPlayToEnd(outgoing.item))
  }

  // MARK: Ends that are not reported

  /// The instant at which a stream that has faded out is closed, although the engine has not reported its end; nil if none
  /// fades out, or while it stands.
  private var fadingDeadline: MonotonicTime? { outgoingDeadline.lesser(skipped?.deadline) }

  private var outgoingDeadline: MonotonicTime? { outgoing?.end.map { $0 + configuration.pipelineTimeout } }

  /// Closes streams that have faded out without a report of their end: a stream that hangs never delivers its last
  /// sample.
  private mutating func passFading(now: MonotonicTime) {
    if let deadline = outgoingDeadline, deadline <= now { outgoingEnded() }
    if let deadline = skipped?.deadline, deadline <= now { skipped = nil }
  }

  // MARK: Commands

  /// Fades the current item out while a command selects another one.
  private mutating func fadeAtSkip(now: MonotonicTime) {
    let length = settings.crossfade.skipLength
    guard length > .zero, intent == .playing, isAudible else { return }
    let shape = CrossfadeShape(length: length, curve: settings.crossfade.curve)
    var part = currentPart
    part.fadeOut = shape
    skipped = SkippedStream(part: part, shape: shape, deadline: now + length + configuration.pipelineTimeout)
    phase = .none
  }

  /// Sets the crossfades.
  private mutating func setCrossfade(_ new: Player.Crossfade) {
    guard new != settings.crossfade else { return }
    settings.crossfade = new
    if phase.isLoaded { decideOverlapsAgain() }
  }

  /// Forgets the overlaps, which are then decided again at the end of the decision.
  private mutating func decideOverlapsAgain() {
    loaded.successors.setOverlap(nil)
  }
}

// MARK: - Output

/// Selects the output device.
extension PlaybackMachine {
  /// Handles the removal of the device in use.
  private mutating func outputRemoved(_ id: AudioOutput.ID, now: MonotonicTime) {
    if settings.audioOutput?.id == id { output.wasRemoved() }
    outputLeft("the output device “\(id)” was removed", now: now)
  }

  /// Returns to the selected device when it is connected again, playing or paused; a pause stays a pause.
  ///
  /// PulseAudio leaves the stream at the other device, and its sink then opens later streams there, too.
  private mutating func outputAdded(_ id: AudioOutput.ID, now: MonotonicTime) {
    guard let selected = settings.audioOutput, selected.id == id, output.isSubstituted else { return }
    emit(.warning("the output device “\(id)” is connected again; switching to it"))
    setAudioOutput(selected, now: now)
  }

  /// Pauses before playback becomes audible on another device or port, if configured.
  ///
  /// The end of an interruption must not resume it there, either.
  private mutating func outputLeft(_ reason: String, now: MonotonicTime) {
    guard configuration.pausesWhenOutputIsRemoved else { return }
    isInterrupted = false
    fade.endStop()
    guard intent == .playing else { return finishFadeOut(now: now) }
    emit(.warning("\(reason); playback is paused"))
    pause(fading: false, now: now)
  }

  /// Records the device that the output uses, which may be another than the selected one.
  private mutating func outputInUse(_ id: AudioOutput.ID) {
    if let selected = settings.audioOutput { output.uses(isSelected: selected.id == id) }
  }

  /// Records that the output was opened, silently if there is none.
  private mutating func outputOpened(isSilent: Bool) {
    if output.opened(isSilent: isSilent) { emit(.warning("an audio output is available; switching to it")) }
  }

  /// Holds the position while the device is suspended.
  private mutating func outputSuspended(now: MonotonicTime) {
    guard isRunning, !loaded.isSeeking else { return }
    if fade.isPausing {
      // Nothing is left to fade out.
      finishFadeOut(now: now)
    } else {
      freeze(at: now)
      loaded.interrupt()
    }
  }

  /// The status of the output.
  var outputStatus: Player.Snapshot.OutputStatus {
    if case .outputLost = phase.state { return .unavailable }
    return output.status
  }

  /// Continues playback on another device from the same position.
  ///
  /// The same device is opened again if the sound server has moved the stream to another one.
  private mutating func setAudioOutput(_ newOutput: AudioOutput?, now: MonotonicTime) {
    let isOther = newOutput?.sinkDescription != settings.audioOutput?.sinkDescription
    guard isOther || output.isSubstituted else { return }
    settings.audioOutput = newOutput
    output.select()
    if !isOther { perform(.reopenOutput) }
    outputIsAvailable(now: now)
  }

  /// Opens the current item again if the output was lost.
  private mutating func outputIsAvailable(now: MonotonicTime) {
    output.recover()
    if case .outputLost = phase.state { loadAgain(at: position(at: now), now: now) }
  }
}

// MARK: - Interruptions

/// Pauses at the request of the sound server, which interrupts playback for a call.
extension PlaybackMachine {
  /// Pauses: the server has muted the stream, so its next part would be inaudible.
  private mutating func pauseRequested(now: MonotonicTime) {
    guard intent == .playing else { return }
    emit(.warning("playback is paused by a request of the sound server, as for a call"))
    pause(fading: false, now: now)
    isInterrupted = true
  }

  /// Resumes playback that a request has paused, unless a command has decided about it since.
  private mutating func resumeRequested(now: MonotonicTime) {
    guard isInterrupted, intent == .paused else { return }
    isInterrupted = false
    startPlaying(now: now)
  }
}

extension PlaybackInput {
  /// Whether a user decides about playback, which the end of an interruption then does not change.
  var endsInterruption: Bool {
    switch self {
    case .play, .playAt, .prepare, .stop, .pause, .advance, .playItem, .playImmediately, .seek, .replaceQueue: true
    default: false
    }
  }
}

// MARK: - Failures

/// Handles the failures of the current item, its successor, its source, or the output.
///
/// GStreamer posts two to four errors for one failure; the first counts. A connection that is cut is an error at once,
/// and an ordinary end seconds later.
extension PlaybackMachine {
  private mutating func failed(_ stream: StreamToken, _ error: PlayerError, now: MonotonicTime) {
    if stream == token, error.losesKeptData { loaded.buffer.forgetKept() }
    if stream == outgoing?.token {
      outgoingEnded()
    } else if stream == skipped?.token {
      skipped = nil
    } else if loaded.successors[stream] != nil {
      // The current item plays to its end. Then the next one is opened again, and fails.
      rejectSuccessor(stream)
    } else if stream == token, phase.isLoading, error.isFromSource, error.code == .networkCut {
      // The received data may be enough to play. If it is not, another failure or the deadline follows. Since no more
      // data arrives, the deadline is brought forward: `oggdemux`, which seeks to the end of the media for the duration,
      // then drops its EOS and the received data without an error.
      loaded.cutWhileLoading(error, timeout: configuration.pipelineTimeout, now: now)
    } else if stream == token, phase.isReady, error.isFromSource {
      cutOff(error, now: now)
    } else if stream == token, phase.isLoaded {
      fail(loaded.sourceFailure ?? error, now: now)
    }
  }

  /// Handles an early end of the source: the received data is played, and then the item fails.
  private mutating func cutOff(_ error: PlayerError, now: MonotonicTime) {
    guard loaded.sourceFailure == nil else { return }
    let cut = PlayerError(
      code: .networkCut, message: "the connection was closed before the end of the media", detail: error.detail)
    loaded.cut(error.code == .httpError ? error : cut)
    timebase.sample(at: now + Timebase.sampleInterval)
    reconcile(now: now)
  }

  /// Fails the current item: reports the failure once, and skips the item.
  ///
  /// If every item of a pass fails, playback stops, whatever the loop mode.
  private mutating func fail(_ error: PlayerError, now: MonotonicTime) {
    guard let item = queue.current else { return endQueue() }
    if reconnects(after: error, now: now) { return }
    let error = reportedError(error)
    lastError = error
    log(error, .itemFailed, now: now)
    current.fail()
    // An item that has played for more than a second was not a failed attempt, so a new pass begins.
    if position(at: now) > .seconds(1) { skip.succeed() }
    skip.fail(item.id)
    emit(.itemFailed(item, error: error))
    if error.isUnusableOutput { return endQueue() }
    guard let next = skip.next(in: queue) else { return endQueue() }
    move(to: next, now: now)
  }

  private mutating func outputFailed(_ error: PlayerError, now: MonotonicTime) {
    guard phase.isLoaded else { return }
    if error.isUnusableOutput { return fail(error, now: now) }
    log(error, .reopeningOutput, now: now)
    reportAbandonedSeek(now: now)
    unload(to: .outputLost(retry: now + output.fail()), at: position(at: now))
    if intent == .playing { _ = current.stall() }
    if lastError != error { emit(.outputFailed(error)) }
    lastError = error
  }
}

// MARK: - Hangs

/// Recovers from a hang inside the engine.
extension PlaybackMachine {
  /// Continues with an empty engine after its output did not respond.
  private mutating func engineWasReplaced(now: MonotonicTime) {
    skipped = nil
    engine.replaced()
    emit(.warning("\(PlayerError.hungOutput.message); its pipeline is abandoned"))
    outputFailed(.hungOutput, now: now)
  }

  /// Loads the item again, once, at the position that its audio has reached, because the engine did not start in time.
  ///
  /// The player may count as running: the report of an earlier start can arrive after a pause and another start.
  private mutating func startMissed(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token, phase.isReady, loaded.isWanted, !loaded.isSeeking else { return }
    let reached = itemTime(measured, of: stream) ?? position(at: now)
    if let duration = current.details.duration, duration > .zero, reached >= duration {
      return ended(token, at: nil, now: now)
    }
    guard current.startsAgain() else {
      return fail(PlayerError(code: .unknown, message: "playback did not start after loading the item again"), now: now)
    }
    let fault = PlayerError(code: .unknown, message: "playback did not start; loading the item again")
    emit(.warning(fault.message))
    log(fault, .reloading, now: now)
    emitTimeJump(from: position(at: now), to: reached)
    loadCurrent(at: reached, now: now)
  }
}

// MARK: - Engine processes

/// The start of the engine's processes, and the end of one that decodes.
extension PlaybackMachine {
  /// Begins the time limit of a load, or of a seek, when the engine has started.
  private mutating func engineStarts(_ isStarting: Bool, now: MonotonicTime) {
    isEngineStarting = isStarting
    if !isStarting, phase.isLoading || phase.isReady && loaded.isSeeking {
      loaded.limitLoad(to: configuration.loadTimeout, now: now)
    }
  }

  /// Logs that the process of a stream has ended; the stream stays, and continues in another process.
  private mutating func decodingInterrupted(_ stream: StreamToken, _ text: String, now: MonotonicTime) {
    guard let item = item(of: stream) else { return }
    emit(.warning(text, of: item))
    if stream == token { log(PlayerError(code: .engineEnded, message: text), .reloading, now: now) }
  }
}

// MARK: - Going back in a station

/// Seeks in the received data that the engine keeps of a station, or in the window of its server.
extension PlaybackMachine {
  /// The distance of the first position that a seek can reach from the oldest data, which is removed while a seek is on its way.
  private static let stationMargin = Duration.seconds(1)
  /// The time before the last position that a seek can reach in which playback is at the present.
  private static let presentLength = Duration.seconds(2)

  /// The positions that a seek can reach in a station: what the engine keeps of it, or what its server offers; nil for neither.
  ///
  /// The last one in kept data is a forward buffer before the newest data, so playback continues there at once. A server names one with
  /// such a distance itself.
  var stationRange: Range<Duration>? {
    guard phase.isReady, !current.isSeekable, let range = loaded.buffer.kept ?? offeredWindow else { return nil }
    let margin = range.lowerBound > .zero ? Self.stationMargin : .zero
    let distance = loaded.buffer.kept == nil ? .zero : settings.forwardBuffer ?? StreamBuffer.usualForwardBuffer
    // A part of a station may be an item.
    let lower = max(.zero, itemTime(range.lowerBound) + margin)
    let upper = min(current.details.duration ?? .nanoseconds(Int64.max), itemTime(range.upperBound) - distance)
    return lower < upper ? lower..<upper : nil
  }

  private var offeredWindow: Range<Duration>? { loaded.sourceFailure == nil ? loaded.buffer.window : nil }

  /// Shows the title at the target of a seek, which the engine repeats when it is audible.
  private mutating func showTitle(at position: Duration) {
    guard let title = current.titles.last(where: { $0.start <= position }) else { return }
    var tags = MediaMetadata()
    tags.title = title.text
    tagsChanged(token, tags, about: .item)
  }

  /// Continues with the oldest data after a pause that was so long that the data after the pause was removed.
  private mutating func leaveRemovedData(pausedSince: MonotonicTime? = nil, now: MonotonicTime) {
    guard intent == .playing, !loaded.isSeeking, let range = stationRange else { return }
    // The window of a server moves in real time, and during a pause, nothing reports that.
    let unreported = loaded.buffer.kept == nil ? pausedSince.map { now - $0 } ?? .zero : .zero
    let (shown, oldest) = (position(at: now), range.lowerBound + unreported)
    guard max(shown, decodedEnd) < oldest - Self.stationMargin else { return }
    beginSeek(EngineSeek(to: SeekTarget(position: oldest), from: shown), now: now)
  }
}

// MARK: - Reconnecting

/// Reconnects to broadcasts that are lost during playback, with growing delays between the attempts.
///
/// A broadcast is without a duration and not seekable, so opening it again continues it. The position continues as
/// well, from the point of the loss.
extension PlaybackMachine {
  /// Whether the item is a broadcast: not seekable, and without a duration or a size in bytes.
  var isBroadcast: Bool {
    current.details.duration == nil && current.status == .readyToPlay && !current.isSeekable
      && loaded.buffer.progress.size == nil && queue.current?.isLocal == false
  }

  /// Whether the item is a broadcast that names its station: its end is treated as a lost connection.
  private var isStation: Bool { isBroadcast && current.details.metadata.organization != nil }

  /// Reconnects to the current item if it is a broadcast and `error` may be temporary; returns whether it does.
  private mutating func reconnects(after error: PlayerError, now: MonotonicTime) -> Bool {
    // A part of a broadcast that does not begin with it can never be played.
    guard intent != .stopped, isBroadcast, startPositionError == nil, error.mayPass, let item = queue.current else {
      return false
    }
    guard phase.isReady || phase.isLoading && current.reconnection != nil else { return false }
    let attempt = current.reconnection(at: now)
    let retry = now + attempt.backOff
    guard retry - attempt.since <= configuration.reconnectTimeout else { return false }
    log(error, .reconnecting, now: now)
    if attempt.since == now { emit(.warning("\(error.message); reconnecting", of: item)) }
    if intent == .playing, current.stall() { emit(.playbackStalled(item)) }
    unload(to: .sourceLost(retry: retry), at: position(at: now))
    current.reconnects(attempt)
    return true
  }

  /// Returns the error to report; for a broadcast that could not be reconnected, the loss of the connection.
  private func reportedError(_ error: PlayerError) -> PlayerError {
    guard let reconnection = current.reconnection, reconnection.found == nil, error.mayPass else { return error }
    return PlayerError(
      code: .networkCut, message: "connection lost, and reconnecting failed: \(error.message)", detail: error.detail)
  }

  /// Opens the broadcast again.
  private mutating func reconnect(now: MonotonicTime) {
    let held = position(at: now)
    loadCurrent(now: now)
    loaded.continueBroadcast(at: held)
    timebase.jump(to: held)
  }
}

extension PlayerError {
  /// Whether another attempt may succeed.
  fileprivate var mayPass: Bool {
    switch code {
    case .networkCut, .networkTimeout, .networkRefused, .networkUnresolved, .httpError, .loadTimeout, .empty,
      .readError, .unknown:
      true
    default: false
    }
  }
}

// MARK: - Fades

/// Fades the audio out before a pause or a stop; see ``Fade``.
extension PlaybackMachine {
  /// The instant at which a pause has faded out; nil unless the silent data after it is read again.
  ///
  /// The output consumes this data before the pipeline pauses. Only a file can be read again.
  private var silenceBegin: MonotonicTime? {
    guard current.isSeekable, !loaded.isLive, queue.current?.isLocal == true, outgoing == nil,
      loaded.sourceFailure == nil
    else { return nil }
    return fade.silenceBegin
  }

  /// Whether there is audible playback that can be faded out.
  private var canFade: Bool { settings.fade > .zero && isAudible }

  /// Whether playback is audible.
  private var isAudible: Bool {
    phase.isReady && isRunning && timebase.isRunning && !loaded.isSeeking && hasEnough && !settings.isMuted
      && settings.volume > 0
  }

  /// Undoes a fade-out: by a fade-in before playback resumes; without one when another item is opened, or this one from
  /// its start.
  private mutating func resetFade(_ direction: FadeDirection) { if fade.reset() { perform(.fade(direction)) } }

  /// Pauses the pipeline now, before the fade-out has ended; does nothing unless a pause is fading.
  private mutating func finishFadeOut(now: MonotonicTime) { if fade.isPausing { pausePipeline(now: now) } }

  /// Pauses the pipeline at the present position.
  private mutating func pausePipeline(now: MonotonicTime) {
    freeze(at: now)
    skipped = nil
    fade.endPause()
    if phase.isLoaded { loaded.buffer.waitUntilFull() }
    if phase.isReady { loaded.pause(now: now) }
    reconcile(now: now)
  }

  /// Performs the parts of a fade that are due.
  private mutating func passFade(now: MonotonicTime) {
    if let end = fade.pauseDue, end <= now {
      let readsAgain = silenceBegin != nil
      finishFadeOut(now: now)
      if readsAgain {
        let target = SeekTarget(position: position(at: now))
        beginSeek(EngineSeek(to: target, from: target.position, isSilent: true), continuesRun: true, now: now)
      }
    }
    if let end = fade.stopDue, end <= now { fade.endStop() }
  }
}

// MARK: - Starts at an instant

/// The rules of a start at an instant; the position stands until then.
///
/// A pause, a stop, a seek, the end of the item, another item and the end of the engine's process cancel it.
extension PlaybackMachine {
  /// Plays from the present position at an instant, or at once if it has passed.
  ///
  /// If an item plays, it pauses until then.
  private mutating func play(at instant: MonotonicTime, now: MonotonicTime) {
    guard !queue.isEmpty else { return }
    guard instant > now else { return play(now: now) }
    pause(fading: false, now: now)
    scheduledStart = ScheduledStart(at: instant)
    if phase.isReady { scheduledStart?.streamIsReady(now: now) }
    resume(now: now)
  }

  /// Whether a report of the audible part is older than the start at an instant.
  private func isBeforeStart(_ now: MonotonicTime) -> Bool {
    scheduledStart?.isLater(thanReportAt: now) ?? false
  }

  /// Cancels a start at an instant; a stream that is wanted starts at once.
  private mutating func cancelScheduledStart(now: MonotonicTime) {
    guard scheduledStart.take() != nil else { return }
    guard phase.isReady, !phase.isAtEnd else { return }
    reconcile(now: now)
  }

  /// The instant at which the engine is set to play for a start; nil if it need not wait.
  private var startWake: MonotonicTime? { phase.isReady ? scheduledStart?.wake : nil }

  /// Sets the engine to play when its start is due.
  private mutating func passStart(now: MonotonicTime) {
    if phase.isReady, scheduledStart?.pass(now: now) == true { reconcile(now: now) }
  }
}

// MARK: - Loudness

/// Announces files to the source of loudness, requests their gains, and applies the gains and the silence that it reports.
extension PlaybackMachine {
  /// Announces the upcoming files if they have changed, and none in low power mode.
  private mutating func announceFiles() {
    guard configuration.measuresFiles else { return }
    let basis = LoudnessRequest.Basis(
      isPlaying: intent == .playing && !settings.isLowPowerModeEnabled, revision: queue.revision,
      current: queue.current?.id, loop: queue.loop)
    guard basis != measured.basis else { return }
    let groups =
      basis.isPlaying
      ? LoudnessRequest.groups(
        of: queue, mode: configuration.measuredGain?.mode ?? .track,
        findsSilence: configuration.silenceTrimming != nil) : []
    let isChanged = groups != measured.groups
    measured = LoudnessRequest(basis: basis, groups: groups)
    if isChanged { effects.append(.announceFiles(groups)) }
  }

  /// Requests the gain and the silence of a file that is opened.
  ///
  /// The source answers once with the gain, which does not change later.
  private mutating func requestLoudness(of item: Player.Item, _ stream: StreamToken) {
    guard item.isLocal, configuration.measuresFiles else { return }
    if configuration.measuredGain != nil { setGain(.awaited, of: stream) }
    effects.append(.requestLoudness(of: item.uri, for: stream, asSuccessor: stream != token))
  }

  private mutating func setGain(_ gain: MeasuredGain, of stream: StreamToken) {
    if stream == token { loaded.setGain(gain) } else { loaded.successors.setGain(gain, of: stream) }
  }

  /// Applies a report of the source of loudness, unless its stream is closed.
  private mutating func handle(_ report: LoudnessReport, now: MonotonicTime) {
    switch report {
    case .gain(let gain, let stream): if phase.isLoaded { setGain(.decided(gain), of: stream) }
    case .silence(let time, let stream): if phase.isLoaded { silenceFound(stream, from: time, now: now) }
    case .warning(let text): emit(.warning(text))
    }
  }

  /// Notes that a stream is silent from a media time to its end.
  ///
  /// This is ignored if the next item could not begin there even if it was opened now.
  private mutating func silenceFound(_ stream: StreamToken, from time: Duration, now: MonotonicTime) {
    guard let silence = itemTime(time, of: stream), silence > .zero, let item = item(of: stream) else { return }
    if stream == token {
      let lead =
        Self.lead + Self.shortPreparation(of: follower() ?? item) + min(settings.crossfade.length, Self.shortest)
      guard position(at: now) + lead * loaded.rate < silence else { return }
    }
    changeItem(of: stream) { $0.silence = silence }
  }
}

// MARK: - Engine

/// Sends the commands that follow from the state, after each decision: which streams are open, which parts are played, and how.
extension PlaybackMachine {
  /// Opens a stream for the current item at a position, or for a successor.
  private mutating func open(
    _ item: Player.Item, _ stream: StreamToken, audioTrack: Int? = nil, at position: Duration = .zero
  ) {
    engine.streams.append(stream)
    requestLoudness(of: item, stream)
    perform(
      .open(
        StreamRequest(
          uri: item.uri, stream: stream, headers: item.httpHeaders, audioTrack: audioTrack,
          start: item.start + position)))
  }

  /// Sends the difference between the state and the commands that were sent before.
  private mutating func updateEngine() {
    let hasClosed = closeStreams()
    let settings = engineSettings
    if settings != engine.settings {
      engine.settings = settings
      perform(.settings(settings))
    }
    // A part that is to wait is in the plan of an output that is paused. No other part then cancels a start.
    if !playsOutput { setPlaying(false) }
    let start = hasPart ? scheduledStart?.heldInstant : nil
    if start != engine.start {
      engine.start = start
      perform(.start(at: start))
    }
    let plan = plan
    // A plan without parts releases the output when no stream is open.
    if plan != engine.plan || hasClosed && engine.streams.isEmpty {
      engine.plan = plan
      perform(.plan(plan))
    }
    if playsOutput { setPlaying(true) }
  }

  private mutating func setPlaying(_ plays: Bool) {
    guard plays != engine.isPlaying else { return }
    engine.isPlaying = plays
    perform(.setPlaying(plays))
  }

  /// Closes the streams that nothing needs any more, before others are opened; returns whether there were any.
  private mutating func closeStreams() -> Bool {
    // A stop that fades out needs the audible streams until its end.
    guard !fade.isStopping else { return false }
    let needed =
      [phase.isLoaded ? token : nil, outgoing?.token, skipped?.token].compactMap(\.self)
      + loaded.successors.map(\.token)
    guard needed.count < engine.streams.count else { return false }
    let closed = engine.streams.filter { !needed.contains($0) }
    engine.streams.removeAll { closed.contains($0) }
    let first = effects.firstIndex { if case .command = $0 { true } else { false } } ?? effects.endIndex
    effects.insert(contentsOf: closed.map { .command(.close($0)) }, at: first)
    return true
  }

  /// Whether the output is to play.
  ///
  /// While an item loads, an output that plays continues: the item is not in the plan yet.
  private var playsOutput: Bool {
    if fade.isStopping { return engine.isPlaying }
    guard hasPart else { return phase.isLoaded && intent == .playing && engine.isPlaying }
    return loaded.isWanted || skipped != nil
  }

  /// The parts that are to be played.
  private var plan: [PlannedPart] {
    if fade.isStopping { return engine.plan }
    let fading = [skipped?.part, outgoing?.part].compactMap(\.self)
    // Beside an item that fades out, the current one waits for its data.
    guard hasPart, skipped == nil || loaded.isWanted else { return fading }
    return fading + [currentPart] + successorParts
  }

  /// Whether the current item can be in the plan: its stream is ready, and its gain is known.
  private var hasPart: Bool { phase.isReady && loaded.gain != .awaited }

  /// The part of the current item, and of the items that continue it in its media.
  private var currentPart: PlannedPart {
    // A part that has ended does not become longer.
    let end =
      loaded.ended == nil
      ? loaded.successors.first?.overlap.map { mediaTime($0.end) } ?? stopTime
      : engine.plan.first { $0.stream == token }?.end
    return PlannedPart(
      token, end: end, join: loaded.join, curve: queue.current.flatMap { volumeCurves[$0.id] },
      measured: loaded.gain.decided)
  }

  private var successorParts: [PlannedPart] {
    loaded.successors.prefix { $0.gain != .awaited }.enumerated().map { index, next in
      PlannedPart(
        next.token, end: endOfClips(from: next.item, at: index + 1, media: next.media), join: join(of: next),
        curve: volumeCurves[next.item.id], measured: next.gain.decided)
    }
  }

  /// How a successor follows the current item.
  private func join(of next: Successor) -> PartJoin {
    guard let length = next.overlap?.length, length > .zero else { return .gapless }
    return .overlap(CrossfadeShape(length: length / loaded.rate, curve: settings.crossfade.curve))
  }

  /// The settings that the engine needs.
  private var engineSettings: EngineSettings {
    var settings = engine.settings
    (settings.volume, settings.isMuted) = (self.settings.volume, self.settings.isMuted)
    (settings.timePitch, settings.sink) = (self.settings.timePitch, self.settings.audioOutput?.sinkDescription)
    (settings.forwardBuffer, settings.audioLanguages) = (self.settings.forwardBuffer, self.settings.audioLanguages)
    settings.fade = self.settings.fade
    settings.isLowPowerModeEnabled = self.settings.isLowPowerModeEnabled
    guard phase.isLoaded else { return settings }
    // While an item is opened, a skipped one may be audible.
    if phase.isReady { settings.rate = loaded.rate }
    if configuration.application != nil, let item = queue.current {
      settings.description = StreamDescription(item, current.details.metadata)
    }
    return settings
  }

  // MARK: Volume curves

  /// Sets the volume curve of an item of the queue; nil for a constant volume.
  private mutating func setVolumeCurve(_ curve: VolumeCurve?, of item: Player.Item.ID) { volumeCurves[item] = curve }

  /// Forgets the curves of items that have left the queue.
  private mutating func forgetVolumeCurves() {
    guard !volumeCurves.isEmpty else { return }
    volumeCurves = volumeCurves.filter { queue.index(of: $0.key) != nil }
  }
}

// MARK: - Playhead

/// The part of the state that time observers need.
extension PlaybackMachine {
  /// Returns the playhead before a decision; the report that the current item has ended shows how far it was played.
  func playhead(before input: PlaybackInput?, at now: MonotonicTime) -> Playhead {
    guard case .event(.stream(let stream, .ended(let end))) = input, mayEnd(stream) else { return playhead(at: now) }
    var machine = self
    machine.noteEnd(at: end)
    return machine.playhead(at: now)
  }

  func playhead(at now: MonotonicTime) -> Playhead {
    let position = position(at: now)
    return Playhead(
      item: queue.current, stream: token, duration: current.details.duration, chapters: current.details.chapters,
      lyrics: queue.current?.isClip == true ? [] : current.details.lyrics, titles: isBroadcast ? current.titles : [],
      tags: current.tags, anchor: timebase.anchor, position: position, playbackRun: timebase.playbackRun,
      isMoving: timebase.isRunning && !loaded.isSeeking, isSeeking: loaded.isSeeking, measured: timebase.measured,
      fadedOut: silenceBegin.map(timebase.position), end: endPosition(reached: position),
      outgoing: outgoing, advances: advances, isStopped: intent == .stopped)
  }
}

// MARK: - Recording

/// The machine of a recorded state, which names no item and keeps no secret.
extension PlaybackMachine {
  /// The machine with an empty queue, and without the values that only the engine needs.
  var recorded: PlaybackMachine {
    var machine = self
    machine.queue = PlayQueue()
    // The engine alone reads it, and it may contain a password.
    machine.configuration.audioSink = nil
    machine.configuration.replayGain?.measurement?.cacheFolder = nil
    machine.configuration.silenceTrimming?.cacheFolder = nil
    machine.lastError = lastError?.recorded
    if phase.isLoaded { machine.loaded = loaded.recorded }
    machine.current = current.recorded
    machine.engine.settings.description = nil
    // A volume curve can be long, and the replayed machine does not have it.
    for index in machine.engine.plan.indices { machine.engine.plan[index].curve = nil }
    machine.outgoing?.part.curve = nil
    machine.skipped?.part.curve = nil
    return machine
  }

  /// Creates a recorded machine with a queue of stand-ins.
  init(replaying machine: PlaybackMachine, _ queue: PlayQueue) {
    self = machine
    self.queue = queue
  }
}
