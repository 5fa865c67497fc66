/// Recovers from a hang inside the engine.
extension PlaybackMachine {
  /// Continues with an empty engine after a part of it that did not respond was abandoned.
  mutating func engineWasReplaced(after hang: EngineHang, now: MonotonicTime) {
    skipped = nil
    if case .process(let end) = hang {
      engine.replaced(after: end.newestStream)
      return engineEnded(end, now: now)
    }
    engine.replaced()
    emit(.warning("\(hang.sentence); its pipeline is abandoned"))
    switch hang {
    case .output: outputFailed(PlayerError(code: .output, message: hang.sentence), now: now)
    case .item where phase.isReady: fail(PlayerError(code: .unknown, message: hang.sentence), now: now)
    case .tearDown, .item, .process:
      // While an item is loaded, the call was for the item before; the load was queued behind it.
      guard phase.isLoaded else { return }
      log(PlayerError(code: .unknown, message: hang.sentence), .reloading, now: now)
      loadAgain(at: position(at: now), now: now)
      emit(.changed)
    }
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
    emit(.changed)
  }
}
