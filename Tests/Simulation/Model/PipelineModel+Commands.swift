import Playback

/// The commands: each is a call that takes some time, and may never return.
extension PipelineModel {
  func receive(_ command: EngineCommand) {
    lastChange = now
    if isEngineStarting {
      if case .load = command, !isStartAwaited {
        isStartAwaited = true
        // The player, which has given the command, receives no event before it returns.
        world.schedule(.call { [self] in if isStartAwaited { world.deliver(.starting(true)) } }, at: now)
      }
      return waiting.append(command)
    }
    if case .setSink = command {
      // Another output does not block.
      if now < outputBlockedUntil { outputStopsUntil = now }
      (outputBlockedUntil, abandonedUntil) = (0, 0)
      return replacePipeline()
    }
    if case .load(_, let stream, _) = command, now < abandonedUntil {
      return post(.failed(stream, PlayerError(code: .output, message: EngineHang.output.sentence)))
    }
    commandCount += 1
    commands.append((commandCount, command))
    switch command {
    case .load, .unload: after(3_000_000_000, .overdue(commandCount))
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
        hang = nil
        busyUntil = length == .max ? .max : now + length
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
    case .load, .unload, .seek, .setPlaying:
      now < outputBlockedUntil ? outputBlockedUntil - now : delay(behaviour.callDuration)
    default: 0
    }
  }

  /// Replaces the whole engine by another one, which starts.
  func replaceEngine() {
    replacePipeline()
    (waiting, isStartAwaited) = ([], false)
    startUntil = now + Int64(behaviour.engineStart) * 1_000_000
    isEngineStarting = startUntil > now
    if isEngineStarting { after(startUntil - now, .started) }
  }

  /// Carries out the commands that have waited for the start of the engine.
  func started() {
    if isStartAwaited { world.deliver(.starting(false)) }
    let commands = waiting
    (waiting, isStartAwaited, isEngineStarting) = ([], false, false)
    for command in commands { receive(command) }
  }

  /// Abandons a pipeline whose call takes too long.
  func overdue(_ number: Int) {
    guard let command = commands.first(where: { $0.number == number })?.command else { return }
    let hang: EngineHang
    switch command {
    case .load, .unload: hang = .tearDown
    default: hang = .item
    }
    let isInOutput = now < outputBlockedUntil
    if isInOutput { abandonedUntil = outputBlockedUntil }
    replacePipeline()
    world.deliver(.replaced(after: isInOutput ? .output : hang))
  }

  /// Replaces the pipeline by an empty one with the default settings; its messages are dropped.
  func replacePipeline() {
    pipeline += 1
    load += 1
    commands = []
    isWorking = false
    busyUntil = 0
    hang = nil
    undelivered = 0
    lastDelivery = now
    lastChange = now
    volume = 1
    isMuted = false
    forwardBuffer = 2_000_000_000
    reset()
    post(.outputOpened(isSilent: isSilent))
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
    awaitsData = false
    hasEnded = false
    anchor = (0, now)
    rate = 1
    plan += 1
    networkTick += 1
  }

  private func carryOut(_ command: EngineCommand) {
    switch command {
    case .load(let uri, let token, _): open(uri, token.number)
    case .unload:
      load += 1
      reset()
    case .setPlaying(let isPlaying): setPlaying(isPlaying)
    case .seek(let target, let rate, let exactly, let until):
      seek(to: target.wholeNanoseconds, rate: rate, exactly: exactly, until: until?.wholeNanoseconds)
    case .endStream(let stream, let time): endStream(stream.number, at: time?.wholeNanoseconds)
    case .withdraw(let stream): withdraw(stream.number)
    case .selectAudioTrack(let track, let stream): selectTrack(track, of: stream.number)
    case .setVolume(let value): volume = value
    case .setMuted(let value): isMuted = value
    case .fade(let direction): if direction == .out, isRunning { post(.fadeOutEnds(in: .nanoseconds(fade))) }
    case .setForwardBuffer(let duration): forwardBuffer = duration?.wholeNanoseconds ?? 2_000_000_000
    case .samplePosition: sample()
    case .setSink, .setTimePitch, .setAudioLanguages, .setLowPowerMode, .setCrossfading, .measureLoudness, .describeStream, .prepare,
      .crossfade, .enter, .leave, .release:
      break
    }
  }

  private func selectTrack(_ track: Int, of stream: UInt64) {
    if let index = streams.firstIndex(where: { $0.token == stream }) {
      streams[index].track = track
    } else {
      selected = (stream, track)
    }
  }

  private func sample() {
    guard isPrerolled, !isSeeking, !streams.isEmpty, streams.count < 2 || !streams[1].isAtOutput else { return }
    settlePosition()
    if streams[0].isNetwork { arrive() }
    let (stream, position) = (streams[0], position(at: now))
    let progress = progress(of: stream)
    if stream.isNetwork { world.publish(progress, of: StreamToken(number: stream.token)) }
    post(.sampled(StreamToken(number: stream.token), position: .nanoseconds(position), progress))
  }

  // MARK: Opening

  private func open(_ uri: String, _ token: UInt64) {
    load += 1
    reset()
    guard now >= outputDownUntil else { return post(failure: .output, of: token) }
    guard let media = world.media(of: uri) else { return post(failure: .notFound, of: token) }
    var stream = StreamModel(token, uri, media)
    stream.receivedAt = now
    if let (number, track) = selected, number == token { stream.track = track }
    selected = nil
    streams = [stream]
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
    if stream.isNetwork, now < networkDownUntil { return after(networkDownUntil - now, .preroll) }
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
    if !stream.media.chapters.isEmpty { post(.chapters(token, chapters(of: stream.media))) }
    replan()
    if stream.isNetwork { networkDue() }
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
    post(.tags(token, tags, about: .stream))
    let tracks = (0..<stream.media.audioTracks).map { _ in AudioTrack() }
    post(.audioTracks(token, tracks, current: min(stream.track, stream.media.audioTracks - 1)))
    if announcesDuration { post(.durationChanged(token, stated(of: stream.media))) }
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
