/// The dispatch of each engine event to the rule that handles it.
extension PlaybackMachine {
  mutating func handle(_ event: EngineEvent, now: MonotonicTime) {
    switch event {
    case .settled(let stream, let facts): settled(stream, facts, now: now)
    case .running(let stream, let position): running(stream, position: position, now: now)
    case .seekRefused(let stream, let position): seekRefused(stream, position: position, now: now)
    case .sampled(let stream, let position, let progress):
      follow(progress, of: stream)
      sampled(stream, position: position, progress, now: now)
    case .ranOut(let stream, let progress): ranOut(stream, progress, now: now)
    case .nextStarted(let stream, let delay, let facts, let previousEnd):
      nextStarted(stream, in: delay, facts, previousEnd: previousEnd, now: now)
    case .endFound(let stream, let position): noteEnd(of: stream, at: position)
    case .ended(let stream): endOfStream(stream, now: now)
    case .endMissed(let stream): endMissed(stream)
    case .startMissed(let stream, let position): startMissed(stream, position: position, now: now)
    case .durationChanged(let stream, let duration): durationChanged(stream, duration, now: now)
    case .failed(let stream, let error): failed(stream, error, now: now)
    case .tags(let stream, let tags, let scope): tagsChanged(stream, tags, about: scope)
    case .titleStarts(let stream, let title, let time): titleStarts(stream, title, at: time)
    case .timedTag(let stream, let content, let time): timedTag(stream, content, at: time)
    // After a seek, the same tag may have a time that differs by some milliseconds.
    case .timedTagsFlushed(let stream): changeItem(of: stream) { $0.tags = [] }
    case .redirected(let stream, let uri): changeItem(of: stream) { $0.redirectedURI = uri }
    case .songEnded(let stream): changeItem(of: stream) { $0.details = $0.details.withSongEnded() }
    case .chapters(let stream, let marks): chaptersChanged(stream, marks)
    case .audioTracks(let stream, let tracks, let current): audioTracksFound(stream, tracks, current: current)
    case .buffering(let stream, let percent, let progress): buffering(stream, percent: percent, progress, now: now)
    case .outputVolumeChanged(let volume, let isMuted): externalVolumeChanged(volume: volume, isMuted: isMuted)
    case .fadeOutEnds(let delay): fadeOutEnds(in: delay, now: now)
    case .outputRemoved(let id): outputRemoved(id, now: now)
    case .outputFound:
      emit(.warning("an audio output is available; switching to it"))
      reopenOutput(now: now)
    case .outputOpened(let isSilent): changeOutput { $0.isSilent = isSilent }
    case .outputInUse(let stream, let id): outputInUse(stream, id)
    case .replaced(let hang): pipelineWasReplaced(after: hang, now: now)
    case .warning(let text): emit(.warning(text))
    }
  }
}
