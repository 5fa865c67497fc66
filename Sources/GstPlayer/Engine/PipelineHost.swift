import Dispatch
import Playback
import Synchronization

/// Runs a player's pipeline, and puts another in its place when it hangs inside GStreamer.
///
/// A call that does not return cannot be ended: its thread and its playbin are left behind, and let go should it return
/// after all.
final class PipelineHost: PlaybackEngine {
  /// A pipeline and where it runs; once it is left behind, nothing is done with it any more.
  private struct Place: Sendable {
    let executor: PipelineExecutor
    let context: PipelineContext
    let pipeline: OnceBox<Pipeline>
  }

  private struct State {
    var client: EngineClient?
    var place: Place?
    /// The output that was chosen instead of the configured one.
    var sink: String?
    var leftBehind = 0
    /// How many of those hang in the output, where a new one would hang too.
    var inOutput = 0
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// What may be left behind at a time; the threads of more would be too dear.
  private static let limit = 8

  private let configuration: PlayerConfiguration
  private let watchdog: PipelineWatchdog
  private let sinkMemory = AudioSink.Memory()
  private let state = Mutex(State())
  /// The load that was decided last; those before it that have not begun are left out.
  private let newestLoad = Atomic<UInt64>(0)

  init(configuration: PlayerConfiguration) {
    self.configuration = configuration
    watchdog = PipelineWatchdog(queue: DispatchClock.queue)
  }

  // MARK: Life

  /// Starts GStreamer and makes the first pipeline, in the background.
  func open(_ client: EngineClient) {
    state.withLock { state in
      state.client = client
      state.place = makePlace(client, sink: state.sink)
    }
  }

  private func makePlace(_ client: EngineClient, sink: String?) -> Place {
    var configuration = configuration
    if let sink { configuration.audioSink = sink }
    let executor = PipelineExecutor(label: "org.playerd.pipeline")
    let box = OnceBox<Pipeline>()
    let context = PipelineContext(
      preferredAudioLanguages: configuration.preferredAudioLanguages,
      deliver: { message in executor.queue.async { box.value?.assumeIsolated { $0.handle(message) } } },
      nextStream: client.nextStream)
    let place = Place(executor: executor, context: context, pipeline: box)
    box.set(
      Pipeline(
        configuration: configuration, sinkMemory: sinkMemory, executor: executor, context: context,
        report: client.report))
    // The first start of GStreamer may look at every plug-in there is; an output that hangs is not waited for.
    watchdog.hold()
    let watchdog = watchdog
    executor.queue.async {
      box.value?.assumeIsolated { $0.open() }
      watchdog.release()
    }
    return place
  }

  /// Lets go of the pipeline; nothing is reported afterwards.
  func close() {
    state.withLock { state in
      guard !state.isClosed, let place = state.place else { return }
      state.isClosed = true
      let ticket = expect(.tearDown, at: place)
      place.executor.queue.async { [watchdog] in
        place.pipeline.value?.assumeIsolated { $0.close() }
        place.pipeline.clear()
        watchdog.done(ticket)
        // After what the end of the pipeline has left to do.
        place.executor.queue.async { self.left(place) }
      }
    }
  }

  /// Waits until the pipeline that was closed is gone, or left behind.
  func closed() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        guard state.place != nil else { return true }
        state.waiters.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  private func left(_ place: Place) {
    let waiters = state.withLock { state in
      guard state.place?.pipeline === place.pipeline else { return [CheckedContinuation<Void, Never>]() }
      state.place = nil
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Reading

  /// How far a stream has come by now; never waits for the pipeline.
  func progress(of stream: StreamToken) -> StreamProgress? {
    state.withLock { $0.place?.context }?.progress(of: stream)
  }

  // MARK: Effects

  /// Does what the machine decided, in order; never waits for it.
  func perform(_ command: EngineCommand) {
    switch command {
    case .load(let uri, let stream): load(uri, stream)
    case .unload:
      newestLoad.store(0, ordering: .relaxed)
      enqueue(.tearDown) { $0.perform(command) }
    case .setPlaying, .seek: enqueue(.item) { $0.perform(command) }
    case .setSink(let description): useSink(description)
    default: enqueue(nil) { $0.perform(command) }
    }
  }

  private func load(_ uri: String, _ stream: StreamToken) {
    newestLoad.store(stream.number, ordering: .relaxed)
    let isRefused = state.withLock { $0.inOutput > 0 }
    guard !isRefused else {
      return DispatchClock.queue.async { [weak self] in
        self?.state.withLock { $0.client }?.report(.failed(stream, PlayerError(.output, EngineHang.output.sentence)))
      }
    }
    enqueue(.tearDown) { [weak self] in if self?.isNewest(stream) == true { $0.makeRoom() } }
    enqueue(.output) { [weak self] in if self?.isNewest(stream) == true { $0.load(uri, stream) } }
  }

  /// Makes a pipeline for another output; the old one, and what it still posts, is let go where nothing waits for it.
  private func useSink(_ description: String?) {
    state.withLock { state in
      state.sink = description
      guard !state.isClosed, let client = state.client, let old = state.place else { return }
      if let pipeline = old.pipeline.value { leave(old, pipeline, isInOutput: false, &state) }
      state.place = makePlace(client, sink: description)
    }
  }

  private func isNewest(_ stream: StreamToken) -> Bool { newestLoad.load(ordering: .relaxed) == stream.number }

  /// Hands work to the pipeline; when it waits or works too long, that is taken for `hang`.
  private func enqueue(_ hang: EngineHang?, _ work: @escaping @Sendable (isolated Pipeline) -> Void) {
    state.withLock { state in
      guard !state.isClosed, let place = state.place else { return }
      let ticket = hang.map { expect($0, at: place) }
      place.executor.queue.async { [watchdog] in
        place.pipeline.value?.assumeIsolated(work)
        if let ticket { watchdog.done(ticket) }
      }
    }
  }

  // MARK: What hangs

  private func expect(_ hang: EngineHang, at place: Place) -> PipelineWatchdog.Ticket {
    // Of what is played every call may wait for its source, for as long as its load may take.
    let limit = hang == .item ? configuration.loadTimeout : configuration.patience
    return watchdog.expect(within: limit) { [weak self] in self?.overdue(hang, at: place) }
  }

  private func overdue(_ hang: EngineHang, at place: Place) {
    let isInOutput = place.context.isOutputBusy
    // An item that does not open has a time-out of its own.
    guard hang != .output || isInOutput else { return }
    let client: EngineClient? = state.withLock { state in
      guard state.place?.pipeline === place.pipeline, let pipeline = place.pipeline.value else { return nil }
      guard state.leftBehind < Self.limit || state.isClosed else { return nil }
      leave(place, pipeline, isInOutput: isInOutput, &state)
      guard !state.isClosed, let client = state.client else { return nil }
      state.place = makePlace(client, sink: state.sink)
      return client
    }
    left(place)
    client?.report(.replaced(after: isInOutput ? .output : hang))
  }

  private func leave(_ place: Place, _ pipeline: Pipeline, isInOutput: Bool, _ state: inout State) {
    // What is queued for it finds nothing any more, once the call returns.
    place.pipeline.clear()
    watchdog.reset()
    state.leftBehind += 1
    if isInOutput { state.inOutput += 1 }
    place.executor.queue.async {
      pipeline.assumeIsolated { $0.close() }
      self.state.withLock { state in
        state.leftBehind -= 1
        if isInOutput { state.inOutput -= 1 }
      }
    }
  }
}
