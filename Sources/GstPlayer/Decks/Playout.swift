import CGst
import Dispatch
import EngineProcess
import Glibc
import Joining
import Playback
import Synchronization

/// Carries out the commands of a player: opens decks, plays the plan, and reports the events.
///
/// The plan is a list of parts of open streams. Every change of the plan or of one of its streams changes the parts of the
/// renderer, which gets all of them again.
actor Playout {
  nonisolated let executor: PipelineExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// An open stream.
  private struct Stream {
    /// What is decoded of a passage.
    struct Decoded {
      var until = Duration.zero
      /// Whether the media ends there.
      var isComplete = false
    }

    let deck: Deck
    let inbox: Inbox
    /// Its part, without what the plan says about it.
    var part: Part
    /// Whether this part continues one that was audible, and joins without a fade.
    var isContinued = false
    /// The properties that the deck has reported last.
    var facts: StreamFacts?
    /// Whether the deck has refused to begin at the start of the request.
    var isStartRefused = false
    /// Whether its opening, or its last seek, has been reported as done.
    var isSettled = false
    /// Whether its passage has ended before that.
    var hasEndedEarly = false
    var decoded = Decoded()
    /// Whether all of its part was reported as decoded.
    var isReadReported = false
    /// Whether its present part is audible, or was.
    var isHeard = false
    /// The media time at which its last sample was played.
    var heardEnd: Duration?
    /// Whether its end was reported.
    var isEndReported = false
    /// The media time at which it has faded out for good.
    var fadeEnd: Duration?
    var tags = GainTags()
    /// The samples before the last seek, until those after it arrive, and the time at which they continue if it is refused.
    var beforeSeek: (passage: Passage, time: Duration, decoded: Decoded)?
    /// The format in which it begins again for an overlap.
    var converted: PCMFormat?
    /// Whether it begins again without a command, which is not reported.
    var isRestarting = false

    /// Begins another part, which is not audible yet.
    mutating func begin(_ new: Part) {
      let old = part
      part = new
      (part.gain, part.peak) = (old.gain, old.peak)
      (isHeard, heardEnd, isEndReported, isContinued) = (false, nil, false, false)
    }

    /// Whether its part has samples after those that were heard, of which it has been played to its end.
    func isExtended(to end: Duration?) -> Bool {
      guard let heardEnd else { return false }
      let ends = [end, decoded.isComplete ? decoded.until : nil].compactMap(\.self)
      return ends.allSatisfy { $0 > heardEnd + Playout.leastExtension }
    }
  }

  /// The open decks, for their progress.
  nonisolated let decks = Mutex<[StreamToken: Deck]>([:])
  private let base: Player.Configuration
  private var settings: EngineSettings
  private var client: EngineClient?
  private var streams: [StreamToken: Stream] = [:]
  private var plan: [PlannedPart] = []
  /// The last part that the renderer has.
  private var last: Part.ID?
  private var lastID: UInt64 = 0
  private var isPlaying = false
  /// The decks that are closed and not released yet.
  private var closing: [Deck] = []
  private var renderer: Renderer?
  private var isClosed = false
  private var control: OutputControl?
  private let sinkMemory = AudioSink.Memory()
  private let sound: OutputSound
  /// Gives up everything, because a call into an output does not return; see ``DeckEngine``.
  private let hangs: @Sendable (_ sink: String?) -> Bool
  private let watchdog = PipelineWatchdog(queue: DispatchClock.queue)
  private let makeClock: () -> any PlaybackClock
  /// Whether the audio was faded out, so that the next stream or seek begins with a fade-in.
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

  /// The time from a change of the output to its reading: a start and a mixer cause a dozen changes within it.
  private static let readingDelay = Duration.milliseconds(50)
  /// The least extension of a part that has ended; a shorter one may be the rest of its last frame.
  private static let leastExtension = Duration.milliseconds(1)

  init(
    _ executor: PipelineExecutor, _ configuration: Player.Configuration, _ settings: EngineSettings,
    _ sound: OutputSound,
    makeClock: @escaping @Sendable (DispatchQueue) -> any PlaybackClock,
    hangs: @escaping @Sendable (_ sink: String?) -> Bool
  ) {
    (self.executor, base, self.settings) = (executor, configuration, settings)
    (self.sound, self.hangs) = (sound, hangs)
    title = configuration.application.map { _ in StreamTitle() }
    outputTimer = WakeTimer(queue: executor.queue)
    self.makeClock = { makeClock(executor.queue) }
    if let description = settings.description { title?.set(description) }
  }

  func open(_ client: EngineClient) { self.client = client }

  private func report(_ event: EngineEvent) { client?.report(event) }

  /// The configuration with the present settings.
  private var configuration: Player.Configuration {
    var configuration = base
    configuration.volume = settings.volume
    configuration.timePitchAlgorithm = settings.timePitch
    configuration.preferredForwardBufferDuration = settings.forwardBuffer
    configuration.preferredAudioLanguages = settings.audioLanguages
    configuration.isLowPowerModeEnabled = settings.isLowPowerModeEnabled
    return configuration
  }

  // MARK: Commands

  func perform(_ command: EngineCommand) {
    guard !isClosed else { return }
    switch command {
    case .open(let request): open(request)
    // A plan without it follows.
    case .close(let stream): close(stream)
    case .seek(let stream, let target, let exactly): seek(stream, to: target, exactly: exactly)
    case .plan(let plan): replacePlan(with: plan)
    case .settings(let settings): apply(settings)
    case .setPlaying(let isPlaying): setPlaying(isPlaying)
    case .start(let instant): start(at: instant)
    case .selectAudioTrack(let index, let stream): streams[stream]?.deck.selectAudioTrack(index)
    case .fade(let direction): fade(direction)
    case .reopenOutput: makeOutput()
    case .samplePosition(let stream): samplePosition(of: stream)
    }
  }

  /// Reports that no stream can be opened, because the output hangs.
  func refuse() {
    report(.output(.failed(PlayerError(code: .output, message: EngineHang.output.sentence))))
  }

  private func apply(_ new: EngineSettings) {
    let old = settings
    settings = new
    if new.rate != old.rate {
      renderer?.assumeIsolated { $0.setSpeed(new.rate) }
      // The lengths of fades are times of the output.
      setPlan()
    }
    if new.description != old.description, let description = new.description {
      title?.set(description)
      showTitle()
    }
    if new.sink != old.sink || new.timePitch != old.timePitch {
      makeOutput()
    } else if new.volume != old.volume || new.isMuted != old.isMuted {
      setSound()
    }
  }

  private func setPlaying(_ isPlaying: Bool) {
    self.isPlaying = isPlaying
    // A part that is played at its end ends again.
    if isPlaying, let stream = streams.first(where: { $0.value.part.id == last })?.key {
      streams[stream]?.isEndReported = false
    }
    renderer?.assumeIsolated { $0.setPlaying(isPlaying) }
  }

  /// Lets the audible part, or the next one, continue at an instant.
  private func start(at instant: MonotonicTime?) {
    // Another part, whose start is reported when it is audible, and not when the output begins.
    if instant != nil, let stream = audible, let position = position(of: stream) { playOn(stream, from: position) }
    let parts = makeParts()
    renderer?.assumeIsolated { $0.start(at: instant, parts) }
  }

  private func samplePosition(of token: StreamToken) {
    guard let time = position(of: token), let stream = streams[token] else { return }
    report(.stream(token, .sampled(position: time, stream.deck.takeProgress())))
  }

  /// Begins the next stream or position with a fade-in, or at the full level, if the audio was faded out.
  ///
  /// It follows the change of the plan, which discards samples that were written and are not audible yet.
  private func fadeIn() {
    guard isFadedOut || isSilent else { return }
    isSilent = false
    let (start, time) = isFadedOut ? (0.0, base.fade) : (1, .zero)
    renderer?.assumeIsolated { _ = $0.fade(from: start, to: 1, over: time) }
  }

  private func fade(_ direction: FadeDirection) {
    guard base.fade > .zero else { return }
    isFadedOut = direction == .out
    if direction != .none { isSilent = isFadedOut }
    let time = base.fade
    switch direction {
    case .out:
      let rest = renderer?.assumeIsolated { $0.fade(to: 0, over: time) } ?? .zero
      report(.output(.fadeOutEnds(in: rest)))
    case .in: renderer?.assumeIsolated { _ = $0.fade(to: 1, over: time) }
    case .none: break
    }
  }

  // MARK: Streams

  private func open(_ request: StreamRequest) {
    let token = request.stream
    guard streams[token] == nil else { return }
    let asked = Deck.Request(
      uri: request.uri, stream: token, headers: request.headers, audioTrack: request.audioTrack,
      start: request.start > .zero ? request.start : nil)
    let inbox = Inbox { [weak self, executor] inbox in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.take(inbox.take(), of: token) } }
    }
    let deck = Deck(asked, configuration: configuration, verifier: sound.verifier) { inbox.put($0) }
    streams[token] = Stream(deck: deck, inbox: inbox, part: makePart(Passage(token), from: request.start))
    decks.withLock { $0[token] = deck }
    makeRenderer()
    deck.open()
  }

  private func makePart(_ passage: Passage, from start: Duration) -> Part {
    lastID += 1
    return Part(id: Part.ID(lastID), passage, from: start)
  }

  private func close(_ token: StreamToken, on thread: DispatchQueue? = nil) {
    guard let old = streams.removeValue(forKey: token) else { return }
    renderer?.assumeIsolated {
      $0.discard(old.part.passage)
      if let before = old.beforeSeek { $0.discard(before.passage) }
    }
    decks.withLock { _ = $0.removeValue(forKey: token) }
    closing.removeAll(where: \.isReleased)
    closing.append(old.deck)
    old.deck.close(on: thread)
  }

  private func seek(_ token: StreamToken, to target: Duration, exactly: Bool) {
    guard var stream = streams[token] else { return }
    let isCurrent = token == current
    if stream.beforeSeek == nil {
      stream.beforeSeek = (stream.part.passage, position(of: token) ?? stream.part.start, stream.decoded)
    } else {
      renderer?.assumeIsolated { $0.discard(stream.part.passage) }
    }
    let passage = stream.deck.seek(to: target, exactly: exactly)
    // Another seek begins at a sample that may be earlier, and is the first one of its passage.
    stream.begin(makePart(passage, from: exactly ? target : .zero))
    (stream.decoded, stream.isReadReported) = (Stream.Decoded(), false)
    (stream.isSettled, stream.hasEndedEarly, stream.isRestarting, stream.converted) = (false, false, false, nil)
    streams[token] = stream
    // What was audible after it follows it again.
    for later in plan.drop(while: { $0.stream != token }).dropFirst() where streams[later.stream]?.isHeard == true {
      restart(later.stream)
    }
    setPlan()
    guard isCurrent else { return }
    let parts = makeParts()
    renderer?.assumeIsolated { $0.start(at: nil, parts) }
    fadeIn()
  }

  /// Lets a stream begin again at its start, in a format, or in that of its decoder.
  private func restart(_ token: StreamToken, as format: PCMFormat? = nil) {
    guard var stream = streams[token], stream.facts?.isSeekable == true else { return }
    renderer?.assumeIsolated { $0.discard(stream.part.passage) }
    let passage = stream.deck.seek(to: stream.part.start, exactly: true, as: format)
    stream.begin(makePart(passage, from: stream.part.start))
    (stream.converted, stream.isRestarting, stream.decoded) = (format, true, Stream.Decoded())
    streams[token] = stream
  }

  /// Lets a stream continue at a time of its present passage, as another part.
  private func playOn(_ token: StreamToken, from time: Duration) {
    guard let passage = streams[token]?.part.passage else { return }
    streams[token]?.begin(makePart(passage, from: time))
    streams[token]?.isContinued = true
  }

  // MARK: Plan

  /// The part that is audible; of two that overlap, the later one.
  private var audible: StreamToken? {
    plan.last { $0.fadeOut == nil && isAudible($0.stream) }?.stream
  }

  /// The part that is audible, or the next one that will be.
  private var current: StreamToken? { audible ?? plan.first { $0.fadeOut == nil }?.stream }

  /// Returns the audible media time of a stream; nil while it does not sound.
  private func position(of token: StreamToken) -> Duration? {
    guard let part = streams[token]?.part.id else { return nil }
    return renderer?.assumeIsolated { $0.position(of: part) }
  }

  private func replacePlan(with new: [PlannedPart]) {
    let old = plan
    for part in new {
      if let end = old.first(where: { $0.stream == part.stream })?.end, part.end.map({ $0 > end }) ?? true {
        streams[part.stream]?.isReadReported = false
      }
      fadeOut(part)
    }
    plan = new.filter { $0.fadeOut == nil || streams[$0.stream]?.fadeEnd != nil }
    if plan.isEmpty, streams.isEmpty {
      last = nil
      renderer?.assumeIsolated { $0.end() }
      return
    }
    for part in plan { updateGain(of: part.stream) }
    extend()
    setPlan(old.compactMap(\.shaped) == plan.compactMap(\.shaped) ? .difference : .now)
    for part in plan { noteRead(part.stream) }
    if let first = plan.first?.stream, first != old.first?.stream, streams[first]?.isHeard == false { fadeIn() }
  }

  /// Lets a part fade out from the audible sample on; one that is not audible has ended.
  private func fadeOut(_ part: PlannedPart) {
    let token = part.stream
    guard let stream = streams[token] else { return }
    guard let shape = part.fadeOut else {
      streams[token]?.fadeEnd = nil
      return
    }
    guard stream.fadeEnd == nil else { return }
    let position = position(of: token)
    if isPlaying, let position {
      streams[token]?.fadeEnd = position + (Output.safety + shape.length) * settings.rate
    } else if !stream.isEndReported {
      streams[token]?.isEndReported = true
      report(.stream(token, .ended(at: position)))
    }
  }

  /// Lets a part that was played to its former end play on, unless a later one is audible.
  private func extend() {
    for (index, part) in plan.enumerated() where part.fadeOut == nil {
      guard let stream = streams[part.stream], let end = stream.heardEnd, stream.isExtended(to: part.end),
        !plan.dropFirst(index + 1).contains(where: { streams[$0.stream]?.isHeard == true })
      else { continue }
      playOn(part.stream, from: end)
    }
  }

  /// Returns the parts that can be played, for the renderer.
  private func makeParts() -> [Part] {
    var parts: [Part] = []
    for planned in plan {
      guard let stream = streams[planned.stream] else { continue }
      // It opens the output when it is known to be ready. Those that follow it wait with it.
      guard stream.facts != nil || stream.isHeard else { break }
      var part = stream.part
      (part.end, part.curve) = (planned.end, planned.curve)
      if !stream.isContinued { part.join = scaled(planned.join) }
      if let shape = planned.fadeOut { (part.end, part.fadeOut) = (stream.fadeEnd, scaled(shape)) }
      parts.append(part)
    }
    last = parts.last?.id
    return parts
  }

  /// Returns a shape, whose length is a time of the output, with a length in time of the media.
  private func scaled(_ shape: CrossfadeShape) -> CrossfadeShape {
    CrossfadeShape(length: shape.length * settings.rate, curve: shape.curve)
  }

  private func scaled(_ join: PartJoin) -> PartJoin {
    switch join {
    case .gapless: .gapless
    case .overlap(let shape): .overlap(scaled(shape))
    case .fadeIn(let shape): .fadeIn(scaled(shape))
    }
  }

  private func setPlan(_ edit: Renderer.Edit = .difference) {
    let parts = makeParts()
    renderer?.assumeIsolated { $0.setPlan(parts, from: edit) }
    convert()
  }

  /// Lets the next stream begin again in the format of the one before, if both are to overlap in one output.
  private func convert() {
    guard let (passage, format) = renderer?.assumeIsolated({ $0.conversion }), let stream = streams[passage.stream],
      !stream.isHeard, stream.facts?.isSeekable == true, stream.converted != format
    else { return }
    restart(passage.stream, as: format)
    setPlan()
  }

  // MARK: Decks

  private func take(_ deliveries: [Deck.Delivery], of token: StreamToken) {
    var blocks: [Block] = []
    for delivery in deliveries {
      if case .block(let block) = delivery, blocks.last.map({ $0.passage == block.passage }) ?? true {
        blocks.append(block)
        continue
      }
      take(exchange(&blocks, with: []), of: token)
      if case .block(let block) = delivery { blocks = [block] } else { take(delivery, of: token) }
    }
    take(blocks, of: token)
  }

  /// Takes blocks of one passage.
  private func take(_ blocks: [Block], of token: StreamToken) {
    guard let stream = streams[token], let last = blocks.last else { return }
    // The samples before a seek are kept until it has succeeded.
    if last.passage == stream.beforeSeek?.passage {
      renderer?.assumeIsolated { _ = $0.append(blocks) }
      streams[token]?.beforeSeek?.decoded.until = last.format.time(at: last.end)
    }
    guard last.passage == stream.part.passage else { return }
    forgetBeforeSeek(token)
    renderer?.assumeIsolated { _ = $0.append(blocks) }
    if !stream.isHeard { convert() }
    streams[token]?.decoded.until = last.format.time(at: last.end)
    noteRead(token)
  }

  private func take(_ delivery: Deck.Delivery, of token: StreamToken) {
    // A closed stream may not respond.
    if case .warning(let text) = delivery { return report(.warning(text)) }
    guard let stream = streams[token] else { return }
    switch delivery {
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
      if updateGain(of: token) { setPlan(.now) }
    case .event(let event): take(event, of: token)
    case .block, .warning: break
    }
  }

  /// Notes that the present passage of a stream is decoded to the end of its media.
  private func finish(_ token: StreamToken) {
    guard let passage = streams[token]?.part.passage else { return }
    streams[token]?.hasEndedEarly = false
    streams[token]?.decoded.isComplete = true
    renderer?.assumeIsolated { $0.finish(passage) }
    noteRead(token)
  }

  /// Reports once that all of a stream's part is decoded.
  private func noteRead(_ token: StreamToken) {
    guard let stream = streams[token], stream.isSettled, !stream.isReadReported else { return }
    let end = plan.first { $0.stream == token }?.end
    guard stream.decoded.isComplete || end.map({ stream.decoded.until >= $0 }) ?? false else { return }
    streams[token]?.isReadReported = true
    report(.stream(token, .read))
  }

  private func forgetBeforeSeek(_ token: StreamToken) {
    guard let before = streams[token]?.beforeSeek.take() else { return }
    renderer?.assumeIsolated { $0.discard(before.passage) }
  }

  /// Continues with the samples before a seek, or at the start of media that cannot begin elsewhere.
  private func refused(_ passage: Passage, of token: StreamToken) {
    guard let stream = streams[token], stream.part.passage == passage else { return }
    guard let before = stream.beforeSeek else {
      guard stream.facts == nil else { return }
      streams[token]?.isStartRefused = true
      streams[token]?.part.start = .zero
      return
    }
    streams[token]?.begin(makePart(before.passage, from: before.time))
    streams[token]?.isContinued = true
    streams[token]?.decoded = before.decoded
    streams[token]?.beforeSeek = nil
    setPlan()
  }

  /// Sets the gain by the tags of a stream, or else the measured one of the plan; returns whether it has changed.
  @discardableResult
  private func updateGain(of token: StreamToken) -> Bool {
    guard let setting = base.replayGain, let stream = streams[token] else { return false }
    var part = stream.part
    (part.gain, part.peak) = (1, 1)
    if let loudness = stream.tags.gain(setting.mode) ?? plan.first(where: { $0.stream == token })?.measured {
      part.peak = max(loudness.peak, 1e-6)
      part.gain = pow(10, (loudness.gain + setting.preAmp) / 20)
      if setting.preventsClipping { part.gain = min(part.gain, 1 / part.peak) }
    }
    guard part != stream.part else { return false }
    streams[token]?.part = part
    return true
  }

  private func take(_ event: StreamEvent, of token: StreamToken) {
    guard let stream = streams[token] else { return }
    switch event {
    case .settled(var facts):
      if stream.isStartRefused { facts.isSeekable = false }
      if stream.isStartRefused, stream.facts == nil, !facts.isLive { facts.position = .zero }
      streams[token]?.facts = facts
      streams[token]?.isSettled = true
      streams[token]?.isRestarting = false
      if !stream.isRestarting { report(.stream(token, .settled(facts))) }
      if stream.facts == nil { setPlan() }
      settled(token)
      if !stream.isHeard { convert() }
    // The opening continues, and is reported when it is done.
    case .seekRefused where stream.facts == nil && stream.isStartRefused: break
    case .seekRefused:
      streams[token]?.isSettled = true
      if !stream.isRestarting { report(.stream(token, event)) }
      settled(token)
    case .songEnded:
      streams[token]?.tags = GainTags()
      if updateGain(of: token) { setPlan(.now) }
      report(.stream(token, event))
    default: report(.stream(token, event))
    }
  }

  /// Notes the end of a passage that has ended before its seek was reported as done.
  private func settled(_ token: StreamToken) {
    if streams[token]?.hasEndedEarly == true { finish(token) } else { noteRead(token) }
  }

  // MARK: Output

  /// Makes the output, unless there is one.
  func makeRenderer() {
    // An output that could not be made, or that has failed, may be available now.
    guard renderer == nil else { return control == nil ? makeOutput() : resumeOutput() }
    guard let format = PCMFormat(.int16, rate: 44_100, channels: 2) else { return }
    let renderer = Renderer(executor, format, clock: makeClock(), startLimit: base.pipelineTimeout) {
      [weak self, executor] event in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.take(event) } }
    }
    self.renderer = renderer
    let (rate, isPlaying) = (settings.rate, isPlaying)
    renderer.assumeIsolated {
      $0.setSpeed(rate)
      $0.setPlaying(isPlaying)
    }
    makeOutput()
  }

  private func makeOutput() {
    guard renderer != nil else { return }
    (outputWatch, outputSearch) = (nil, nil)
    let made = makeControl()
    control = try? made.get()
    if case .failure(let error) = made {
      renderer?.assumeIsolated { try? $0.setOutput(nil) }
      // The first stream tries again.
      if !streams.isEmpty { report(.output(.failed(error))) }
      return
    }
    guard let control else { return }
    report(.output(.opened(isSilent: control.choice.isSilent)))
    if control.choice.isSilent { report(.warning("no audio output can be opened; playing silently")) }
    setSound()
  }

  private func makeControl() -> Result<OutputControl, PlayerError> {
    let (configuration, isMuted, memory, title, sound) = (configuration, settings.isMuted, sinkMemory, title, sound)
    let limit = CallLimit(watchdog, base.pipelineTimeout) { [hangs, sink = settings.sink] in hangs(sink) }
    let description = settings.sink ?? base.audioSink
    let opened: @Sendable () -> Void = { [weak self, executor] in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.streamOpened() } }
    }
    let result = renderer?.assumeIsolated { renderer in
      Result<OutputControl, PlayerError> { () throws(PlayerError) in
        try GStreamer.initialize()
        let choice =
          if let description { try AudioSink.make(description, for: configuration.application) } else {
            try AudioSink.best(memory, isShort: sound.mix != nil, for: configuration.application)
          }
        let filter = try SoundFilter(configuration, sinkHasVolume: choice.hasVolume, isStereo: sound.mix != nil)
        sound.attach(to: choice)
        unsafe PipeWirePool.activate(in: choice.element)
        unsafe PulseFormats.answerQueries(of: choice.element)
        let control = OutputControl(
          choice, filter, limit, volume: configuration.volume, isMuted: isMuted, opened: opened)
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
    control?.set(volume: settings.volume, isMuted: settings.isMuted)
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
      abs(volume - settings.volume) > 0.005 * max(settings.volume, 0.01) || muted != settings.isMuted
    {
      (settings.volume, settings.isMuted) = (volume, muted)
      control.note(volume: volume, isMuted: muted)
      report(.output(.volumeChanged(volume: volume, isMuted: muted)))
    }
    guard let device = control.device else { return }
    if !device.isEmpty {
      outputInUse.recordDevice(on: device, now: .now)
      report(.output(.inUse(device)))
    }
    guard outputWatch == nil else { return }
    outputWatch = SoundServerWatch { [weak self, executor] event in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.serverReported(event) } }
    }
  }

  private func serverReported(_ event: SoundServerWatch.Event) {
    switch event {
    case .listed(let ids, let isPipeWire):
      if isPipeWire { renderer?.assumeIsolated { $0.notePipeWire() } }
      if let id = outputInUse.missing(among: ids, now: .now) { report(.output(.removed(id))) }
    case .removed(let id):
      if outputInUse.isInUse(id, now: .now) { report(.output(.removed(id))) }
      resumeOutput()
    case .suspended(let id):
      guard isPlaying, outputInUse.isInUse(id, now: .now) else { break }
      renderer?.assumeIsolated { $0.suspend() }
      report(.output(.suspended))
    case .streamChanged: outputChanged()
    // Another device may be used, and without a server the failure is reported.
    case .resumed, .added, .ended: resumeOutput()
    }
  }

  private func resumeOutput() { renderer?.assumeIsolated { $0.resume() } }

  private func outputFailed(_ error: PlayerError) {
    outputWatch = nil
    report(.output(.failed(error)))
    guard let control, base.audioSink == nil, settings.sink == nil, !control.choice.isServed else { return }
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
    if control?.choice.isSilent == true { return makeOutput() }
    // The next stream is played there.
    control = nil
    report(.output(.found))
  }

  private func take(_ event: Renderer.Event) {
    switch event {
    case .began(let part, let time): if let token = token(of: part) { began(token, at: time) }
    case .ended(let part, let time): if let token = token(of: part) { ended(token, at: time) }
    case .playing:
      showTitle()
      outputChanged()
      if control?.choice.isSilent == true, outputSearch == nil { searchOutput(excluding: nil) }
    case .startMissed:
      if let current { report(.stream(current, .startMissed(position: position(of: current)))) }
    case .used(let passage, let frame): used(passage, before: frame)
    case .playedOut: for part in plan { reportEnd(of: part.stream) }
    case .dry(let passage):
      if let stream = streams[passage.stream], stream.part.passage == passage {
        report(.stream(passage.stream, .ranOut(stream.deck.progress)))
      }
    case .resumed: if let audible { report(.audible(audible, at: position(of: audible))) }
    case .failed(let error): outputFailed(error)
    case .warning(let text): report(.warning(text))
    case .pauseRequested: report(.output(.pauseRequested))
    case .resumeRequested: report(.output(.resumeRequested))
    }
  }

  private func used(_ passage: Passage, before frame: Int64) {
    guard let stream = streams[passage.stream] else { return }
    stream.deck.advance(passage, to: frame)
    stream.inbox.use(passage, before: frame)
    take(stream.inbox.take(), of: passage.stream)
  }

  private func token(of part: Part.ID) -> StreamToken? { streams.first { $0.value.part.id == part }?.key }

  private func began(_ token: StreamToken, at time: Duration) {
    streams[token]?.isHeard = true
    guard let place = plan.firstIndex(where: { $0.stream == token }) else { return }
    for before in plan[..<place] { reportEnd(of: before.stream) }
    report(.audible(token, at: position(of: token) ?? time))
  }

  /// Notes that the last sample of a part was played.
  private func ended(_ token: StreamToken, at time: Duration) {
    streams[token]?.heardEnd = time
    guard let part = plan.first(where: { $0.stream == token }) else { return }
    // A change of the plan may have come after the last sample.
    if part.fadeOut == nil, streams[token]?.isExtended(to: part.end) == true {
      extend()
      return setPlan()
    }
    // The last part has ended when the output has played all of it, unless a part that fades out goes on.
    if streams[token]?.part.id != last || plan.contains(where: { isAudible($0.stream) }) { reportEnd(of: token) }
  }

  private func isAudible(_ token: StreamToken) -> Bool {
    streams[token].map { $0.isHeard && $0.heardEnd == nil } ?? false
  }

  /// Reports the end of a part whose last sample was played.
  private func reportEnd(of token: StreamToken) {
    guard let stream = streams[token], let end = stream.heardEnd, !stream.isEndReported else { return }
    streams[token]?.isEndReported = true
    report(.stream(token, .ended(at: end)))
  }

  // MARK: End

  /// Closes everything, and returns the decks that are not released yet.
  func close() -> [Deck] {
    isClosed = true
    client = nil
    renderer?.assumeIsolated { try? $0.setOutput(nil) }
    // No reference to GStreamer is left: the program may end it now.
    (control, outputWatch, outputSearch) = (nil, nil, nil)
    outputTimer.set(nil) {}
    // The first one needs no further thread: a program may close many players at once.
    let first = plan.first?.stream
    for stream in Array(streams.keys) { close(stream, on: stream == first ? executor.queue : nil) }
    return closing
  }
}

extension PlannedPart {
  /// The part without its end and its gain, if its volume changes over time; nil for any other.
  fileprivate var shaped: PlannedPart? {
    var part = self
    (part.end, part.measured) = (nil, nil)
    return part == PlannedPart(stream) ? nil : part
  }
}
