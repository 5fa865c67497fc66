import CGst
import Dispatch
import EngineProcess
import Glibc
import Joining
import Playback
import Synchronization

/// Carries out the commands of a player: opens decks, keeps the plan of the audible streams, and reports the events.
///
/// The plan is a list of streams in the order in which they are played: those that fade out, the loaded one, and the ones that
/// follow it. Every change of a stream changes its part of the plan, and the renderer gets the whole plan again.
actor Playout {
  nonisolated let executor: PipelineExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// An open stream.
  private struct Stream {
    /// The meaning of a stream for the player.
    enum Role {
      case loaded
      /// Follows the one before it gaplessly; the player learns of it when it is audible.
      case successor
      /// Waits beside the loaded one for a crossfade, or has begun in it.
      case prepared
      /// Fades out, without the player.
      case leaving
    }

    /// What is decoded of a passage.
    struct Decoded {
      var until = Duration.zero
      /// Whether the media ends there.
      var isComplete = false
    }

    let deck: Deck
    let uri: String
    var role: Role
    var part: Part
    /// The properties that the deck has reported last.
    var facts: StreamFacts?
    /// Whether its opening, or its last seek, has been reported as done.
    var isSettled = false
    /// Whether its passage has ended before that.
    var hasEndedEarly = false
    /// The media time at which the player ends it.
    var end: Duration?
    /// The start of its fade-out, and the shape.
    var crossfade: (start: Duration, shape: CrossfadeShape)?
    var decoded = Decoded()
    /// Whether the stream after it was requested.
    var hasRequested = false
    /// The media time at which its last sample was played.
    var heardEnd: Duration?
    /// Whether this end was reported.
    var hasEnded = false
    /// The gain that was measured before it was opened; its tags take precedence.
    var measuredGain: LoudnessGain?
    var tags = GainTags()
    /// Whether its present part is audible.
    var isHeard = false
    /// The samples before the last seek, until those after it arrive, and the time at which they continue if it is refused.
    var beforeSeek: (passage: Passage, time: Duration, decoded: Decoded)?
    /// The stream that it followed, which the player released, and with which it fades out.
    var leavesWith: StreamToken?
    /// The format in which it begins again for an overlap.
    var converted: PCMFormat?
    /// Whether the data in that format is awaited, whose arrival is not reported.
    var isConverting = false

    /// Whether the present passage was decoded to its end.
    var isRead: Bool { decoded.isComplete || end.map { decoded.until >= $0 } ?? false }
  }

  /// The open decks, for their progress.
  nonisolated let decks = Mutex<[StreamToken: Deck]>([:])
  private var configuration: Player.Configuration
  private let loudness: LoudnessService?
  private var client: EngineClient?
  private var streams: [StreamToken: Stream] = [:]
  /// The streams in the order in which they are played; a prepared one without a crossfade is not among them.
  private var order: [StreamToken] = []
  private var loaded = StreamToken(number: 0)
  private var lastPart: UInt64 = 0
  private var isPlaying = false
  /// Whether the loaded stream waits for the command to play, while another one still sounds.
  private var isHeld = false
  /// Whether the player may crossfade; see ``requestNext()``.
  private var isCrossfading = false
  /// Wakes up when the next stream is to be requested.
  private let requestClock: any PlaybackClock
  private var curves: [StreamToken: VolumeCurve] = [:]
  /// The last selection of an audio track, whose stream may be opened afterwards.
  private var selection: (stream: StreamToken, track: Int)?
  /// The decks that are closed and not released yet.
  private var closing: [Deck] = []
  private var renderer: Renderer?
  private var isClosed = false
  private var control: OutputControl?
  /// The output that was selected instead of the configured one.
  private var sink: String?
  private let sinkMemory = AudioSink.Memory()
  private let sound: OutputSound
  /// Gives up everything, because a call into an output does not return; see ``DeckEngine``.
  private let hangs: @Sendable (_ sink: String?) -> Bool
  private let watchdog = PipelineWatchdog(queue: DispatchClock.queue)
  private var isMuted = false
  private var rate = 1.0
  private let makeClock: () -> any PlaybackClock
  /// Whether the audio was faded out, so that the next item or seek begins with a fade-in.
  private var isFadedOut = false
  /// Whether the present audio is faded out, or fades out.
  private var isSilent = false
  private let title: StreamTitle?
  private var outputInUse = OutputInUse()
  /// The observer of the sound server, while the output is open.
  private var outputWatch: SoundServerWatch?
  /// The search for an output, while none can be opened or the last one has failed.
  private var outputSearch: OutputSearch?
  /// A timer that runs from a change of the output until it is read.
  private let outputTimer: WakeTimer
  private var isOutputChanged = false
  /// The fade of the loaded stream into the next one that is loaded, and its remaining time.
  private var leaving: CrossfadeShape?

  /// The time from a change of the output to its reading: a start and a mixer cause a dozen changes within it.
  private static let readingDelay = Duration.milliseconds(50)
  /// The time for which an item is heard before its successor is requested, while there are crossfades: the player decides
  /// within it whether to open the next item for one.
  private static let requestDelay = Duration.seconds(1)

  init(
    _ executor: PipelineExecutor, _ configuration: Player.Configuration, _ loudness: LoudnessService?,
    _ sound: OutputSound, sink: String?,
    makeClock: @escaping @Sendable (DispatchQueue) -> any PlaybackClock,
    hangs: @escaping @Sendable (_ sink: String?) -> Bool
  ) {
    (self.executor, self.configuration, self.loudness) = (executor, configuration, loudness)
    (self.sound, self.sink, self.hangs) = (sound, sink, hangs)
    title = configuration.application.map { _ in StreamTitle() }
    outputTimer = WakeTimer(queue: executor.queue)
    self.makeClock = { makeClock(executor.queue) }
    requestClock = makeClock(executor.queue)
  }

  func open(_ client: EngineClient) { self.client = client }

  private func report(_ event: EngineEvent) { client?.report(event) }

  // MARK: Commands

  func perform(_ command: EngineCommand) {
    guard !isClosed else { return }
    switch command {
    case .load(let uri, let stream, let headers): load(uri, stream, headers)
    case .unload: unload()
    case .prepare(let uri, let stream, let headers): open(uri, stream, headers, as: .prepared)
    case .setPlaying(let isPlaying): setPlaying(isPlaying)
    case .seek(let target, let rate, let exactly, let end, let instant):
      seek(to: target, rate, exactly: exactly, until: end, startingAt: instant)
    case .endStream(let stream, let time):
      streams[stream]?.end = time
      setPlan()
      requestNext()
    case .withdraw(let stream): withdraw(stream)
    case .selectAudioTrack(let index, let stream):
      selection = (stream, index)
      streams[stream]?.deck.selectAudioTrack(index)
    case .shapeVolume(let curve, let stream):
      curves[stream] = curve
      setPlan(.now)
    case .crossfade(let stream, let time, let shape): crossfade(to: stream, at: time, shape)
    case .enter(let stream): enter(stream)
    case .leave(let stream, let shape): leave(stream, shape)
    case .release(let stream): release(stream)
    case .setVolume(let volume):
      configuration.volume = volume
      setSound()
    case .setMuted(let isMuted):
      self.isMuted = isMuted
      setSound()
    case .fade(let direction): fade(direction)
    case .setSink(let description):
      sink = description
      makeOutput()
    case .setTimePitch(let algorithm): configuration.timePitchAlgorithm = algorithm
    case .setForwardBuffer(let duration): configuration.preferredForwardBufferDuration = duration
    case .setAudioLanguages(let languages): configuration.preferredAudioLanguages = languages
    case .setLowPowerMode(let isEnabled): configuration.isLowPowerModeEnabled = isEnabled
    case .describeStream(let description):
      title?.set(description)
      showTitle()
    case .samplePosition: samplePosition()
    case .setCrossfading(let isOn):
      isCrossfading = isOn
      requestNext()
    // The loudness is announced to its service.
    case .measureLoudness: break
    }
  }

  /// Reports that a stream cannot be loaded, because the output hangs.
  func refuse(_ stream: StreamToken) {
    perform(.unload)
    report(.failed(stream, PlayerError(code: .output, message: EngineHang.output.sentence)))
  }

  private func load(_ uri: String, _ stream: StreamToken, _ headers: HTTPRequestHeaders?) {
    for old in streams.keys where streams[old]?.role != .leaving { close(old) }
    loaded = stream
    rate = 1
    renderer?.assumeIsolated {
      $0.setSpeed(1)
      $0.start(at: nil)
    }
    // An open output plays on, and the stream waits for the command to play.
    isHeld = (isHeld || isPlaying) && renderer?.assumeIsolated { $0.isOpen } == true
    isPlaying = false
    if !isHeld { renderer?.assumeIsolated { $0.setPlaying(false) } }
    open(uri, stream, headers, as: .loaded)
    if let leaving { streams[stream]?.part.join = .fadeIn(scaled(leaving)) }
    order.append(stream)
    setPlan()
    fadeIn()
  }

  /// Begins the next stream or position with a fade-in, or at the full level, if the audio was faded out.
  ///
  /// It follows the change of the plan, which discards samples that were written and are not audible yet.
  private func fadeIn() {
    guard isFadedOut || isSilent else { return }
    isSilent = false
    let (start, time) = isFadedOut ? (0.0, configuration.fade) : (1, .zero)
    renderer?.assumeIsolated { _ = $0.fade(from: start, to: 1, over: time) }
  }

  private func fade(_ direction: FadeDirection) {
    guard configuration.fade > .zero else { return }
    isFadedOut = direction == .out
    if direction != .none { isSilent = isFadedOut }
    let time = configuration.fade
    switch direction {
    case .out:
      let rest = renderer?.assumeIsolated { $0.fade(to: 0, over: time) } ?? .zero
      report(.fadeOutEnds(in: rest))
    case .in: renderer?.assumeIsolated { _ = $0.fade(to: 1, over: time) }
    case .none: break
    }
  }

  private func unload() {
    for stream in Array(streams.keys) { close(stream) }
    renderer?.assumeIsolated { $0.end() }
  }

  private func open(
    _ uri: String, _ stream: StreamToken, _ headers: HTTPRequestHeaders?, track: Int? = nil, as role: Stream.Role
  ) {
    makeRenderer()
    let selected = selection?.stream == stream ? selection?.track : nil
    let request = Deck.Request(uri: uri, stream: stream, headers: headers, audioTrack: selected ?? track)
    let deck = Deck(request, configuration: configuration, verifier: sound.verifier) { [weak self, executor] delivery in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.take(delivery, of: stream) } }
    }
    streams[stream] = Stream(deck: deck, uri: uri, role: role, part: makePart(Passage(stream)))
    decks.withLock { $0[stream] = deck }
    streams[stream]?.measuredGain = loudness?.gain(for: uri, asSuccessor: role == .successor)
    setGain(of: stream)
    loudness?.reportSilence(of: uri) { [weak self, executor] time in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.report(.silenceFound(stream, from: time)) } }
    }
    deck.open()
  }

  private func makePart(_ passage: Passage, from start: Duration = .zero) -> Part {
    lastPart += 1
    return Part(id: Part.ID(lastPart), passage, from: start)
  }

  private func close(_ stream: StreamToken, on thread: DispatchQueue? = nil) {
    guard let old = streams.removeValue(forKey: stream) else { return }
    order.removeAll { $0 == stream }
    curves[stream] = nil
    renderer?.assumeIsolated {
      $0.discard(old.part.passage)
      if let before = old.beforeSeek { $0.discard(before.passage) }
    }
    decks.withLock { _ = $0.removeValue(forKey: stream) }
    closing.removeAll(where: \.isReleased)
    closing.append(old.deck)
    old.deck.close(on: thread)
  }

  private func withdraw(_ stream: StreamToken) {
    guard let place = order.firstIndex(of: stream), streams[stream]?.role == .successor else { return }
    for later in Array(order[place...]) { close(later) }
    setPlan()
  }

  private func setPlaying(_ isPlaying: Bool) {
    self.isPlaying = isPlaying
    // A stream that is played at its end ends again.
    if isPlaying { streams[loaded]?.hasEnded = false }
    if isHeld {
      isHeld = false
      setPlan()
    }
    renderer?.assumeIsolated { $0.setPlaying(isPlaying) }
    requestNext()
  }

  private func seek(
    to target: Duration, _ rate: Double, exactly: Bool, until end: Duration?, startingAt instant: MonotonicTime?
  ) {
    guard var stream = streams[loaded] else { return }
    for later in order where streams[later]?.role == .successor { close(later) }
    self.rate = rate
    let isArriving = stream.beforeSeek != nil
    if !isArriving {
      stream.beforeSeek = (stream.part.passage, position(of: loaded) ?? stream.part.start, stream.decoded)
    }
    if isArriving { renderer?.assumeIsolated { $0.discard(stream.part.passage) } }
    let passage = stream.deck.seek(to: target, exactly: exactly)
    let (old, isHeard) = (stream.part, stream.isHeard)
    // Another seek begins at a sample that may be earlier, and is the first one of its passage.
    stream.part = makePart(passage, from: exactly ? target : .zero)
    (stream.part.gain, stream.part.peak) = (old.gain, old.peak)
    if !isHeard { stream.part.join = old.join }
    (stream.end, stream.isHeard, stream.heardEnd, stream.hasEnded) = (end, false, nil, false)
    (stream.decoded, stream.hasRequested, stream.isSettled, stream.hasEndedEarly) = (
      Stream.Decoded(), false, false, false
    )
    stream.isConverting = false
    streams[loaded] = stream
    setPlan()
    // The samples before the seek are not written at another speed.
    renderer?.assumeIsolated {
      $0.setSpeed(rate)
      $0.start(at: instant)
    }
    fadeIn()
  }

  // MARK: Crossfades

  private func crossfade(to next: StreamToken?, at time: Duration, _ shape: CrossfadeShape) {
    streams[loaded]?.crossfade = (time, shape)
    if next == nil { leaving = shape }
    if let next, streams[next]?.role == .prepared {
      streams[next]?.part.join = .overlap(scaled(shape))
      order.removeAll { $0 == next }
      order.append(next)
    }
    setPlan(.now)
  }

  private func enter(_ stream: StreamToken) {
    guard streams[stream]?.role == .prepared else { return }
    streams[stream]?.role = .loaded
    if loaded != stream, streams[loaded]?.heardEnd != nil {
      // It has ended before this command.
      report(.ended(loaded))
      close(loaded)
    }
    loaded = stream
    // It may have been played to its end, too, which is then reported again.
    setPlan()
    requestNext()
  }

  /// Lets the loaded stream fade out into the one that is loaded next.
  private func leave(_ stream: StreamToken, _ shape: CrossfadeShape) {
    // A gapless successor may have begun.
    let audible = order.last { self.position(of: $0) != nil }
    let time = audible.flatMap { self.position(of: $0) }
    for token in order where token != audible { close(token) }
    leaving = shape
    loaded = StreamToken(number: 0)
    guard let audible, let time else { return close(stream) }
    guard isPlaying else { return close(audible) }
    streams[audible]?.role = .leaving
    streams[audible]?.leavesWith = stream
    let start = time + Output.safety * rate
    streams[audible]?.end = nil
    streams[audible]?.crossfade = (start, shape)
    setPlan(.now)
  }

  /// Returns a shape, whose length is a time of the output, with a length in time of the media.
  private func scaled(_ shape: CrossfadeShape) -> CrossfadeShape {
    CrossfadeShape(length: shape.length * rate, curve: shape.curve)
  }

  private func release(_ stream: StreamToken) {
    let stream = streams.first { $0.value.leavesWith == stream }?.key ?? stream
    guard let role = streams[stream]?.role else { return }
    if stream == loaded {
      streams[stream]?.crossfade = nil
      leaving = nil
    } else if role == .prepared || role == .leaving || role == .loaded {
      close(stream)
      if role == .prepared { streams[loaded]?.crossfade = nil }
    }
    setPlan(.now)
    requestNext()
  }

  private func samplePosition() {
    guard let time = position(of: loaded), let stream = streams[loaded] else { return }
    report(.sampled(loaded, position: time, stream.deck.takeProgress()))
  }

  /// Returns the audible media time of a stream; nil while it does not sound.
  private func position(of stream: StreamToken) -> Duration? {
    guard let part = streams[stream]?.part.id else { return nil }
    return renderer?.assumeIsolated { $0.position(of: part) }
  }

  // MARK: Plan

  private func setPlan(_ edit: Renderer.Edit = .difference) {
    var plan: [Part] = []
    for token in order {
      guard let stream = streams[token] else { continue }
      // It opens the output when it is known to be ready. Those that follow it wait with it.
      if token == loaded, isHeld || stream.facts == nil && !stream.isHeard { break }
      var part = stream.part
      part.end = stream.end
      if let (start, shape) = stream.crossfade {
        let shape = scaled(shape)
        part.end = stream.end.map { min($0, start + shape.length) } ?? start + shape.length
        part.fadeOut = shape
      }
      part.curve = curves[token]
      // An overlap fades the part before it out.
      if case .overlap = part.join, !plan.isEmpty { plan[plan.count - 1].fadeOut = nil }
      plan.append(part)
    }
    renderer?.assumeIsolated { $0.setPlan(plan, from: edit) }
    convert()
  }

  /// Lets the next stream begin again in the format of the one before, if both are to overlap in one output.
  private func convert() {
    guard let (passage, format) = renderer?.assumeIsolated({ $0.conversion }), var stream = streams[passage.stream],
      !stream.isHeard, stream.facts?.isSeekable == true, stream.converted != format
    else { return }
    renderer?.assumeIsolated { $0.discard(passage) }
    stream.part.passage = stream.deck.seek(to: stream.part.start, exactly: true, as: format)
    (stream.converted, stream.isConverting, stream.decoded) = (format, true, Stream.Decoded())
    streams[passage.stream] = stream
    setPlan()
  }

  // MARK: Decks

  private func take(_ delivery: Deck.Delivery, of token: StreamToken) {
    // A closed stream may not respond.
    if case .event(.warning(let text)) = delivery { return report(.warning(text)) }
    guard let stream = streams[token] else { return }
    switch delivery {
    case .block(let block):
      // The samples before a seek are kept until it has succeeded.
      if block.passage == stream.beforeSeek?.passage {
        renderer?.assumeIsolated { _ = $0.append(block) }
        streams[token]?.beforeSeek?.decoded.until = block.format.time(at: block.end)
      }
      guard block.passage == stream.part.passage else { return }
      forgetBeforeSeek(token)
      renderer?.assumeIsolated { _ = $0.append(block) }
      if !stream.isHeard { convert() }
      streams[token]?.decoded.until = block.format.time(at: block.end)
      requestNext()
    case .ended(let passage):
      if passage == stream.beforeSeek?.passage {
        renderer?.assumeIsolated { $0.finish(passage) }
        streams[token]?.beforeSeek?.decoded.isComplete = true
      }
      guard passage == stream.part.passage else { return }
      forgetBeforeSeek(token)
      // The end is reported after the seek.
      guard stream.isSettled else {
        streams[token]?.hasEndedEarly = true
        return
      }
      finish(token)
    case .refused(let passage): refused(passage, of: token)
    case .loudness(let tags):
      streams[token]?.tags.add(tags)
      setGain(of: token)
    case .event(.songEnded):
      streams[token]?.tags = GainTags()
      setGain(of: token)
      report(.songEnded(token))
    case .event(let event): take(event, of: token)
    }
  }

  /// Notes that the present passage of a stream is decoded to the end of its media.
  private func finish(_ token: StreamToken) {
    guard let passage = streams[token]?.part.passage else { return }
    streams[token]?.hasEndedEarly = false
    streams[token]?.decoded.isComplete = true
    renderer?.assumeIsolated { $0.finish(passage) }
    requestNext()
  }

  private func forgetBeforeSeek(_ token: StreamToken) {
    guard let before = streams[token]?.beforeSeek.take() else { return }
    renderer?.assumeIsolated { $0.discard(before.passage) }
  }

  /// Continues with the samples before a seek.
  private func refused(_ passage: Passage, of token: StreamToken) {
    guard let stream = streams[token], stream.part.passage == passage, let before = stream.beforeSeek else { return }
    var part = makePart(before.passage, from: before.time)
    (part.gain, part.peak) = (stream.part.gain, stream.part.peak)
    streams[token]?.part = part
    streams[token]?.decoded = before.decoded
    streams[token]?.beforeSeek = nil
    setPlan()
  }

  /// Sets the gain by the tags of a stream, or else the measured one.
  private func setGain(of token: StreamToken) {
    guard let setting = configuration.replayGain, let stream = streams[token] else { return }
    var part = stream.part
    (part.gain, part.peak) = (1, 1)
    if let loudness = stream.tags.gain(setting.mode) ?? stream.measuredGain {
      part.peak = max(loudness.peak, 1e-6)
      part.gain = pow(10, (loudness.gain + setting.preAmp) / 20)
      if setting.preventsClipping { part.gain = min(part.gain, 1 / part.peak) }
    }
    guard part != stream.part else { return }
    streams[token]?.part = part
    setPlan(.now)
  }

  private func take(_ event: EngineEvent, of token: StreamToken) {
    switch event {
    case .settled(_, let facts):
      guard let stream = streams[token] else { return }
      streams[token]?.facts = facts
      streams[token]?.isSettled = true
      streams[token]?.isConverting = false
      if stream.role != .successor, !stream.isConverting { report(event) }
      if stream.facts == nil, token == loaded { setPlan() }
      if streams[token]?.hasEndedEarly == true { finish(token) }
      if !stream.isHeard { convert() }
      requestNext()
    case .seekRefused:
      streams[token]?.isSettled = true
      report(event)
      if streams[token]?.hasEndedEarly == true { finish(token) }
      requestNext()
    default: report(event)
    }
  }

  /// Requests the stream after the last one, if that one has been decoded to its end.
  ///
  /// The player decides by what it knows of both streams, and is asked only once:
  ///
  /// - A stream that is not ready, and one that is prepared for a crossfade, are waited for.
  /// - A stream that begins with a crossfade has a successor when the player has entered it.
  /// - While there are crossfades, the player first has time to open the next stream for one.
  private func requestNext() {
    guard let token = order.last, let stream = streams[token], stream.isRead, !stream.hasRequested, stream.isSettled,
      stream.role == .loaded || stream.role == .successor,
      !streams.values.contains(where: { $0.role == .prepared && $0.facts == nil })
    else { return }
    if isCrossfading {
      guard token == loaded, isPlaying, let position = position(of: token) else { return }
      let delay = min(Self.requestDelay, (stream.decoded.until - stream.part.start) / 2)
      let rest = stream.part.start + delay - position
      guard rest <= .zero else {
        requestClock.setWake(at: requestClock.now + rest / rate + .milliseconds(1)) { [weak self, executor] in
          executor.queue.async { [weak self] in self?.assumeIsolated { $0.requestNext() } }
        }
        return
      }
    }
    streams[token]?.hasRequested = true
    guard let next = client?.nextStream(token) else { return }
    open(next.uri, next.stream, next.headers, track: next.audioTrack, as: .successor)
    streams[next.stream]?.end = next.end
    order.append(next.stream)
    setPlan()
  }

  // MARK: Output

  /// Makes the output, unless there is one.
  func makeRenderer() {
    // An output that could not be made may be available now.
    if renderer != nil, control == nil { return makeOutput() }
    guard renderer == nil, let format = PCMFormat(.int16, rate: 44_100, channels: 2) else { return }
    let renderer = Renderer(executor, format, clock: makeClock(), startLimit: configuration.pipelineTimeout) {
      [weak self, executor] event in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.take(event) } }
    }
    self.renderer = renderer
    makeOutput()
  }

  private func makeOutput() {
    guard renderer != nil else { return }
    outputWatch = nil
    let made = makeControl()
    control = try? made.get()
    if case .failure(let error) = made {
      // The first load tries again.
      if loaded.number > 0 { report(.failed(loaded, error)) }
      return
    }
    guard let control else { return }
    report(.outputOpened(isSilent: control.choice.isSilent))
    if control.choice.isSilent { report(.warning("no audio output can be opened; playing silently")) }
    setSound()
  }

  private func makeControl() -> Result<OutputControl, PlayerError> {
    let (settings, isMuted, memory, title, sound) = (configuration, isMuted, sinkMemory, title, sound)
    let limit = CallLimit(watchdog, configuration.pipelineTimeout) { [hangs, sink] in hangs(sink) }
    let description = sink ?? configuration.audioSink
    let opened: @Sendable () -> Void = { [weak self, executor] in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.streamOpened() } }
    }
    let result = renderer?.assumeIsolated { renderer in
      Result<OutputControl, PlayerError> { () throws(PlayerError) in
        try GStreamer.initialize()
        let choice =
          if let description { try AudioSink.make(description, for: settings.application) } else {
            try AudioSink.best(memory, isShort: sound.mix != nil, for: settings.application)
          }
        let filter = try SoundFilter(settings, sinkHasVolume: choice.hasVolume, isStereo: sound.mix != nil)
        sound.attach(to: choice)
        unsafe PipeWirePool.activate(in: choice.element)
        unsafe PulseFormats.answerQueries(of: choice.element)
        let control = OutputControl(choice, filter, limit, volume: settings.volume, isMuted: isMuted, opened: opened)
        try renderer.setOutput { report throws(PlayerError) in
          try Output(
            choice, filter: unsafe ObjectReference(filter.bin), isShowingTitle: title != nil, limit: limit,
            report: report)
        }
        return control
      }
    }
    return result ?? .failure(PlayerError(code: .output, message: "the player is closed"))
  }

  private func setSound() {
    control?.set(volume: configuration.volume, isMuted: isMuted)
  }

  private func streamOpened() {
    showTitle(isNewStream: true)
    outputChanged()
  }

  private func showTitle(isNewStream: Bool = false) {
    if let title { control?.show(title, isNewStream: isNewStream) }
  }

  /// Reads the volume and the device of the output soon.
  private func outputChanged() {
    guard !isOutputChanged else { return }
    isOutputChanged = true
    outputTimer.set(.now + Self.readingDelay) { [weak self] in self?.assumeIsolated { $0.readOutput() } }
  }

  private func readOutput() {
    isOutputChanged = false
    outputTimer.set(nil) {}
    guard let control, renderer?.assumeIsolated({ $0.isOpen }) == true else { return }
    if let (volume, muted) = control.sound,
      abs(volume - configuration.volume) > 0.005 * max(configuration.volume, 0.01) || muted != isMuted
    {
      (configuration.volume, isMuted) = (volume, muted)
      control.note(volume: volume, isMuted: muted)
      report(.outputVolumeChanged(volume: volume, isMuted: muted))
    }
    guard let device = control.device else { return }
    if !device.isEmpty {
      outputInUse.recordDevice(on: device, now: .now)
      report(.outputInUse(loaded, device))
    }
    guard outputWatch == nil else { return }
    outputWatch = SoundServerWatch { [weak self, executor] event in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.serverReported(event) } }
    }
  }

  private func serverReported(_ event: SoundServerWatch.Event) {
    switch event {
    case .listed(let ids):
      if let id = outputInUse.missing(among: ids, now: .now) { report(.outputRemoved(id)) }
    case .removed(let id):
      if outputInUse.isInUse(id, now: .now) { report(.outputRemoved(id)) }
      resumeOutput()
    case .suspended(let id):
      if isPlaying, outputInUse.isInUse(id, now: .now) { renderer?.assumeIsolated { $0.suspend() } }
    case .streamChanged: outputChanged()
    // Another device may be used, and without a server the failure is reported.
    case .resumed, .added, .ended: resumeOutput()
    }
  }

  private func resumeOutput() { renderer?.assumeIsolated { $0.resume() } }

  private func outputFailed(_ error: PlayerError) {
    outputWatch = nil
    report(.failed(loaded, error))
    guard let control, configuration.audioSink == nil, sink == nil, !control.choice.isServed else { return }
    searchOutput(excluding: control.choice.factory)
  }

  private func searchOutput(excluding failed: String?) {
    outputSearch = OutputSearch(sinkMemory, excluding: failed) { [weak self, executor] in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.outputFound() } }
    }
  }

  private func outputFound() {
    guard outputSearch != nil else { return }
    outputSearch = nil
    report(.outputFound)
  }

  private func take(_ event: Renderer.Event) {
    switch event {
    case .began(let part, let time): began(part, at: time)
    case .ended(let part, let time): if let token = token(of: part) { ended(token, at: time) }
    case .playing:
      if let stream = streams[loaded], stream.isHeard, stream.heardEnd == nil { reportRunning() }
      showTitle()
      outputChanged()
      if control?.choice.isSilent == true, outputSearch == nil { searchOutput(excluding: nil) }
    case .startMissed: report(.startMissed(loaded, position: position(of: loaded)))
    case .used(let passage, let frame): streams[passage.stream]?.deck.advance(passage, to: frame)
    case .playedOut:
      guard order.last == loaded, let stream = streams[loaded], let end = stream.heardEnd, !stream.hasEnded else {
        return
      }
      streams[loaded]?.hasEnded = true
      report(.endFound(loaded, at: end))
      report(.ended(loaded))
    case .dry(let passage):
      if passage.stream == loaded, let stream = streams[loaded] { report(.ranOut(loaded, stream.deck.progress)) }
    case .resumed: break
    case .failed(let error): outputFailed(error)
    case .warning(let text): report(.warning(text))
    case .pauseRequested: report(.pauseRequested)
    case .resumeRequested: report(.resumeRequested)
    }
  }

  private func token(of part: Part.ID) -> StreamToken? { streams.first { $0.value.part.id == part }?.key }

  private func began(_ part: Part.ID, at time: Duration) {
    guard let token = token(of: part) else { return }
    streams[token]?.isHeard = true
    if token == loaded { leaving = nil }
    defer { requestNext() }
    guard token != loaded else { return reportRunning() }
    guard let stream = streams[token], let place = order.firstIndex(of: token), place > 0 else { return }
    let end = streams[order[place - 1]]?.heardEnd
    var facts = stream.facts ?? StreamFacts()
    facts.position = time
    if stream.role == .successor {
      for old in order[..<place] where streams[old]?.role != .leaving { close(old) }
      loaded = token
      streams[token]?.role = .loaded
      // The player may not have known enough of it before.
      streams[token]?.hasRequested = false
    }
    report(.nextStarted(token, in: .zero, facts, previousEnd: end))
  }

  /// Notes that the last sample of a stream was played.
  private func ended(_ token: StreamToken, at time: Duration) {
    streams[token]?.heardEnd = time
    switch streams[token]?.role {
    case .leaving: close(token)
    case .loaded where token != loaded:
      // It has faded out behind the stream that was entered.
      report(.ended(token))
      close(token)
    default: break
    }
  }

  private func reportRunning() {
    report(.running(loaded, position: position(of: loaded)))
  }

  // MARK: End

  /// Closes everything, and returns the decks that are not released yet.
  func close() -> [Deck] {
    isClosed = true
    client = nil
    renderer?.assumeIsolated { try? $0.setOutput(nil) }
    // The loaded one needs no further thread: a program may close many players at once.
    for stream in Array(streams.keys) { close(stream, on: stream == loaded ? executor.queue : nil) }
    return closing
  }
}
