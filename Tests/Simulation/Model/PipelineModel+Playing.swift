import Playback

/// Starting, pausing and seeking, and the position.
extension PipelineModel {
  // MARK: Starting and pausing

  func setPlaying(_ isPlaying: Bool) {
    if role == .prepared { isHeld = !isPlaying }
    guard isPrerolled else { return }
    if role == .prepared, !isRunning { return hasBegun && isPlaying ? begin() : () }
    if role != .loaded, isPlaying == wantsPlay { return }
    if isPlaying == wantsPlay { world.protocolFault("setPlaying(\(isPlaying)) repeats the present state") }
    wantsPlay = isPlaying
    if isPlaying {
      beginStart()
    } else {
      anchor = (position(at: now), now)
      isRunning = false
      isStarting = false
      replan()
      if streams.first?.isNetwork == true { networkDue() }
    }
  }

  private func beginStart() {
    isStarting = true
    lastChange = now
    let isBlocked = streams.first?.media.fault == .missedStart || isBlockedBySuccessor
    if isBlocked {
      after(3_000_000_000, .startMissed)
    } else {
      after(1_000_000 + delay(behaviour.startDuration), .start)
    }
  }

  /// Whether a successor that hangs while it is opened prevents the start.
  private var isBlockedBySuccessor: Bool {
    streams.count > 1 && !streams[1].isOpen && !streams[1].hasFailed && streams[1].media.fault == .endlessPreroll
  }

  func start() {
    guard isStarting, wantsPlay, !isSeeking, let stream = streams.first else { return }
    guard now >= engine.outputDownUntil else {
      isStarting = false
      return post(failure: .output, of: stream.token)
    }
    guard now >= heldUntil else { return after(heldUntil - now, .start) }
    isStarting = false
    isRunning = true
    lastChange = now
    anchor = (anchor.position, now + Int64(behaviour.startDelay) * 1_000_000)
    if fadesIn, let shape = engine.nextFadeIn {
      fades.append(FadeRamp(in: shape, from: anchor.position, rate: rate))
      (fadesIn, engine.nextFadeIn) = (false, nil)
    }
    let position = stream.hasNothingLeft ? nil : Duration.nanoseconds(anchor.position)
    post(.running(StreamToken(number: stream.token), position: position))
    replan()
    if stream.isNetwork { networkDue() }
  }

  func startMissed() {
    guard isStarting, wantsPlay, !isSeeking, let stream = streams.first else { return }
    post(.startMissed(StreamToken(number: stream.token), position: .nanoseconds(anchor.position)))
    isStarting = false
  }

  // MARK: Seeking

  func seek(to target: Int64, rate newRate: Double, exactly: Bool, until: Int64?) {
    // A successor at the output is that of the decoder: a seek discards the rest of the stream before it.
    if streams.count > 1, streams[1].isAtOutput, streams[1].token == soughtStream { enterNext() }
    // After the end of streams without a sample, the decoder is that of the last one.
    if hasEnded { while streams.count > 1 { enterNext() } }
    guard let stream = streams.first, isPrerolled else {
      world.protocolFault("seek before the preroll")
      return post(.seekRefused(StreamToken(number: 0), position: nil))
    }
    if streams.count > 1 { world.protocolFault("seek while a successor is read lands in the successor") }
    if isSeeking { engine.overlappingSeeks += 1 }
    guard stream.media.isSeekable, !stream.media.isEndless, stream.media.fault != .refusedSeeks else {
      return post(.seekRefused(StreamToken(number: stream.token), position: .nanoseconds(position(at: now))))
    }
    let points = Int64(max(1, stream.media.seekPoints)) * 1_000_000
    let landed = exactly ? target : min(target / points * points, max(0, stream.length - 1))
    // An end that is due may reach the player after the seek has begun.
    if behaviour.lateEnds, isRunning, position(at: now) >= stream.end - 300_000_000 {
      post(.ended(StreamToken(number: stream.token)))
    }
    noteHeard()
    let from = position(at: now)
    rate = newRate
    fades.removeAll(where: \.isIn)
    isRunning = false
    isStarting = false
    hasEnded = false
    isSeeking = true
    seekCount += 1
    anchor = (landed, now)
    streams[0].until = until
    streams[0].isRead = false
    streams[0].base = landed
    // A seek empties the buffer, and requests the rest again.
    if stream.isNetwork {
      streams[0].requested = min(landed, stream.length)
      switch stream.media.server.seekStart {
      case .target: break
      case .parsedEnd:
        streams[0].parsed = max(stream.parsed, min(stream.received, from + Self.parsedAhead))
        streams[0].requested = min(streams[0].requested, streams[0].parsed)
      case .before(let time): streams[0].requested = max(0, streams[0].requested - Int64(time) * 1_000_000)
      }
      streams[0].received = streams[0].requested
      streams[0].reported = streams[0].requested
      streams[0].receivedAt = now
      streams[0].isCut = false
      // The server sends to the new connection.
      streams[0].stallsUntil = 0
      announce()
    }
    plan += 1
    lastChange = now
    let wait = stream.isNetwork ? Int64(stream.media.server.delay) * 1_000_000 : 0
    // Without data at the target, the output is not prerolled.
    let isEndless = stream.media.fault == .endlessSeek || stream.stuckAt.map { landed >= $0 } ?? false
    streams[0].hasRunOut = false
    if !isEndless { after(2_000_000 + wait + delay(behaviour.callDuration), .seekDone) }
  }

  func seekDone() {
    guard isSeeking, let stream = streams.first else { return }
    if stream.isNetwork, now < engine.networkDownUntil { return after(engine.networkDownUntil - now, .seekDone) }
    if stream.isNetwork, stream.media.server.seekStart != .target {
      receiveBurst()
      arrive()
      if streams[0].received < stream.base, !streams[0].isComplete {
        return after(Int64(behaviour.arrivalInterval) * 1_000_000, .seekDone)
      }
    }
    isSeeking = false
    lastChange = now
    anchor = (anchor.position, now)
    receiveBurst()
    post(.settled(StreamToken(number: stream.token), facts(of: streams[0], position: anchor.position)))
    replan()
    if wantsPlay { beginStart() }
    if stream.isNetwork { networkDue() }
  }

  /// The media time that has been parsed ahead of the position: a second at the output, and half a block of the source.
  private static let parsedAhead: Int64 = 1_500_000_000

  /// Receives the data that the server sends at once after a request.
  private func receiveBurst() {
    guard let stream = streams.first, let burst = stream.burst else { return }
    let cut = stream.media.server.cutAt.map { Int64($0) * 1_000_000 } ?? .max
    streams[0].received = max(stream.received, min(stream.requested + burst, stream.length, cut))
    announce()
  }

  /// Returns the position of the output at which the stream has been read to its end.
  private func lastRead(of stream: StreamModel, _ lead: Int) -> Int64 {
    (stream.until.map { min($0, stream.length) } ?? stream.length) - Int64(lead) * 1_000_000
  }

  // MARK: The position

  /// Returns the position of the audible stream.
  func position(at instant: Int64) -> Int64 {
    guard isRunning, let stream = streams.first else { return anchor.position }
    let elapsed = max(0, instant - max(anchor.instant, min(engine.outputStopsUntil, instant)))
    let drifted = elapsed + elapsed / 1_000_000 * Int64(behaviour.drift)
    let advance = rate == 1 ? drifted : Int64(Double(drifted) * rate)
    return max(anchor.position, min(limit(of: stream), anchor.position + advance))
  }

  /// Returns the position that the output reaches without more data.
  private func limit(of stream: StreamModel) -> Int64 {
    stream.isNetwork ? min(stream.end, max(stream.received, stream.assured, anchor.position)) : stream.end
  }

  /// Sets the anchor to the present position, before a change of its limits or its clock.
  func settlePosition() {
    guard isRunning else { return }
    anchor = (position(at: now), max(now, anchor.instant))
  }

  /// Returns the instant at which the audible stream reaches a position.
  func instant(of position: Int64) -> Int64 {
    let way = max(0, position - anchor.position)
    let time = rate == 1 ? way : Int64((Double(way) / rate).rounded(.up))
    let drifted = behaviour.drift == 0 ? time : time - time / 1_000_000 * Int64(behaviour.drift) + 1_000
    return max(now, max(anchor.instant, engine.outputStopsUntil) + drifted)
  }

  /// Computes the next position at which something happens.
  func replan() {
    plan += 1
    noteSilence()
    guard isPrerolled, !isSeeking, let stream = streams.first else { return }
    var due: [Int64] = []
    if !stream.isRead, let lead = behaviour.aboutToFinish, !stream.media.isEndless {
      let read = lastRead(of: stream, lead)
      if position(at: now) >= read {
        if stream.isComplete { due.append(now) }
      } else if isRunning, position(at: now) < limit(of: stream) {
        // At its limit the position stands until more data arrives.
        due.append(instant(of: read))
      }
    }
    if isRunning {
      due += fadesDue.map { instant(of: $0) }
      let isNextDue = streams.count > 1 && streams[1].isDue
      if !hasEnded, stream.isComplete, streams.count == 1 || isNextDue { due.append(instant(of: stream.end)) }
      if let data = stream.stuckAt, !stream.hasRunOut {
        due.append(instant(of: data))
      }
      if let gap = stream.gap {
        let places = [gap.lowerBound, gap.upperBound]
        due += places.filter { $0 > position(at: now) || !stream.hasRunOut }.map { instant(of: $0) }
      }
      if streams.count > 1, streams[1].isOpen, !streams[1].isAtOutput, !streams[1].isSilent {
        due.append(instant(of: stream.end))
      }
      if case .damaged(let time) = stream.media.fault, !stream.hasFailed, Int64(time) * 1_000_000 <= stream.received {
        due.append(instant(of: Int64(time) * 1_000_000))
      }
    }
    // A millisecond at least, because an instant is rounded.
    if let first = due.min() { after(max(1_000_000, first - now), .position(plan)) }
  }

  /// Handles a position that may be due.
  func positionDue() {
    guard let stream = streams.first else { return }
    let position = position(at: now)
    if case .damaged(let time) = stream.media.fault, isRunning, !stream.hasFailed, position >= Int64(time) * 1_000_000 {
      streams[0].hasFailed = true
      post(failure: .corrupt, of: stream.token)
    }
    if !stream.isRead, let lead = behaviour.aboutToFinish, !stream.media.isEndless, stream.isComplete {
      let read = lastRead(of: stream, lead)
      if position >= read { finishReading() }
    }
    if let data = stream.stuckAt, isRunning, !stream.hasRunOut,
      position >= data
    {
      streams[0].hasRunOut = true
      post(.ranOut(StreamToken(number: stream.token), progress(of: streams[0])))
    }
    if let gap = stream.gap, isRunning, !stream.hasRunOut, position < gap.upperBound,
      position >= gap.lowerBound
    {
      streams[0].hasRunOut = true
      if behaviour.reportsGaps { post(.ranOut(StreamToken(number: stream.token), progress(of: streams[0]))) }
    }
    if isRunning { passFades(position) }
    if isRunning { passEnd(position) }
    replan()
  }

  /// Notes since when the output has no sample of the audible stream, and has that checked later.
  private func noteSilence() {
    guard isRunning, let stream = streams.first, !hasEnded else { return silentSince = nil }
    let position = position(at: now)
    let isStuck = stream.stuckAt.map { position >= $0 } ?? false
    let isFar = stream.media.fault == .farEnd && streams.count > 1 && streams[1].isAtOutput && position >= stream.end
    guard isStuck || isFar || stream.gap?.contains(position) == true else { return silentSince = nil }
    guard silentSince == nil else { return }
    silentSince = now
    world.schedule(.call {}, at: now + Checker.longestSilence)
  }

  /// Whether the position of the audible stream advances.
  var isAdvancing: Bool {
    guard isRunning, let stream = streams.first else { return false }
    return position(at: now) < limit(of: stream)
  }
}
