/// One input of a ``PlaybackMachine``: a command with its arguments, an event of the engine, a wake-up, or the request
/// of a reader.
///
/// The machine changes only by inputs, so the inputs and their instants determine its later states.
enum PlaybackInput: Codable, Sendable {
  case play, prepare, stop
  case playAt(MonotonicTime)
  case pause(fading: Bool)
  case advance(by: Int)
  case playItem(Player.Item.ID)
  case playImmediately(rate: Double)
  case seek(to: Duration, within: Player.SeekTolerance, SeekTicket)
  case cancelPendingSeeks
  // Settings; the caller has checked their ranges.
  case setRate(Double)
  case setDefaultRate(Double?)
  case setVolume(Double)
  case setMaximumVolume(Double)
  case setMuted(Bool)
  case setAudioOutput(AudioOutput?)
  case setLoop(Player.LoopMode)
  case setShuffled(Bool)
  case setActionAtItemEnd(Player.ActionAtItemEnd)
  case setAutomaticallyWaits(Bool)
  case setForwardBuffer(Duration?)
  case setNetworkTimeout(Duration)
  case setAudioLanguages([String])
  case setLowPowerMode(Bool)
  case setCrossfade(Player.Crossfade)
  case suspendCrossfade(Bool)
  case setTimePitch(Player.Configuration.TimePitchAlgorithm)
  case selectAudioTrack(Int)
  case setVolumeCurve(VolumeCurve?, of: Player.Item.ID)
  // Edits of the queue.
  case replaceQueue(ItemList, startingAt: Int, playOrder: [Int]?)
  case rearrange(ItemList, playOrder: [Int]?)
  case insert(ItemList, after: Player.Item.ID?)
  case insertAtStart(ItemList)
  case remove(Set<Player.Item.ID>)
  case move(Player.Item.ID, to: Int)
  // The engine, the measurements, the clock and readers.
  case event(EngineEvent)
  case loudness(LoudnessReport)
  case wake
  /// A reader needs a newer measurement of the position.
  case sampleForReader
  /// A reader has received the progress of a network stream.
  case progress(StreamProgress, of: StreamToken)
}

extension PlaybackMachine {
  /// Makes the decision on an input.
  ///
  /// The rules emit the events with a meaning of their own. After them, one comparison decides about `changed`: it follows the
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
    case .setMuted(let isMuted): settings.isMuted = isMuted
    case .setAudioOutput(let output): setAudioOutput(output, now: now)
    case .setLoop(let loop): setLoop(loop, now: now)
    case .setShuffled(let isShuffled): editQueue(now: now) { $0.setShuffled(isShuffled) }
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
    case .rearrange(let list, let order):
      editQueue(now: now) { $0.rearrange(with: list.items, playOrder: order) }
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
      timebase.lastSample = now
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
    case .warning(let text): emit(.warning(text))
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
    case .volumeChanged(let volume, let isMuted): externalVolumeChanged(volume: volume, isMuted: isMuted)
    case .fadeOutEnds(let delay): fadeOutEnds(in: delay, now: now)
    case .pauseRequested: pauseRequested(now: now)
    case .resumeRequested: resumeRequested(now: now)
    }
  }
}
