import Playback

/// The commands: each is a call that takes some time, and may never return.
extension PipelineModel {
  func receive(_ command: EngineCommand) {
    lastChange = now
    switch command {
    case .load(_, let stream, _), .prepare(_, let stream, _):
      if now < engine.abandonedUntil {
        return post(.failed(stream, unusable(PlayerError(code: .output, message: EngineHang.output.sentence))))
      }
    default: break
    }
    commandCount += 1
    commands.append((commandCount, command))
    switch command {
    case .load, .unload, .prepare: after(3_000_000_000, .overdue(commandCount))
    case .setPlaying: after(10_000_000_000, .overdue(commandCount))
    case .seek:
      soughtStream = world.player.inspection.stream
      after(10_000_000_000, .overdue(commandCount))
    default: break
    }
    if !isWorking { nextCommand() }
  }

  /// Carries out the commands until one takes some time.
  func nextCommand() {
    isWorking = false
    while !commands.isEmpty {
      if busyUntil > now {
        isWorking = true
        if busyUntil < .max { after(busyUntil - now, .command) }
        return
      }
      let command = commands[0].command
      let length = hang ?? duration(of: command)
      if length > 0, busyUntil != now || hang != nil {
        // The call returns later; its effect is seen then.
        busyUntil = length == .max ? .max : now + length
        if hang != nil { world.noteFault(until: busyUntil) }
        hang = nil
        continue
      }
      busyUntil = 0
      commands.removeFirst()
      lastChange = now
      carryOut(command)
    }
  }

  private func duration(of command: EngineCommand) -> Int64 {
    switch command {
    case .unload where streams.isEmpty: delay(behaviour.callDuration)
    case .load, .unload, .seek, .setPlaying, .prepare:
      now < engine.outputBlockedUntil ? engine.outputBlockedUntil - now : delay(behaviour.callDuration)
    default: 0
    }
  }

  /// Abandons a pipeline whose call takes too long.
  func overdue(_ number: Int) {
    guard let command = commands.first(where: { $0.number == number })?.command else { return }
    let hang: EngineHang
    switch command {
    case .load, .unload: hang = .tearDown
    default: hang = .item
    }
    let isInOutput = now < engine.outputBlockedUntil
    if isInOutput { engine.abandonedUntil = engine.outputBlockedUntil }
    guard role == .loaded else { return engine.abandonSecond(self, isInOutput: isInOutput) }
    engine.replacePipelines()
    world.deliver(.replaced(after: isInOutput ? .output : hang))
  }

  /// Replaces the pipeline by an empty one with the default settings; its messages are dropped.
  func replacePipeline() {
    pipeline = engine.newNumber()
    load += 1
    commands = []
    isWorking = false
    busyUntil = 0
    hang = nil
    undelivered = 0
    lastDelivery = now
    lastChange = now
    (volume, isMuted, forwardBuffer) = (1, false, 2_000_000_000)
    reset()
    post(.outputOpened(isSilent: engine.isSilent))
  }

  /// Releases the media.
  func reset() {
    noteHeard()
    streams = []
    isPrerolled = false
    wantsPlay = false
    isRunning = false
    isSeeking = false
    isStarting = false
    heldUntil = 0
    hasEnded = false
    silentSince = nil
    anchor = (0, now)
    rate = 1
    (fades, second, hasBegun, isHeld) = ([], nil, false, false)
    plan += 1
    networkTick += 1
  }

  private func carryOut(_ command: EngineCommand) {
    switch command {
    case .load(let uri, let token, _), .prepare(let uri, let token, _): open(uri, token.number)
    case .crossfade(let second, let time, let shape): crossfade(to: second, at: time.wholeNanoseconds, shape)
    case .unload:
      load += 1
      reset()
    case .setPlaying(let isPlaying): setPlaying(isPlaying)
    case .seek(let target, let rate, let exactly, let until, let start):
      heldUntil = start?.nanoseconds ?? 0
      seek(to: target.wholeNanoseconds, rate: rate, exactly: exactly, until: until?.wholeNanoseconds)
    case .endStream(let stream, let time): endStream(stream.number, at: time?.wholeNanoseconds)
    case .withdraw(let stream): withdraw(stream.number)
    case .selectAudioTrack(let track, let stream): selectTrack(track, of: stream.number)
    case .setVolume(let value): volume = value
    case .setMuted(let value): isMuted = value
    case .setForwardBuffer(let duration): forwardBuffer = duration?.wholeNanoseconds ?? 2_000_000_000
    case .release(let stream): if streams.first?.token == stream.number || role != .loaded { cancelFade() }
    case .fade(let direction): if direction == .out, isRunning { post(.fadeOutEnds(in: .nanoseconds(fade))) }
    case .samplePosition: sample()
    case .setCrossfading, .setLowPowerMode, .shapeVolume, .setSink, .setTimePitch, .setAudioLanguages, .measureLoudness,
      .describeStream, .enter,
      .leave:
      break
    }
  }

  private func selectTrack(_ track: Int, of stream: UInt64) {
    if let index = streams.firstIndex(where: { $0.token == stream }) {
      streams[index].track = track
    } else {
      engine.selected = (stream, track)
    }
  }

  private func sample() {
    guard isPrerolled, !isSeeking, !streams.isEmpty, streams.count < 2 || !streams[1].isAtOutput else { return }
    settlePosition()
    if streams[0].isNetwork { arrive() }
    let (stream, position) = (streams[0], position(at: now))
    let progress = progress(of: stream)
    if stream.isNetwork, role == .loaded { world.publish(progress, of: StreamToken(number: stream.token)) }
    post(.sampled(StreamToken(number: stream.token), position: .nanoseconds(position), progress))
  }

  // MARK: Opening

  private func open(_ uri: String, _ token: UInt64) {
    load += 1
    reset()
    guard let media = world.media(of: uri) else { return post(failure: .notFound, of: token) }
    var stream = StreamModel(token, uri, media)
    stream.receivedAt = now
    if let (number, track) = engine.selected, number == token { stream.track = track }
    engine.selected = nil
    streams = [stream]
    fadesIn = role == .loaded && engine.nextFadeIn != nil
    switch media.fault {
    case .hangingOpen:
      busyUntil = .max
      isWorking = true
    case .unopenable, .empty, .notMedia:
      after(delay(2 * behaviour.openDuration), .preroll)
    default:
      after(Int64(media.server.delay) * 1_000_000 + delay(behaviour.openDuration), .preroll)
    }
  }

  func preroll() {
    guard let stream = streams.first, !isPrerolled else { return }
    let token = StreamToken(number: stream.token)
    switch stream.media.fault {
    case .unopenable, .empty, .notMedia: return post(failure: stream.openingFailure, of: stream.token)
    case .endlessPreroll: return
    case .lostEnd: return post(failure: .corrupt, of: stream.token)
    case .silent: return prerollSilence()
    default: break
    }
    if stream.isNetwork, now < engine.networkDownUntil { return after(engine.networkDownUntil - now, .preroll) }
    if let code = redirect(stream) { return post(failure: code, of: stream.token) }
    if stream.media.fault == .damaged(at: 0) { return post(failure: stream.openingFailure, of: stream.token) }
    isPrerolled = true
    lastChange = now
    streams[0].isOpen = true
    streams[0].receivedAt = now
    streams[0].received = stream.isNetwork ? min(stream.length, stream.burst ?? 100_000_000) : stream.length
    anchor = (0, now)
    describe(stream, announcesDuration: false)
    if stream.media.length < behaviour.aboutToFinish ?? 0 { finishReading() }
    // The queue after the source fills before the output is prerolled.
    if stream.isNetwork { announce() }
    post(.settled(token, facts(of: streams[0], position: 0)))
    // The first samples of a loaded stream open the output.
    if role == .loaded, !behaviour.opensOutputLate, now < engine.outputDownUntil {
      post(failure: .output, of: stream.token)
    }
    if !stream.media.chapters.isEmpty { post(.chapters(token, chapters(of: stream.media))) }
    replan()
    if stream.isNetwork { networkDue() }
    if hasBegun { begin() }
  }

  /// Follows the redirects of a stream's server; returns the failure if they do not lead to media.
  func redirect(_ stream: StreamModel) -> PlayerError.Code? {
    guard stream.isNetwork else { return nil }
    if let target = stream.redirectedURI { post(.redirected(StreamToken(number: stream.token), to: target)) }
    return switch stream.media.server.redirect {
    case .none, .followed: nil
    case .endless: .tooManyRedirects
    case .refused: .httpError
    }
  }

  /// Sends the tags and tracks of a stream.
  func describe(_ stream: StreamModel, announcesDuration: Bool) {
    let token = StreamToken(number: stream.token)
    var tags = MediaMetadata()
    if stream.media.hasTitle { tags.title = "title" }
    if stream.media.source == .station { tags.organization = "station" }
    tags.album = stream.media.album.map { "album \($0)" }
    post(.tags(token, tags, about: .stream))
    let tracks = (0..<stream.media.audioTracks).map { _ in AudioTrack() }
    post(.audioTracks(token, tracks, current: min(stream.track, stream.media.audioTracks - 1)))
    if announcesDuration { post(.durationChanged(token, stated(of: stream.media))) }
    if stream.media.silence != nil { after(Int64(behaviour.measurement) * 1_000_000, .measured(stream.token)) }
  }

  /// Reports the silence at the end of a stream, whose file has been measured.
  func measured(_ token: UInt64) {
    guard let silence = streams.first(where: { $0.token == token })?.media.silence else { return }
    post(.silenceFound(StreamToken(number: token), from: .milliseconds(silence)))
  }

  func stated(of media: Media) -> Duration? { media.stated.map { .milliseconds($0) } }

  private func chapters(of media: Media) -> [Chapter] { media.chapters.map { Chapter(start: .milliseconds($0)) } }

  func facts(of stream: StreamModel, position: Int64?) -> StreamFacts {
    let isLive = stream.media.source == .live
    return StreamFacts(
      duration: isLive ? nil : stated(of: stream.media), isSeekable: stream.media.isSeekable && !isLive, isLive: isLive,
      position: position.map { .nanoseconds($0) }, progress: progress(of: stream))
  }
}
