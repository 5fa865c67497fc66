/// Recovers from a hang inside the engine.
extension PlaybackMachine {
  /// Continues with an empty engine after its output did not respond.
  mutating func engineWasReplaced(now: MonotonicTime) {
    skipped = nil
    engine.replaced()
    emit(.warning("\(PlayerError.hungOutput.message); its pipeline is abandoned"))
    outputFailed(.hungOutput, now: now)
  }

  /// Loads the item again, once, at the position that its audio has reached, because the engine did not start in time.
  ///
  /// The player may count as running: the report of an earlier start can arrive after a pause and another start.
  mutating func startMissed(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token, phase.isReady, loaded.isWanted, !loaded.isSeeking else { return }
    let reached = itemTime(measured, of: stream) ?? position(at: now)
    if let duration = current.details.duration, duration > .zero, reached >= duration {
      return ended(token, at: nil, now: now)
    }
    guard !current.hasStartedAgain else {
      return fail(PlayerError(code: .unknown, message: "playback did not start after loading the item again"), now: now)
    }
    current.hasStartedAgain = true
    let fault = PlayerError(code: .unknown, message: "playback did not start; loading the item again")
    emit(.warning(fault.message))
    log(fault, .reloading, now: now)
    emitTimeJump(from: position(at: now), to: reached)
    loadCurrent(at: reached, now: now)
  }
}
