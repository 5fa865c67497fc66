/// One input of a ``PlaybackMachine``: a command with its arguments, an event of the engine, a wake-up, or the request
/// of a reader or of a streaming thread.
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
  // The engine, the clock and readers.
  case event(EngineEvent)
  case wake
  /// A reader needs a newer measurement of the position.
  case sampleForReader
  /// A reader has received the progress of a network stream.
  case progress(StreamProgress, of: StreamToken)
  /// A streaming thread requests the stream after this one.
  case offerNext(after: StreamToken)
}

extension PlaybackMachine {
  /// Makes the decision on an input; returns the next stream, if the input requests one.
  @discardableResult
  mutating func decide(_ input: PlaybackInput, now: MonotonicTime) -> NextStream? {
    defer {
      updateLoadedRange(now: now)
      requestLoudness()
      describeStream()
    }
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
    case .setDefaultRate(let rate): change { $0.defaultRate = rate }
    case .setVolume(let volume): change { $0.volume = volume }
    case .setMaximumVolume(let volume): settings.maximumVolume = volume
    case .setMuted(let isMuted): change { $0.isMuted = isMuted }
    case .setAudioOutput(let output): setAudioOutput(output, now: now)
    case .setLoop(let loop): setLoop(loop, now: now)
    case .setShuffled(let isShuffled): editQueue(now: now) { $0.setShuffled(isShuffled) }
    case .setActionAtItemEnd(let action): setActionAtItemEnd(action, now: now)
    case .setAutomaticallyWaits(let waits): setAutomaticallyWaits(waits, now: now)
    case .setForwardBuffer(let duration): change { $0.forwardBuffer = duration }
    case .setNetworkTimeout(let timeout): settings.networkTimeout = timeout
    case .setAudioLanguages(let languages): change { $0.audioLanguages = languages }
    case .setLowPowerMode(let isEnabled): change { $0.isLowPowerModeEnabled = isEnabled }
    case .setCrossfade(let crossfade): setCrossfade(crossfade)
    case .suspendCrossfade(let isSuspended):
      settings.isCrossfadeSuspended = isSuspended
      updateCrossfade()
    case .setTimePitch(let algorithm): setTimePitch(algorithm, now: now)
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
    case .wake: wake(now: now)
    case .sampleForReader:
      timebase.lastSample = now
      perform(.samplePosition)
    case .progress(let progress, let stream): follow(progress, of: stream)
    case .offerNext(let stream): return offerNext(for: stream, now: now)
    }
    return nil
  }

  /// Passes an event of the engine to the rule that handles it.
  private mutating func handle(_ event: EngineEvent, now: MonotonicTime) {
    // While nothing is loaded, an engine that is not trusted might use the number of no stream.
    guard phase.isLoaded || event.stream == nil else { return }
    switch event {
    case .settled(let stream, let facts): settled(stream, facts, now: now)
    case .running(let stream, let position): running(stream, position: position, now: now)
    case .readingOn(let stream): readsOn(stream, now: now)
    case .seekRefused(let stream, let position): seekRefused(stream, position: position, now: now)
    case .sampled(let stream, let position, let progress):
      follow(progress, of: stream)
      sampled(stream, position: position, progress, now: now)
    case .progressed(let stream, let progress): progressed(stream, progress, now: now)
    case .ranOut(let stream, let progress): ranOut(stream, progress, now: now)
    case .nextStarted(let stream, let delay, let facts, let previousEnd):
      nextStarted(stream, in: delay, facts, previousEnd: previousEnd, now: now)
    case .endFound(let stream, let position): noteEnd(of: stream, at: position)
    case .ended(let stream): endOfStream(stream, now: now)
    case .startMissed(let stream, let position): startMissed(stream, position: position, now: now)
    case .durationChanged(let stream, let duration): durationChanged(stream, duration, now: now)
    case .silenceFound(let stream, let time): silenceFound(stream, from: time, now: now)
    case .failed(let stream, let error): failed(stream, error, now: now)
    case .tags(let stream, let tags, let scope): tagsChanged(stream, tags, about: scope)
    case .titleStarts(let stream, let title, let time): titleStarts(stream, title, at: time)
    case .timedTag(let stream, let content, let time): timedTag(stream, content, at: time)
    // After a seek, the same tag may have a time that differs by some milliseconds.
    case .timedTagsFlushed(let stream): changeItem(of: stream) { $0.tags = [] }
    case .redirected(let stream, let uri): changeItem(of: stream) { $0.redirectedURI = uri }
    case .songEnded(let stream): changeItem(of: stream) { $0.details = $0.details.withSongEnded() }
    case .chapters(let stream, let marks): chaptersChanged(stream, marks)
    case .leftOut(let stream, let text): leftOut(stream, text)
    case .audioTracks(let stream, let tracks, let current): audioTracksFound(stream, tracks, current: current)
    case .buffering(let stream, let percent, let progress): buffering(stream, percent: percent, progress, now: now)
    case .outputVolumeChanged(let volume, let isMuted): externalVolumeChanged(volume: volume, isMuted: isMuted)
    case .fadeOutEnds(let delay): fadeOutEnds(in: delay, now: now)
    case .outputRemoved(let id): outputRemoved(id, now: now)
    case .pauseRequested: pauseRequested(now: now)
    case .resumeRequested: resumeRequested(now: now)
    case .outputFound:
      emit(.warning("an audio output is available; switching to it"))
      reopenOutput(now: now)
    case .outputOpened(let isSilent): changeOutput { $0.isSilent = isSilent }
    case .outputInUse(let stream, let id): outputInUse(stream, id)
    case .starting(let isStarting): engineStarts(isStarting, now: now)
    case .replaced(let hang): pipelineWasReplaced(after: hang, now: now)
    case .warning(let text): emit(.warning(text))
    }
  }
}
