import Playback

/// The record of the communication with the engine.
struct EngineRecord {
  var lastStream: UInt64 = 0
  /// The open streams, in the order of their openings.
  var open: [UInt64] = []
  /// The open streams with an opening or a seek that has not ended.
  var unsettled: [UInt64] = []
  var plan: [PlannedPart] = []
  /// Whether a stream was opened or closed since the last plan.
  var hasOtherStreams = false
  var settings: EngineSettings?
  var isPlaying = false
  /// The stream that was audible when a message about another one reached the player, and that message.
  var undisturbed: (stream: UInt64, message: String)?
  /// The streams that were to follow gaplessly, the last ones.
  var gapless: [UInt64] = []
}

extension Checker {
  /// The greatest number of open streams.
  private static let mostStreams = 10

  /// Checks a command of the player against the contract of an engine.
  func engineCommand(_ command: EngineCommand) {
    crossfadeCommand(command)
    processCommand(command)
    checkUndisturbed(command)
    switch command {
    case .open(let request):
      let stream = request.stream.number
      require(.streamsAreNew, stream > engine.lastStream, "\(stream) after \(engine.lastStream)")
      require(.engineProtocol, request.start >= .zero, "a start at \(request.start)")
      engine.lastStream = stream
      engine.open.append(stream)
      engine.unsettled.append(stream)
      engine.hasOtherStreams = true
      require(.openStreamsBounded, engine.open.count <= Self.mostStreams, "\(engine.open) are open")
    case .close(let stream):
      requireOpen(stream, command)
      require(.currentIsNotClosed, stream.number != world.player.internals.stream, "\(stream.number)")
      engine.open.removeAll { $0 == stream.number }
      engine.unsettled.removeAll { $0 == stream.number }
      engine.hasOtherStreams = true
    case .plan(let parts): checkPlan(parts)
    case .seek(let stream, let target, _):
      requireOpen(stream, command)
      require(
        .oneSeekAtATime, !engine.unsettled.contains(stream.number),
        "the seek of \(stream.number) to \(target) comes before the opening or the seek before it has ended")
      require(.engineProtocol, target >= .zero, "a seek to \(target)")
      engine.unsettled.append(stream.number)
    case .settings(let settings):
      require(.engineProtocol, settings != engine.settings, "the settings repeat the present ones")
      require(.engineProtocol, Player.rateRange.contains(settings.rate), "rate \(settings.rate)")
      engine.settings = settings
    case .setPlaying(let isPlaying):
      require(.engineProtocol, isPlaying != engine.isPlaying, "setPlaying(\(isPlaying)) repeats the present state")
      engine.isPlaying = isPlaying
    case .selectAudioTrack(_, let stream): requireOpen(stream, command)
    case .samplePosition(let stream):
      requireOpen(stream, command)
      progress.requested = now
    case .start, .fade, .reopenOutput: break
    }
  }

  private func requireOpen(_ stream: StreamToken, _ command: EngineCommand) {
    require(.engineProtocol, engine.open.contains(stream.number), "\(command), which is not open")
  }

  private func checkPlan(_ parts: [PlannedPart]) {
    require(
      .engineProtocol, parts != engine.plan || engine.hasOtherStreams, "the plan repeats the present one")
    let streams = parts.map(\.stream.number)
    require(.engineProtocol, Set(streams).count == streams.count, "\(streams) are planned")
    for (part, previous) in zip(parts.dropFirst(), parts) where part.join == .gapless && previous.fadeOut == nil {
      engine.gapless = (engine.gapless + [part.stream.number]).suffix(32)
    }
    // A correction ends with its stream.
    if streams.first != engine.plan.first?.stream.number, now > world.model.outputStopsUntil { progress.measured = nil }
    (engine.plan, engine.hasOtherStreams) = (parts, false)
  }

  /// Checks that a message about another stream does not lead to a command that interrupts the audible one.
  private func checkUndisturbed(_ command: EngineCommand) {
    guard let (stream, message) = engine.undisturbed else { return }
    let token = StreamToken(number: stream)
    let isHarmless =
      switch command {
      case .close(token), .seek(token, _, _), .setPlaying(false), .start, .reopenOutput: false
      case .plan(let parts): parts.first?.stream == token
      default: true
      }
    require(.nextIsHarmless, isHarmless, "\(command) after \(message)")
  }

  /// Notes a message that reaches the player.
  func message(_ event: EngineEvent) {
    crossfadeMessage(event)
    noteRequest(event)
    engine.undisturbed = nil
    switch event {
    case .stream(let stream, let report):
      switch report {
      case .settled, .seekRefused: engine.unsettled.removeAll { $0 == stream.number }
      case .failed: engine.unsettled.removeAll { $0 == stream.number }
      // The process may have been suspended since the position was measured.
      case .sampled: if progress.requested > world.resumed { noteMeasurement() }
      default: break
      }
      noteOther(stream, report)
    case .audible(let stream, _):
      position.isMeasured = true
      // A message of the item before may reach the player late.
      if stream.number == world.player.internals.stream { noteMeasurement() } else { progress.measured = nil }
    case .replaced:
      (engine.open, engine.unsettled, engine.plan, engine.isPlaying) = ([], [], [], false)
    // The player has the values of the mixer, and sends others again.
    case .output(.volumeChanged(let volume, let isMuted)):
      engine.settings?.volume = volume
      engine.settings?.isMuted = isMuted
    case .output, .starting, .warning: break
    }
  }

  /// Notes a message about a stream that is open beside the audible one.
  private func noteOther(_ stream: StreamToken, _ report: StreamEvent) {
    let output = world.model.output
    guard let audible = output.current?.deck.token, output.isAdvancing, output.voices.count == 1,
      audible == world.player.internals.stream, engine.plan.first?.stream.number == audible,
      stream.number != audible, world.player.internals.outgoingStream == nil
    else { return }
    if case .ended = report { return }
    engine.undisturbed = (audible, "\(report) of \(stream.number)")
  }

  /// Notes a measurement that the player uses, unless the output still stands.
  private func noteMeasurement() {
    guard progress.measured == nil, now > world.model.outputStopsUntil + 500_000_000 else { return }
    if !world.player.internals.isSeeking { progress.measured = now }
  }

  func checkEngine(_ after: PlayerInternals) {
    engine.undisturbed = nil
    require(.machineParts, after.violations.isEmpty, "\(after.violations)")
    checkStreams(after)
    let model = world.model
    guard model.isCalm, now - progress.disturbed > 2_000_000_000, let settings = model.settings else { return }
    let seen = after.snapshot
    // The player ignores the rounding of a sound server.
    let rounding = 0.005 * max(seen.volume, 0.01)
    require(
      .engineHasSettings, abs(settings.volume - seen.volume) <= rounding,
      "volume \(settings.volume) instead of \(seen.volume)")
    require(.engineHasSettings, settings.isMuted == seen.isMuted, "muted is \(settings.isMuted)")
    if let deck = model.output.current?.deck, deck.token == after.stream, after.isReady,
      let index = seen.audioTrackIndex
    {
      let heard = min(deck.nextTrack, deck.media.audioTracks - 1)
      require(.engineHasSettings, heard == index, "track \(heard) instead of \(index)")
    }
  }

  /// Checks the open streams and the plan after a decision.
  private func checkStreams(_ after: PlayerInternals) {
    for part in engine.plan {
      require(.engineProtocol, engine.open.contains(part.stream.number), "\(part.stream.number) is planned, not open")
    }
    guard !after.isFading else { return }
    let known = [after.stream] + after.successors + [after.outgoingStream, after.skippedStream].compactMap(\.self)
    for stream in engine.open {
      require(.openStreamsHaveReason, known.contains(stream), "\(stream) is open beside \(known)")
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

  func checkResources(_ after: PlayerInternals) {
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
  }
}
