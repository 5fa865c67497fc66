import Dispatch
import EngineProcess
import Playback
import Synchronization

/// Owns a player's pipeline, and replaces the pipeline if it hangs inside GStreamer.
///
/// A call that does not return cannot be cancelled. Its thread and its playbin are abandoned, and are released if the
/// call returns later.
final class PipelineHost: PlaybackEngine {
  private struct State {
    var client: EngineClient?
    /// The context of the present pipeline.
    var context: PipelineContext?
    /// Whether GStreamer has been requested to make its playbin.
    var isStarted = false
    /// The output that was selected instead of the configured one.
    var sink: String?
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
  private let watchdog: PipelineWatchdog
  private let sinkMemory = AudioSink.Memory()
  private let state = Mutex(State())
  /// The number of the newest load; older loads that have not begun are skipped.
  private let newestLoad = Atomic<UInt64>(0)

  /// Creates an engine that starts GStreamer at once, or when the first item is loaded.
  init(
    configuration: Player.Configuration, loudness: LoudnessService? = nil, verifier: SampleVerifier? = nil,
    startsOnDemand: Bool = false
  ) {
    self.configuration = configuration
    self.loudness = loudness
    self.verifier = verifier
    self.startsOnDemand = startsOnDemand
    watchdog = PipelineWatchdog(queue: DispatchClock.queue)
  }

  // MARK: Lifecycle

  /// Makes the first pipeline, and starts GStreamer in the background unless it starts on demand.
  func open(_ client: EngineClient) {
    state.withLock { state in
      state.client = client
      state.context = makeContext(client, sink: state.sink)
      if !startsOnDemand { start(&state) }
    }
  }

  /// Starts GStreamer and makes the playbin, in the background.
  private func start(_ state: inout State) {
    guard let context = state.context else { return }
    state.isStarted = true
    // The watchdog waits because the first start of GStreamer may scan all plug-ins; opening an output has a time
    // limit.
    let hold = watchdog.hold()
    context.executor.queue.async { [watchdog] in
      context.pipeline.value?.assumeIsolated { $0.open() }
      watchdog.release(hold)
    }
  }

  /// Makes a pipeline, and returns its context.
  private func makeContext(_ client: EngineClient, sink: String?) -> PipelineContext {
    var configuration = configuration
    if let sink { configuration.audioSink = sink }
    let context = PipelineContext(
      configuration, executor: PipelineExecutor(label: "org.playerd.pipeline"), loudness: loudness,
      nextStream: client.nextStream)
    context.pipeline.set(
      Pipeline(
        configuration: configuration, sinkMemory: sinkMemory, verifier: verifier, context: context,
        report: client.report))
    return context
  }

  /// Releases the pipeline; no event is reported afterwards.
  func close() {
    loudness?.close()
    state.withLock { state in
      guard !state.isClosed, let context = state.context else { return }
      state.isClosed = true
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

  private func closed(_ context: PipelineContext, _ ticket: PipelineWatchdog.Ticket) {
    context.pipeline.set(nil)
    watchdog.done(ticket)
    // Runs after the work that closing the pipeline has queued.
    context.executor.queue.async { self.released(context) }
  }

  /// Waits until the closed pipeline is released or abandoned.
  func closed() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        guard state.context != nil else { return true }
        state.waiters.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  private func released(_ context: PipelineContext) {
    let waiters = state.withLock { state in
      guard state.context === context else { return [CheckedContinuation<Void, Never>]() }
      state.context = nil
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Progress

  /// Returns the present progress of a stream; never waits for the pipeline.
  func progress(of stream: StreamToken) -> StreamProgress? {
    state.withLock { $0.context }?.progress(of: stream)
  }

  // MARK: Commands

  /// Queues a command, in order; never waits for it.
  func perform(_ command: EngineCommand) {
    switch command {
    case .load(let uri, let stream, let headers): load(uri, stream, headers)
    case .unload:
      newestLoad.store(0, ordering: .relaxed)
      enqueue(.tearDown) { $0.perform(command) }
    case .setPlaying, .seek: enqueue(.item) { $0.perform(command) }
    case .setSink(let description): useSink(description)
    case .measureLoudness(let groups): loudness?.announce(groups)
    default: enqueue(nil) { $0.perform(command) }
    }
  }

  private func load(_ uri: String, _ stream: StreamToken, _ headers: HTTPRequestHeaders?) {
    newestLoad.store(stream.number, ordering: .relaxed)
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
      state.context = makeContext(client, sink: description)
      start(&state)
    }
  }

  private func isNewest(_ stream: StreamToken) -> Bool { newestLoad.load(ordering: .relaxed) == stream.number }

  /// Queues work for the pipeline; if it takes too long, it is handled as `hang`.
  private func enqueue(_ hang: EngineHang?, _ work: @escaping @Sendable (isolated Pipeline) -> Void) {
    state.withLock { state in
      guard !state.isClosed, let context = state.context else { return }
      let ticket = hang.map { expect($0, in: context) }
      context.executor.queue.async { [watchdog] in
        context.pipeline.value?.assumeIsolated(work)
        if let ticket { watchdog.done(ticket) }
      }
    }
  }

  // MARK: Hangs

  private func expect(_ hang: EngineHang, in context: PipelineContext) -> PipelineWatchdog.Ticket {
    // Every call for a loaded item may wait for its source, up to the load time-out.
    let limit = hang == .item ? configuration.loadTimeout : configuration.pipelineTimeout
    return watchdog.expect(within: limit) { [weak self] in self?.overdue(hang, in: context) ?? true }
  }

  /// Abandons a pipeline whose call takes too long; returns false if it must wait until another one is released.
  private func overdue(_ hang: EngineHang, in context: PipelineContext) -> Bool {
    let isInOutput = context.isOutputBusy
    // Opening an item has its own time-out.
    guard hang != .output || isInOutput else { return true }
    let (isHandled, client): (Bool, EngineClient?) = state.withLock { state in
      guard state.context === context, let pipeline = context.pipeline.value else { return (true, nil) }
      guard state.abandonedCount < Self.limit || state.isClosed else { return (false, nil) }
      abandon(context, pipeline, isInOutput: isInOutput, &state)
      guard !state.isClosed, let client = state.client else { return (true, nil) }
      state.context = makeContext(client, sink: state.sink)
      start(&state)
      return (true, client)
    }
    guard isHandled else { return false }
    released(context)
    client?.report(.replaced(after: isInOutput ? .output : hang))
    return true
  }

  private func abandon(_ context: PipelineContext, _ pipeline: Pipeline, isInOutput: Bool, _ state: inout State) {
    context.pipeline.set(nil)
    watchdog.reset()
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
