/// What hangs inside GStreamer.
extension PlaybackMachine {
  /// A pipeline that did not answer was left behind; a new one, with nothing loaded, has taken its place.
  mutating func pipelineWasReplaced(after hang: EngineHang, now: MonotonicTime) {
    emit(.warning("\(hang.sentence); it is left behind"))
    performSettings()
    switch hang {
    case .output: outputFailed(PlayerError(.output, hang.sentence), now: now)
    case .tearDown: if phase.isLoaded { loadAgain(at: position(at: now), now: now) }
    case .item: if phase.isReady { fail(PlayerError(.unknown, hang.sentence), now: now) }
    }
  }

  /// The engine did not start within its time: the item is loaded again where its sound has come to, once.
  mutating func startMissed(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token, phase.isReady, loaded.run == .starting, loaded.seek == nil else { return }
    let reached = itemTime(measured, of: stream) ?? position(at: now)
    if let duration = current.details.duration, duration > .zero, reached >= duration {
      return endOfStream(stream, now: now)
    }
    guard !current.hasStartedAgain else { return fail(PlayerError(.unknown, "playback does not start"), now: now) }
    current.hasStartedAgain = true
    emit(.warning("playback did not start; the item is loaded again"))
    // A successor that hangs may hold the start back.
    if let next = awaitedSuccessor { current.unfitSuccessors.insert(next.item.id) }
    loadCurrent(at: reached, now: now)
  }
}
