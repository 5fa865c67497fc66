import Synchronization

/// Connects the pure machine, its pipeline and its observers: one lock around the decisions, and one queue for their
/// effects.
///
/// Effects are passed to the pipeline's queue, and events to their streams, while the lock is held, so that both keep
/// the order of the decisions. Blocking calls are never made under the lock.
final class PlayerCore: Sendable {
  /// A report to observers and readers that follows from a decision.
  private enum Report: Equatable {
    case event(Player.Event)
    case notice(TimeObserverScheduler.Notice)
  }

  /// The notices that an observer receives.
  enum Subject {
    case times(TimeObservers.Kind)
    case events
    case metadata(advance: Duration)

    var isEvents: Bool { if case .events = self { true } else { false } }
  }

  /// The state under the lock of a player: the machine, and the values that follow its decisions.
  private struct State {
    private(set) var machine: PlaybackMachine
    var observers = ObserverRegistry()
    var seeks: [SeekTicket: Player.Seek] = [:]
    var preparations = Preparations()
    private var lastNumber: UInt64 = 0
    var wake: MonotonicTime?
    var scheduler = TimeObserverScheduler()
    var anchor = AnchorKeeper()
    var log = PlaybackLog()
    /// The number of transactions in progress, and the reports that wait for their end, in order.
    private var transactions = 0
    private var held: [Report] = []
    private(set) var isClosed = false
    /// The snapshot of the last decision, created when an event or a reader needs it.
    var shared: SharedSnapshot?
    /// Nil unless the configuration requests a recording.
    private(set) var recorder: InputRecorder?

    init(_ configuration: Player.Configuration) {
      machine = PlaybackMachine(configuration: configuration)
      recorder = configuration.recordsInputs ? InputRecorder(limit: configuration.recordingLimit) : nil
    }

    /// Makes a decision of the machine; every input passes here, and nothing else changes the machine.
    mutating func decide(_ input: PlaybackInput, now: MonotonicTime) {
      recorder?.prepare(machine, now: now)
      machine.decide(input, now: now)
      recorder?.note(input, machine, now: now)
    }

    /// Returns the effects of the last decision, and removes them.
    mutating func takeEffects() -> [Effect] { machine.takeEffects() }

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    /// Returns the snapshot of the last decision.
    private mutating func sharedSnapshot(at now: MonotonicTime) -> SharedSnapshot {
      if let shared { return shared }
      var snapshot = machine.snapshot(at: now)
      snapshot.anchor = anchor.anchor
      let new = SharedSnapshot(snapshot)
      shared = new
      return new
    }

    /// Returns the snapshot of the last decision, with the values at `now` that advance without a decision.
    mutating func snapshot(at now: MonotonicTime) -> Player.Snapshot {
      var snapshot = sharedSnapshot(at: now).snapshot
      snapshot.position = machine.position(at: now)
      // The ranges of a file change only with decisions.
      if machine.isStreaming { snapshot.loadedTimeRanges = machine.loadedTimeRanges(at: now) }
      return snapshot
    }

    // MARK: Reports

    /// Reports an event or a notice, or keeps it until the last transaction has ended.
    mutating func report(_ report: Report, at now: MonotonicTime) {
      guard transactions > 0 else { return deliver(report, at: now) }
      // One `changed` reports all changes of a transaction.
      if report == .event(.changed) { held.removeAll { $0 == report } }
      held.append(report)
    }

    private mutating func deliver(_ report: Report, at now: MonotonicTime) {
      switch report {
      case .event(let event): observers.notify(event) { sharedSnapshot(at: now) }
      case .notice(let notice): observers.notify(notice)
      }
    }

    mutating func beginTransaction() { transactions += 1 }

    /// Delivers the reports of the transaction, unless another one is in progress.
    mutating func endTransaction(at now: MonotonicTime) {
      transactions -= 1
      guard transactions == 0 else { return }
      for report in held { deliver(report, at: now) }
      held = []
    }

    // MARK: Observers

    mutating func add(_ delivery: ObserverDelivery, to subject: Subject, as number: UInt64) {
      switch subject {
      case .events: break
      case .times(let kind): scheduler.observe(kind, as: number)
      case .metadata(let advance): scheduler.observeMetadata(advance: advance, as: number)
      }
      observers.add(delivery, as: number, receivesEvents: subject.isEvents)
    }

    /// Removes an observer or a reader; returns the observer, to be released outside the lock.
    mutating func remove(_ number: UInt64) -> ObserverDelivery? {
      scheduler.remove(number)
      return observers.remove(number)
    }

    // MARK: The end

    /// Stops for ever; returns the waiting callers and the observers, to be dismissed outside the lock.
    mutating func close(at now: MonotonicTime) -> (
      seeks: [SeekTicket: Player.Seek], preparations: Preparations, observers: ObserverRegistry
    ) {
      // Readers of a closed player must see it stopped.
      decide(.stop, now: now)
      shared = nil
      for entry in log.follow(machine, after: [], now: now) { observers.notify(entry) }
      _ = takeEffects()
      _ = anchor.follow(machine.playhead(at: now), now: now)
      defer {
        (isClosed, held) = (true, [])
        (seeks, preparations, observers) = ([:], Preparations(), ObserverRegistry())
      }
      return (seeks, preparations, observers)
    }
  }

  private let state: Mutex<State>
  let engine: any PlaybackEngine
  /// The measurements of files; nil if nothing is measured.
  private let loudness: (any LoudnessSource)?
  private let clock: any PlaybackClock
  /// The executor on which observers are called.
  private let executor: any ObserverExecutor
  private let released = ReleasedObservers()

  init(
    configuration: Player.Configuration, engine: any PlaybackEngine, loudness: (any LoudnessSource)?,
    clock: any PlaybackClock, observers: any ObserverExecutor
  ) {
    var configuration = configuration
    if loudness == nil {
      configuration.replayGain?.measurement = nil
      configuration.silenceTrimming = nil
    }
    state = Mutex(State(configuration))
    self.engine = engine
    self.loudness = loudness
    self.clock = clock
    executor = observers
    engine.open(
      EngineClient { [weak self] event in self?.apply(.event(event)) })
    loudness?.open { [weak self] report in self?.apply(.loudness(report)) }
  }

  // MARK: Decisions

  /// Makes one decision of the machine and starts its effects.
  ///
  /// It may be called on any thread, and never waits for the engine.
  func apply(_ input: PlaybackInput) {
    state.withLock { state in
      guard !state.isClosed else { return }
      // The decision after the timer has fired sets it again, even for the same instant.
      if case .wake = input { state.wake = nil }
      decideAndCarryOut(input, &state)
    }
  }

  /// Makes one decision and starts its effects; without an input, only the observers are called that are due.
  private func decideAndCarryOut(_ input: PlaybackInput?, _ state: inout State) {
    let now = clock.now
    let before = state.machine.playhead(before: input, at: now)
    for notice in state.scheduler.advance(before, now: now) { state.report(.notice(notice), at: now) }
    if let input { state.decide(input, now: now) }
    state.shared = nil
    let after = state.machine.playhead(at: now)
    state.scheduler.followsChapters = state.observers.hasEventObservers
    var effects = state.takeEffects()
    if state.anchor.follow(after, now: now) { effects.append(.emit(.changed)) }
    for step in state.scheduler.steps(for: effects, from: before, to: after, now: now) {
      switch step {
      case .effect(.emit(let event)): state.report(.event(event), at: now)
      case .effect(.finishSeek(let ticket, let isDone)): state.seeks.removeValue(forKey: ticket)?.finish(isDone)
      case .effect(.command(let command)): engine.perform(command)
      case .effect(.announceFiles(let groups)): loudness?.announce(groups)
      case .effect(.requestLoudness(let uri, let stream, let isSuccessor)):
        loudness?.request(uri, for: stream, asSuccessor: isSuccessor)
      case .effect(.log): break
      case .notify(let notice): state.report(.notice(notice), at: now)
      }
    }
    for entry in state.log.follow(state.machine, after: effects, now: now) { state.observers.notify(entry) }
    state.preparations.settle(after: effects, in: state.machine)
    let anchorWake = state.observers.hasEventObservers ? state.anchor.nextWake(after, now: now) : nil
    let wake = state.machine.nextWake.lesser(state.scheduler.nextWake(after, now: now)).lesser(anchorWake)
    if wake != state.wake {
      state.wake = wake
      clock.setWake(at: wake) { [weak self] in self?.apply(.wake) }
    }
  }

  /// Carries out several commands, and reports their events together with the snapshot after the last of them.
  func transaction<Result>(_ commands: () -> Result) -> Result {
    state.withLock { $0.beginTransaction() }
    defer { state.withLock { $0.endTransaction(at: clock.now) } }
    return commands()
  }

  // MARK: Reading

  var snapshot: Player.Snapshot {
    state.withLock { state in
      let now = clock.now
      if !state.isClosed, state.machine.wantsSample(now: now) { decideAndCarryOut(.sampleForReader, &state) }
      let stream = state.machine.token
      if state.machine.isStreaming, !state.machine.loaded.isSeeking, let progress = engine.progress(of: stream),
        progress != state.machine.loaded.buffer.progress
      {
        state.decide(.progress(progress, of: stream), now: now)
      }
      return state.snapshot(at: now)
    }
  }

  /// The inner state, for the simulation; reading it does not cause a decision.
  var internals: PlayerInternals {
    state.withLock { state in
      PlayerInternals(
        state.snapshot(at: clock.now), state.machine, wake: state.wake, seeks: state.seeks.count,
        preparations: state.preparations.count, observers: state.observers.count)
    }
  }

  /// The recorded inputs; nil if there are none.
  var recording: PlaybackRecording? { state.withLock { $0.recorder?.recording } }

  /// Returns a value of the machine as of the last decision.
  func value<Value: Sendable>(_ read: (borrowing PlaybackMachine) -> Value) -> Value {
    state.withLock { read($0.machine) }
  }

  func events() -> AsyncStream<Player.Event> { makeStream { $0.add($1, as: $2) } }

  /// Makes a stream that buffers the latest 1,024 elements, and registers its reader; the stream of a closed player has
  /// ended.
  private func makeStream<Element: Sendable>(
    _ add: (inout ObserverRegistry, AsyncStream<Element>.Continuation, UInt64) -> Void
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1024))
    if let remove = register({ state, number in add(&state.observers, continuation, number) }) {
      continuation.onTermination = { _ in remove() }
    } else {
      continuation.finish()
    }
    return stream
  }

  // MARK: Logs

  var accessLog: [Player.AccessLogEntry] { state.withLock { $0.log.access(at: clock.now) } }

  var errorLog: [Player.ErrorLogEntry] { state.withLock { $0.log.errors } }

  func logEntries() -> AsyncStream<Player.LogEntry> { makeStream { $0.add($1, as: $2) } }

  // MARK: Seeks

  /// Seeks, if `isValid` accepts the machine; the check and the seek are one step.
  func seek(
    to position: Duration, within tolerance: Player.SeekTolerance, if isValid: (borrowing PlaybackMachine) -> Bool
  ) -> Player.Seek {
    let seek = Player.Seek()
    state.withLock { state in
      guard !state.isClosed, isValid(state.machine) else { return seek.finish(false) }
      let ticket = SeekTicket(number: state.nextNumber())
      state.seeks[ticket] = seek
      decideAndCarryOut(.seek(to: position, within: tolerance, ticket), &state)
    }
    return seek
  }

  /// Loads the current item unless that has been done, and waits until it is ready.
  func prepare() async throws {
    let number = state.withLock { $0.nextNumber() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Preparations.Waiter) in
        state.withLock { state in
          // A cancellation after this line finds the waiter.
          guard !Task.isCancelled else { return waiter.resume(throwing: CancellationError()) }
          guard !state.isClosed else { return waiter.resume(throwing: Preparations.closed) }
          guard let item = state.machine.queue.current else { return waiter.resume(throwing: Preparations.noItem) }
          state.preparations.add(waiter, for: item.id, as: number)
          decideAndCarryOut(.prepare, &state)
        }
      }
    } onCancel: { [weak self, clock] in
      // Called under a lock of the task. Resuming the task under the player's lock may wait for that lock. Never lock
      // here.
      clock.run { [weak self] in
        self?.state.withLock { $0.preparations.remove(number) }?.resume(throwing: CancellationError())
      }
    }
  }

  // MARK: Observers

  /// Adds an observer that receives a kind of value.
  ///
  /// `ending` is called when the observer is cancelled or the player is closed, or at once if it already is.
  func addObserver<Value>(
    of subject: Subject, _ value: @escaping @Sendable (ObserverDelivery.Notice) -> Value?,
    _ body: @escaping @Sendable (Value) -> Void, ending: @escaping @Sendable () -> Void = {}
  ) -> Player.Observer {
    let delivery = ObserverDelivery(
      executor, { notice in if let value = value(notice) { body(value) } }, ending: ending)
    return add(delivery, to: subject)
  }

  /// Adds an observer that is called on an actor.
  func addObserver<Value>(
    of subject: Subject, on actor: isolated any Actor, _ value: @escaping (ObserverDelivery.Notice) -> Value?,
    _ body: @escaping (Value) -> Void
  ) -> Player.Observer {
    let delivery = ObserverDelivery.onActor(actor) { notice in if let value = value(notice) { body(value) } }
    return add(delivery, to: subject)
  }

  /// Returns an observer as a sequence: it is removed when its reader ends, and finishes when the player is closed.
  func sequence<Element: Sendable>(
    of subject: Subject, _ element: @escaping @Sendable (ObserverDelivery.Notice) -> Element?, limit: Int = 1024
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
    let observation = addObserver(of: subject, element, { continuation.yield($0) }, ending: { continuation.finish() })
    continuation.onTermination = { _ in observation.cancel() }
    return stream
  }

  private func add(_ delivery: ObserverDelivery, to subject: Subject) -> Player.Observer {
    let remove = register { state, number in state.add(delivery, to: subject, as: number) }
    if remove == nil { delivery.cancel() }
    return Player.Observer(delivery, remove: remove ?? {})
  }

  /// Registers an observer or a reader with `add`; returns its removal, nil if the player is closed.
  private func register(_ add: (inout State, UInt64) -> Void) -> (@Sendable () -> Void)? {
    let number: UInt64? = state.withLock { state in
      guard !state.isClosed else { return nil }
      // Boundaries crossed and chapters begun before this call must not be reported to the new observer.
      decideAndCarryOut(nil, &state)
      let number = state.nextNumber()
      add(&state, number)
      decideAndCarryOut(nil, &state)
      return number
    }
    guard let number else { return nil }
    // An observation may be released anywhere. A cancelled reader calls this under a lock of its task, and a yield under
    // the player's lock may wait for that one. Never lock here.
    return { [weak self, clock, released] in
      if released.add(number) { clock.run { [weak self] in self?.forgetReleased() } }
    }
  }

  /// Removes the released observers and readers with one decision: all players share the queue that calls this.
  private func forgetReleased() {
    let removed = state.withLock { state in
      let removed = released.take().compactMap { state.remove($0) }
      if !state.isClosed { decideAndCarryOut(nil, &state) }
      return removed
    }
    // Releasing an observer's closure may run any code of the client.
    if !removed.isEmpty { executor.run { withExtendedLifetime(removed) {} } }
  }

  // MARK: Closing

  func close() {
    let (seeks, preparations, observers) = state.withLock { $0.close(at: clock.now) }
    observers.dismiss()
    for seek in seeks.values { seek.finish(false) }
    preparations.dismiss()
    clock.setWake(at: nil) {}
    engine.close()
    loudness?.close()
  }

  func closed() async {
    close()
    await engine.closed()
    await loudness?.closed()
  }
}
