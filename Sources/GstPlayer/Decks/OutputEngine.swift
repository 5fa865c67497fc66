import CGst
import Dispatch
import EngineProcess
import Joining
import Playback
import PlayerClock

/// The output of an engine: plays the parts of a plan from the samples of the decks, through one device.
///
/// It performs the commands of a ``Playout``. A stream is only a source of samples to it.
actor OutputEngine {
  nonisolated let executor: PipelineExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// The samples of a stream.
  private struct Source {
    var samples: any SampleSource
    /// The media times up to which its passages are decoded.
    var decoded: [Passage: Duration] = [:]
    /// The number of the seek before which no passage has further samples.
    var newest = 0
    /// The passage whose samples are missing, as it was reported.
    var owed: Passage?
    /// The passages whose samples are discarded when they arrive.
    var discarded: Set<Passage> = []
  }

  private let base: Player.Configuration
  private var settings: EngineSettings
  private let report: @Sendable (OutputReport) -> Void
  private var sources: [StreamToken: Source] = [:]
  private var plan = OutputPlan()
  /// The ends of parts that were reported as decoded.
  private var reported: [Passage: Duration] = [:]
  private var isPlaying = false
  private var renderer: Renderer?
  private var control: OutputControl?
  private let sinkMemory = AudioSink.Memory()
  private let sound: OutputSound
  /// Gives up everything, because a call into an output does not return; see ``DeckEngine``.
  private let hangs: @Sendable (_ sink: String?) -> Bool
  private let watchdog = PipelineWatchdog(queue: DispatchClock.queue)
  private let makeClock: () -> any PlaybackClock
  private let title: StreamTitle?
  private var outputInUse = OutputInUse()
  /// The observer of the sound server, while the output is open.
  private var outputWatch: SoundServerWatch?
  /// The search for an output, while none can be opened or the last one has failed.
  private var outputSearch: OutputSearch?
  /// A timer that runs from a change of the output until it is read.
  private let outputTimer: WakeTimer
  private var isOutputChanged = false
  /// A timer that runs from a disconnection of the stream until it counts as an interruption.
  private let connectionTimer: WakeTimer
  /// Whether the stream is disconnected, and this was reported as an interruption.
  private var isDisconnected = false
  private var isClosed = false

  /// The time from a change of the output to its reading: a start and a mixer cause a dozen changes within it.
  private static let readingDelay = Duration.milliseconds(50)
  /// The time for which a sound server may disconnect a stream to move it to another device.
  private static let movingTime = Duration.seconds(1)

  init(
    _ executor: PipelineExecutor, _ configuration: Player.Configuration, _ settings: EngineSettings,
    _ sound: OutputSound,
    makeClock: @escaping @Sendable (DispatchQueue) -> any PlaybackClock,
    hangs: @escaping @Sendable (_ sink: String?) -> Bool, report: @escaping @Sendable (OutputReport) -> Void
  ) {
    (self.executor, base, self.settings) = (executor, configuration, settings)
    (self.sound, self.hangs, self.report) = (sound, hangs, report)
    title = configuration.application.map { _ in StreamTitle() }
    outputTimer = WakeTimer(queue: executor.queue)
    connectionTimer = WakeTimer(queue: executor.queue)
    self.makeClock = { makeClock(executor.queue) }
    if let description = settings.description { title?.set(description) }
  }

  // MARK: Commands

  func perform(_ command: OutputCommand) {
    guard !isClosed else { return }
    switch command {
    case .plan(let parts, let edit): setPlan(parts, from: edit)
    case .discard(let passage): discard(passage)
    case .settings(let settings): apply(settings)
    case .setPlaying(let isPlaying):
      self.isPlaying = isPlaying
      renderer?.assumeIsolated { $0.setPlaying(isPlaying) }
    case .start(let instant, let parts): start(at: instant, parts)
    case .fade(let start, let level, let time):
      let rest = renderer?.assumeIsolated { $0.fade(from: start, to: level, over: time) } ?? .zero
      if level == 0 { report(.event(.fadeOutEnds(in: rest))) }
    case .reopen: makeOutput()
    case .end: end()
    case .tail(let passage):
      takeSamples(of: passage.stream)
      report(.tail(passage, sources[passage.stream]?.decoded[passage] ?? .zero))
    case .sample(let part): if let time = position(of: part) { report(.sampled(OutputReport.Position(part, time))) }
    }
  }

  private func apply(_ new: EngineSettings) {
    let old = settings
    settings = new
    if new.rate != old.rate { renderer?.assumeIsolated { $0.setSpeed(new.rate) } }
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

  private func end() {
    (plan, reported) = (OutputPlan(), [:])
    renderer?.assumeIsolated { $0.end() }
  }

  // MARK: Plan

  private func setPlan(_ parts: [Part], from edit: PlanEdit) {
    let resolved = resolve(parts)
    renderer?.assumeIsolated { $0.setPlan(resolved, from: edit) }
    for stream in sources.keys { sweep(stream) }
    noteDecoded()
    reportConversion()
  }

  private func start(at instant: MonotonicTime?, _ parts: [Part]) {
    let resolved = resolve(parts)
    renderer?.assumeIsolated { $0.start(at: instant, resolved) }
  }

  /// Replaces the parts of the plan; returns them with the times that only the output knows.
  private func resolve(_ parts: [Part]) -> [Part] {
    // Without playback, no part fades out.
    let fadeDelay = isPlaying ? Output.safety * settings.rate : nil
    let (resolved, silent) = plan.replace(with: parts, fadeDelay: fadeDelay) { position(of: $0) }
    for (part, time) in silent { report(.silent(part, at: time)) }
    return resolved
  }

  /// Returns the audible media time of a part; nil while it does not sound.
  private func position(of part: Part.ID) -> Duration? { renderer?.assumeIsolated { $0.position(of: part) } ?? nil }

  /// The audible media times of the parts that sound.
  private var positions: [OutputReport.Position] {
    plan.parts.compactMap { part in position(of: part.id).map { OutputReport.Position(part.id, $0) } }
  }

  /// Reports once that all of a part is decoded, if it ends before its media.
  private func noteDecoded() {
    for part in plan.parts {
      let passage = part.passage
      guard let end = part.end, let decoded = sources[passage.stream]?.decoded[passage], decoded >= end,
        reported[passage].map({ $0 < end }) ?? true
      else { continue }
      reported[passage] = decoded
      report(.decoded(passage, until: decoded))
    }
    reported = reported.filter { entry in plan.parts.contains { $0.passage == entry.key } }
  }

  /// Requests that the deck of the next part converts it, if it is to overlap with one of another format.
  ///
  /// Without a conversion, the next part follows the last sample of the one before.
  private func reportConversion() {
    guard !base.matchesSampleRate, let (passage, format) = renderer?.assumeIsolated({ $0.conversion }) else { return }
    report(.conversion(passage, format))
  }

  // MARK: Samples

  /// Opens the output for the samples of a stream.
  ///
  /// After the end of a deck's process, the samples of another one continue.
  func attach(_ stream: StreamToken, _ samples: any SampleSource) {
    guard !isClosed else { return }
    takeSamples(of: stream)
    sources[stream, default: Source(samples: samples)].samples = samples
    makeRenderer()
    takeSamples(of: stream)
  }

  /// Discards the samples of a stream, because its deck is closed.
  func detach(_ stream: StreamToken) {
    guard let source = sources.removeValue(forKey: stream) else { return }
    renderer?.assumeIsolated { renderer in for passage in source.decoded.keys { renderer.discard(passage) } }
  }

  /// Takes the samples that a deck has decoded.
  func takeSamples(of stream: StreamToken) {
    guard let samples = sources[stream]?.samples else { return }
    var blocks: [Block] = []
    for entry in samples.take() {
      switch entry {
      case .block(let block):
        if let last = blocks.last, last.passage != block.passage { append(exchange(&blocks, with: [])) }
        blocks.append(block)
      case .ended(let passage):
        append(exchange(&blocks, with: []))
        guard begin(passage) else { break }
        noteSupply(of: passage)
        renderer?.assumeIsolated { $0.finish(passage) }
      }
    }
    append(blocks)
  }

  /// Takes blocks of one passage.
  private func append(_ blocks: [Block]) {
    guard let last = blocks.last, begin(last.passage) else { return }
    renderer?.assumeIsolated { _ = $0.append(blocks) }
    let end = max(last.format.time(at: last.end), sources[last.passage.stream]?.decoded[last.passage] ?? .zero)
    sources[last.passage.stream]?.decoded[last.passage] = end
    noteSupply(of: last.passage)
    noteDecoded()
    reportConversion()
  }

  /// Reports that missing samples have arrived, or that there are no more.
  private func noteSupply(of passage: Passage) {
    guard sources[passage.stream]?.owed == passage else { return }
    sources[passage.stream]?.owed = nil
    report(.supplied(passage))
  }

  /// Notes that a passage has samples or has ended; returns false if it is not played.
  private func begin(_ passage: Passage) -> Bool {
    guard let source = sources[passage.stream], !source.discarded.contains(passage) else { return false }
    guard passage.seek >= source.newest || plan.parts.contains(where: { $0.passage == passage }) else { return false }
    if source.decoded[passage] == nil { sources[passage.stream]?.decoded[passage] = .zero }
    guard passage.seek > source.newest else { return true }
    // A deck delivers nothing of the passages before.
    sources[passage.stream]?.newest = passage.seek
    sources[passage.stream]?.discarded = source.discarded.filter { $0.seek > passage.seek }
    sweep(passage.stream)
    return true
  }

  /// Discards the passages of a stream that are not played and not continued.
  private func sweep(_ stream: StreamToken) {
    guard let source = sources[stream] else { return }
    for passage in source.decoded.keys where passage.seek < source.newest {
      guard !plan.parts.contains(where: { $0.passage == passage }) else { continue }
      forget(passage)
    }
  }

  private func discard(_ passage: Passage) {
    guard let source = sources[passage.stream] else { return }
    if passage.seek >= source.newest { sources[passage.stream]?.discarded.insert(passage) }
    forget(passage)
  }

  private func forget(_ passage: Passage) {
    sources[passage.stream]?.decoded[passage] = nil
    renderer?.assumeIsolated { $0.discard(passage) }
  }

  private func used(_ passage: Passage, before frame: Int64) {
    sources[passage.stream]?.samples.use(passage, before: frame)
    takeSamples(of: passage.stream)
  }

  // MARK: Device

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
    (outputWatch, outputSearch, isDisconnected) = (nil, nil, false)
    connectionTimer.set(nil) {}
    let made = makeControl()
    control = try? made.get()
    if case .failure(let error) = made {
      renderer?.assumeIsolated { try? $0.setOutput(nil) }
      // The first stream tries again.
      if !sources.isEmpty { report(.event(.failed(error))) }
      return
    }
    guard let control else { return }
    report(.event(.opened(isSilent: control.choice.isSilent)))
    if control.choice.isSilent { report(.warning("no audio output can be opened; playing silently")) }
    setSound()
  }

  private func makeControl() -> Result<OutputControl, PlayerError> {
    let configuration = base.with(settings)
    let (isMuted, memory, title, sound) = (settings.isMuted, sinkMemory, title, sound)
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
            choice, filter: unsafe ObjectReference(filter.bin), isShowingTitle: title != nil,
            matchesSampleRate: configuration.matchesSampleRate, limit: limit, report: report)
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
      report(.event(.volumeChanged(volume: volume, isMuted: muted)))
    }
    guard let device = control.device else { return }
    if !device.isEmpty {
      outputInUse.recordDevice(on: device, now: .now)
      report(.event(.inUse(device)))
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
      if let id = outputInUse.removeMissing(among: ids, now: .now) { report(.event(.removed(id))) }
    case .removed(let id):
      if outputInUse.remove(id, now: .now) { report(.event(.removed(id))) }
      resumeOutput()
    case .unplugged(let id, let port):
      if outputInUse.isInUse(id, now: .now) { report(.event(.unplugged(port))) }
    case .suspended(let id):
      guard isPlaying, outputInUse.isInUse(id, now: .now) else { break }
      renderer?.assumeIsolated { $0.suspend() }
      report(.event(.suspended))
    case .streamChanged: outputChanged()
    case .streamConnected(let isConnected): streamConnected(isConnected)
    case .added(let id):
      report(.event(.added(id)))
      resumeOutput()
    // Another device may be used, and without a server the failure is reported.
    case .resumed, .defaultChanged, .ended: resumeOutput()
    }
  }

  /// Handles that the sound server has connected the stream to a device, or has disconnected it.
  ///
  /// PipeWire's role-based policies disconnect a less important stream, and send no request: the stream then stands.
  private func streamConnected(_ isConnected: Bool) {
    connectionTimer.set(nil) {}
    guard isConnected else {
      connectionTimer.set(.now + Self.movingTime) { [weak self] in self?.assumeIsolated { $0.interrupted() } }
      return
    }
    if isDisconnected { report(.event(.resumeRequested)) }
    isDisconnected = false
  }

  private func interrupted() {
    isDisconnected = true
    report(.event(.pauseRequested))
  }

  private func resumeOutput() { renderer?.assumeIsolated { $0.resume() } }

  private func outputFailed(_ error: PlayerError) {
    outputWatch = nil
    report(.event(.failed(error)))
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
    report(.event(.found))
  }

  private func take(_ event: Renderer.Event) {
    switch event {
    case .began(let part, let time): report(.began(OutputReport.Position(part, position(of: part) ?? time)))
    case .ended(let part, let time): report(.ended(OutputReport.Position(part, time)))
    case .playing:
      showTitle()
      outputChanged()
      if control?.choice.isSilent == true, outputSearch == nil { searchOutput(excluding: nil) }
    case .startMissed: report(.startMissed(positions))
    case .used(let passage, let frame): used(passage, before: frame)
    case .playedOut: report(.playedOut)
    case .dry(let passage): report(.dry(passage))
    case .waiting(let passage, let rest):
      let isDecoding = sources[passage.stream]?.decoded[passage].map { $0 > .zero } ?? false
      sources[passage.stream]?.owed = passage
      report(.owed(passage, rest: rest, isDecoding: isDecoding))
    case .resumed: report(.resumed(positions))
    case .failed(let error): outputFailed(error)
    case .warning(let text): report(.warning(text))
    case .pauseRequested: report(.event(.pauseRequested))
    case .resumeRequested: report(.event(.resumeRequested))
    }
  }

  // MARK: End

  /// Closes the device; nothing is reported afterwards.
  func close() {
    isClosed = true
    sources = [:]
    renderer?.assumeIsolated { try? $0.setOutput(nil) }
    // No reference to GStreamer is left: the program may end it now.
    (control, outputWatch, outputSearch) = (nil, nil, nil)
    outputTimer.set(nil) {}
    connectionTimer.set(nil) {}
  }
}
