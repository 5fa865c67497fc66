/// What hangs inside GStreamer.
extension PlaybackMachine {
  /// A pipeline that did not answer was left behind; a new one, with nothing loaded, has taken its place.
  mutating func pipelineWasReplaced(after hang: EngineHang, now: MonotonicTime) {
    emit(.warning("\(hang.sentence); it is left behind"))
    perform(.setVolume(volume))
    perform(.setMuted(isMuted))
    perform(.setForwardBuffer(forwardBuffer))
    perform(.setAudioLanguages(audioLanguages))
    switch hang {
    case .output: outputFailed(PlayerError(.output, hang.sentence), now: now)
    case .tearDown:
      switch load {
      case .loading, .ready: break
      case .none, .parked, .outputLost, .sourceLost: return
      }
      let ticket = start?.ticket
      start?.ticket = nil
      loadCurrent(at: position(at: now), ticket: ticket, now: now)
    case .item: if load == .ready { fail(PlayerError(.unknown, hang.sentence), now: now) }
    }
  }

  /// The engine did not start within its time: the item is loaded again where its sound has come to, once.
  mutating func startMissed(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token, load == .ready, wantsRunning, !isRunning, seek == nil else { return }
    let reached = itemTime(measured, of: stream) ?? position(at: now)
    if let duration = details.duration, duration > .zero, reached >= duration { return endOfStream(stream, now: now) }
    guard !hasStartedAgain else { return fail(PlayerError(.unknown, "playback does not start"), now: now) }
    hasStartedAgain = true
    emit(.warning("playback did not start; the item is loaded again"))
    // A successor that hangs may hold the start back.
    if let next = awaitedSuccessor { unfitToFollow.insert(next.item.id) }
    loadCurrent(at: reached, now: now)
  }
}
