import Playback

/// The record of the communication with the engine.
struct EngineRecord {
  var lastStream: UInt64 = 0
  /// The stream with a seek that has not ended.
  var seekingStream: UInt64?
}

extension Checker {
  /// Checks a command of the player.
  func engineCommand(_ command: EngineCommand) {
    crossfadeCommand(command)
    switch command {
    case .load(_, let stream, _), .prepare(_, let stream, _):
      require(.streamsAreNew, stream.number > engine.lastStream, "\(stream.number) after \(engine.lastStream)")
      engine.lastStream = stream.number
      guard case .load = command else { return }
      engine.seekingStream = nil
      // A correction ends with its stream.
      if now > world.model.outputStopsUntil { progress.measured = 0 }
    case .unload, .setSink: engine.seekingStream = nil
    case .samplePosition: progress.requested = now
    case .seek(let target, let rate, _, let until, _):
      require(.oneSeekAtATime, engine.seekingStream == nil, "the seek to \(target) is a second one")
      require(
        .engineProtocol, target >= .zero && until.map { $0 > .zero } ?? true,
        "a seek to \(target), until \(String(describing: until))")
      require(.engineProtocol, Player.rateRange.contains(rate), "rate \(rate)")
      engine.seekingStream = world.player.inspection.stream
    default: break
    }
  }

  /// Notes a message that reaches the player.
  func message(_ event: EngineEvent) {
    crossfadeMessage(event)
    noteRequest(event)
    switch event {
    case .settled(let stream, _), .seekRefused(let stream, _):
      if stream.number == engine.seekingStream || stream.number == 0 { engine.seekingStream = nil }
    case .replaced: engine.seekingStream = nil
    // The process may have been suspended since the position was measured.
    case .sampled: if progress.requested > world.resumed { noteMeasurement() }
    case .running(let stream, _) where stream.number == world.player.inspection.stream: noteMeasurement()
    // The output has begun the next item while a pause was carried out, and its position is corrected.
    case .running: progress.measured = nil
    default: break
    }
  }

  /// Notes a measurement that the player uses, unless the output still stands.
  private func noteMeasurement() {
    guard progress.measured == nil, now > world.model.outputStopsUntil + 500_000_000 else { return }
    let seen = world.player.inspection
    if seen.successors == 0, !seen.isSeeking { progress.measured = now }
  }

  func offered(_ next: NextStream) {
    require(.streamsAreNew, next.stream.number > engine.lastStream, "\(next.stream.number) after \(engine.lastStream)")
    engine.lastStream = next.stream.number
    fades.lastOffers = Array((fades.lastOffers + [next.stream.number]).suffix(32))
  }

  func checkEngine(_ after: PlayerInspection) {
    require(.machineParts, after.violations.isEmpty, "\(after.violations)")
    let pipeline = world.pipeline
    guard pipeline.isCalm, now - progress.disturbed > 2_000_000_000 else { return }
    let seen = after.snapshot
    // The player ignores the rounding of a sound server.
    let rounding = 0.005 * max(seen.volume, 0.01)
    require(
      .engineHasSettings, abs(pipeline.volume - seen.volume) <= rounding,
      "volume \(pipeline.volume) instead of \(seen.volume)")
    require(.engineHasSettings, pipeline.isMuted == seen.isMuted, "muted is \(pipeline.isMuted)")
    for other in world.model.others where other.isCalm {
      let isSame = abs(other.volume - seen.volume) <= rounding && other.isMuted == seen.isMuted
      require(.engineHasSettings, isSame, "the \(other.role) pipeline has volume \(other.volume)")
    }
    if let stream = pipeline.streams.first, stream.token == after.stream, after.isReady,
      let index = seen.audioTrackIndex
    {
      let heard = min(stream.track, stream.media.audioTracks - 1)
      require(.engineHasSettings, heard == index, "track \(heard) instead of \(index)")
    }
  }

  // MARK: Resources

  /// Notes a wake-up of the player.
  func woke() {
    guard let before, before.snapshot.transport == .paused, before.isReady, !before.isSeeking, !before.isFading else {
      return progress.pausedWakes = 0
    }
    progress.pausedWakes += 1
    require(.pausedSleeps, progress.pausedWakes <= 3, "\(progress.pausedWakes) wake-ups in one pause")
  }

  func checkResources(_ after: PlayerInspection) {
    if isCommand || !events.isEmpty { progress.pausedWakes = 0 }
    if let wake = after.wake {
      if after.snapshot.transport == .stopped {
        require(.stoppedSleeps, after.isFading, "a wake-up in \((wake.nanoseconds - now) / 1_000_000) ms")
      }
    }
    let count = after.observers - world.player.observers.count - 1
    let served = world.service?.checks.playerObservers ?? 0...0
    require(.memoryBounded, served.contains(count), "\(count) observers of the service instead of \(served)")
    // A seek without a caller that awaits its result is pending like the others, and a newer one ends it.
    require(
      .memoryBounded, after.pendingSeeks >= callers.seeks.count && after.pendingSeeks <= 1,
      "\(after.pendingSeeks) seeks of \(callers.seeks.count)")
    require(
      .memoryBounded, after.pendingPreparations <= callers.preparations.count,
      "\(after.pendingPreparations) preparations")
    require(.memoryBounded, after.successors <= 32, "\(after.successors) successors")
  }
}
