import Dispatch
import EngineProcess
import Playback
import Synchronization

/// Owns a player's pipeline, and replaces the pipeline if it hangs inside GStreamer.
///
/// A call that does not return cannot be cancelled. Its thread and its playbin are abandoned, and are released if the
/// call returns later.
final class PipelineHost: PlaybackEngine {
  struct State {
    var client: EngineClient?
    /// The context of the pipeline of the loaded stream.
    var context: PipelineContext?
    var others = OtherPipelines()
    /// The settings that a further pipeline gets.
    var settings = RetainedSettings()
    /// The last selection of an audio track; its stream may be opened in another pipeline.
    var selection: EngineCommand?
    /// Whether GStreamer has been requested to make its playbin.
    var isStarted = false
    /// The output that was selected instead of the configured one.
    var sink: String?
    /// The treatment of the pitch that was set instead of the configured one.
    var timePitch: Player.Configuration.TimePitchAlgorithm?
    var abandonedCount = 0
    /// For each selected output, the number of abandoned pipelines that hang in it, where a new one would hang too.
    var abandonedInOutput: [String?: Int] = [:]
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The maximum number of abandoned pipelines, because their threads cost memory.
  private static let limit = 8

  private let configuration: Player.Configuration
  private let loudness: LoudnessService?
  private let startsOnDemand: Bool
  private let verifier: SampleVerifier?
  private let mix: SoundMix?
  private let sinkMemory = AudioSink.Memory()
  /// The volume curves of the streams of all pipelines.
  private let volumeShaper = VolumeShaper()
  let state = Mutex(State())
  /// The number of the newest load; older loads that have not begun are skipped.
  let newestLoad = Atomic<UInt64>(0)

  /// Creates an engine that starts GStreamer at once, or when the first item is loaded.
  init(
    configuration: Player.Configuration, loudness: LoudnessService? = nil, verifier: SampleVerifier? = nil,
    mix: SoundMix? = nil, startsOnDemand: Bool = false
  ) {
    self.configuration = configuration
    self.loudness = loudness
    self.verifier = verifier
    self.mix = mix
    self.startsOnDemand = startsOnDemand
  }

  // MARK: Lifecycle

  /// Makes the first pipeline, and starts GStreamer in the background unless it starts on demand.
  func open(_ client: EngineClient) {
    state.withLock { state in
      state.client = client
      state.context = makeContext(client, state)
      if !startsOnDemand { start(&state) }
    }
  }

  /// Starts GStreamer and makes the playbin, in the background.
  func start(_ state: inout State) {
    guard let context = state.context else { return }
    state.isStarted = true
    // The watchdog waits because the first start of GStreamer may scan all plug-ins; opening an output has a time
    // limit.
    let hold = context.watchdog.hold()
    context.executor.queue.async {
      context.pipeline.value?.assumeIsolated { $0.open() }
      context.watchdog.release(hold)
    }
  }

  /// Makes a pipeline, and returns its context.
  func makeContext(_ client: EngineClient, _ state: borrowing State) -> PipelineContext {
    var configuration = configuration
    if let sink = state.sink { configuration.audioSink = sink }
    if let timePitch = state.timePitch { configuration.timePitchAlgorithm = timePitch }
    let context = PipelineContext(
      configuration, executor: PipelineExecutor(label: "org.playerd.pipeline"), loudness: loudness,
      volumeShaper: volumeShaper, nextStream: client.nextStream)
    context.pipeline.set(
      Pipeline(
        configuration: configuration, sinkMemory: sinkMemory, verifier: verifier, mix: mix, context: context,
        report: { [weak self, weak context] event in
          if let self, let context { self.report(event, from: context) }
        }))
    return context
  }

  /// Releases the pipeline; no event is reported afterwards.
  func close() {
    loudness?.close()
    state.withLock { state in
      guard !state.isClosed, let context = state.context else { return }
      state.isClosed = true
      for other in state.others.removeAll() { release(other, &state) }
      let ticket = expect(.tearDown, in: context)
      context.executor.queue.async { [self] in
        guard let pipeline = context.pipeline.value else { return closed(context, ticket) }
        pipeline.assumeIsolated { pipeline in
          pipeline.afterDrain {
            $0.close()
            self.closed(context, ticket)
          }
        }
      }
    }
  }

  func closed(_ context: PipelineContext, _ ticket: PipelineWatchdog.Ticket) {
    context.pipeline.set(nil)
    context.watchdog.done(ticket)
    // Runs after the work that closing the pipeline has queued.
    context.executor.queue.async { self.released(context) }
  }

  /// Waits until the closed pipeline is released or abandoned.
  func closed() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        guard state.context != nil || !state.others.released.isEmpty else { return true }
        state.waiters.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  func released(_ context: PipelineContext) {
    let waiters = state.withLock { state in
      state.others.released.removeAll { $0 === context }
      if state.context === context { state.context = nil }
      guard state.context == nil, state.others.released.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Progress

  /// Returns the present progress of a stream; never waits for the pipeline.
  func progress(of stream: StreamToken) -> StreamProgress? {
    state.withLock { state in
      (state.others.all + [state.context].compactMap(\.self)).first { $0.data(of: stream) != nil } ?? state.context
    }?.progress(of: stream)
  }

  // MARK: Commands

  /// Queues a command, in order; never waits for it.
  func perform(_ command: EngineCommand) {
    switch command {
    case .load(let uri, let stream, let headers): load(uri, stream, headers)
    case .unload:
      newestLoad.store(0, ordering: .relaxed)
      releaseOthers()
      enqueue(.tearDown) { $0.perform(command) }
    case .prepare(let uri, let stream, let headers): prepare(uri, stream, headers)
    case .crossfade(let stream, let time, let shape): crossfade(to: stream, at: time, shape)
    case .enter(let stream): enter(stream)
    case .leave(let stream, let shape): leave(stream, shape)
    case .release(let stream): release(stream)
    case .setPlaying(let isPlaying):
      enqueue(.item) { $0.perform(command) }
      forOthers(.item) { $0.follow(isPlaying: isPlaying) }
    case .seek: enqueue(.item) { $0.perform(command) }
    case .setSink(let description):
      releaseOthers()
      useSink(description)
    case .setTimePitch(let algorithm): state.withLock { $0.timePitch = algorithm }
    case .measureLoudness(let groups): loudness?.announce(groups)
    case .setVolume, .setMuted, .fade, .setForwardBuffer, .setAudioLanguages, .setLowPowerMode, .setCrossfading:
      state.withLock { $0.settings.note(command) }
      enqueue(nil) { $0.perform(command) }
      forOthers(nil) { $0.perform(command) }
    case .endStream(let stream, _): enqueue(nil, for: stream) { $0.perform(command) }
    case .selectAudioTrack(_, let stream):
      state.withLock { $0.selection = command }
      enqueue(nil, for: stream) { $0.perform(command) }
    // At once, because the stream may be the gapless successor that a streaming thread is about to open.
    case .shapeVolume(let curve, let stream): volumeShaper.set(curve, of: stream)
    case .withdraw, .describeStream, .samplePosition: enqueue(nil) { $0.perform(command) }
    }
  }

  private func load(_ uri: String, _ stream: StreamToken, _ headers: HTTPRequestHeaders?) {
    newestLoad.store(stream.number, ordering: .relaxed)
    state.withLock { state in if let prepared = state.others.prepared { release(prepared, &state) } }
    let isRefused = state.withLock { $0.abandonedInOutput[$0.sink, default: 0] > 0 }
    guard !isRefused else {
      return DispatchClock.queue.async { [weak self] in
        self?.state.withLock { $0.client }?.report(
          .failed(stream, PlayerError(code: .output, message: EngineHang.output.sentence)))
      }
    }
    state.withLock { if !$0.isClosed, !$0.isStarted { start(&$0) } }
    enqueue(.tearDown) { [weak self] in if self?.isNewest(stream) == true { $0.unloadPrevious() } }
    enqueue(.output) { [weak self] in if self?.isNewest(stream) == true { $0.load(uri, stream, headers) } }
  }

  /// Makes a pipeline for another output; the old one is abandoned and released on its executor, and its messages are
  /// dropped.
  private func useSink(_ description: String?) {
    state.withLock { state in
      state.sink = description
      guard !state.isClosed, let client = state.client, let old = state.context else { return }
      if let pipeline = old.pipeline.value { abandon(old, pipeline, isInOutput: false, &state) }
      state.context = makeContext(client, state)
      start(&state)
    }
  }

  private func isNewest(_ stream: StreamToken) -> Bool { newestLoad.load(ordering: .relaxed) == stream.number }

  /// Queues work for the pipeline; if it takes too long, it is handled as `hang`.
  func enqueue(_ hang: EngineHang?, _ work: @escaping @Sendable (isolated Pipeline) -> Void) {
    state.withLock { state in
      guard !state.isClosed, let context = state.context else { return }
      enqueue(hang, in: context, work)
    }
  }

  func enqueue(
    _ hang: EngineHang?, in context: PipelineContext, _ work: @escaping @Sendable (isolated Pipeline) -> Void
  ) {
    let ticket = hang.map { expect($0, in: context) }
    context.executor.queue.async {
      context.pipeline.value?.assumeIsolated(work)
      if let ticket { context.watchdog.done(ticket) }
    }
  }

  // MARK: Hangs

  func expect(_ hang: EngineHang, in context: PipelineContext) -> PipelineWatchdog.Ticket {
    // Every call for a loaded item may wait for its source, up to the load time-out.
    let limit = hang == .item ? configuration.loadTimeout : configuration.pipelineTimeout
    return context.watchdog.expect(within: limit) { [weak self] in self?.overdue(hang, in: context) ?? true }
  }

  /// Abandons a pipeline whose call takes too long; returns false if it must wait until another one is released.
  private func overdue(_ hang: EngineHang, in context: PipelineContext) -> Bool {
    let isInOutput = context.isOutputBusy
    // Opening an item has its own time-out.
    guard hang != .output || isInOutput else { return true }
    if let isHandled = otherIsOverdue(context, isInOutput: isInOutput) { return isHandled }
    let (isHandled, client): (Bool, EngineClient?) = state.withLock { state in
      guard state.context === context, let pipeline = context.pipeline.value else { return (true, nil) }
      guard canAbandon(state) else { return (false, nil) }
      abandon(context, pipeline, isInOutput: isInOutput, &state)
      guard !state.isClosed, let client = state.client else { return (true, nil) }
      // The player sets up the new engine, and knows no other stream of this one.
      for other in state.others.removeAll() { release(other, &state) }
      state.settings.engineEnded()
      state.context = makeContext(client, state)
      start(&state)
      return (true, client)
    }
    guard isHandled else { return false }
    released(context)
    client?.report(.replaced(after: isInOutput ? .output : hang))
    return true
  }

  /// Whether another pipeline may be abandoned.
  func canAbandon(_ state: State) -> Bool { state.abandonedCount < Self.limit || state.isClosed }

  func abandon(_ context: PipelineContext, _ pipeline: Pipeline, isInOutput: Bool, _ state: inout State) {
    context.pipeline.set(nil)
    context.watchdog.reset()
    state.abandonedCount += 1
    let sink = state.sink
    if isInOutput { state.abandonedInOutput[sink, default: 0] += 1 }
    context.executor.queue.async {
      pipeline.assumeIsolated { $0.close() }
      self.state.withLock { state in
        state.abandonedCount -= 1
        if isInOutput { state.abandonedInOutput[sink, default: 0] -= 1 }
      }
    }
  }
}
