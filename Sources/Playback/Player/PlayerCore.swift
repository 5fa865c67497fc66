import Synchronization

/// Connects the pure machine, its pipeline and its observers: one lock around the decisions, and one queue for their
/// effects.
///
/// Effects are passed to the pipeline's queue, and events to their streams, while the lock is held, so that both keep
/// the order of the decisions. Blocking calls are never made under the lock.
final class PlayerCore: Sendable {
  private let state: Mutex<State>
  let engine: any PlaybackEngine
  /// The measurements of files; nil if nothing is measured.
  private let loudness: (any LoudnessSource)?
  private let clock: any PlaybackClock
  /// The executor on which observers are called.
  private let observers: any ObserverExecutor
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
    self.observers = observers
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
    for notice in state.timeScheduler.advance(before, now: now) { state.report(.notice(notice), at: now) }
    if let input { state.decide(input, now: now) }
    state.shared = nil
    let after = state.machine.playhead(at: now)
    state.timeScheduler.isFollowed = state.observerRegistry.hasEventObservers
    var effects = state.takeEffects()
    if state.anchor.follow(after, now: now) { effects.append(.emit(.changed)) }
    for step in state.timeScheduler.steps(for: effects, from: before, to: after, now: now) {
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
    for entry in state.log.follow(state.machine, after: effects, now: now) { state.observerRegistry.notify(entry) }
    state.preparations.settle(after: effects, in: state.machine)
    let anchorWake = state.observerRegistry.hasEventObservers ? state.anchor.nextWake(after, now: now) : nil
    let wake = state.machine.nextWake.lesser(state.timeScheduler.nextWake(after, now: now)).lesser(anchorWake)
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
  var inspection: PlayerInspection {
    state.withLock { state in
      let snapshot = state.snapshot(at: clock.now)
      return PlayerInspection(state, snapshot)
    }
  }

  /// The recorded inputs; nil if there are none.
  var recording: PlaybackRecording? { state.withLock { $0.recorder?.recording } }

  /// Returns a value of the machine as of the last decision.
  func value<Value: Sendable>(_ read: (borrowing PlaybackMachine) -> Value) -> Value {
    state.withLock { read($0.machine) }
  }

  func events() -> AsyncStream<Player.Event> { makeStream(\.readers) }

  /// Makes a stream that buffers the latest 1,024 elements, and registers its reader; the stream of a closed player has
  /// ended.
  private func makeStream<Element: Sendable>(
    _ readers: WritableKeyPath<ObserverRegistry, [UInt64: AsyncStream<Element>.Continuation]>
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1024))
    if let remove = register({ state, number in state.observerRegistry[keyPath: readers][number] = continuation }) {
      continuation.onTermination = { _ in remove() }
    } else {
      continuation.finish()
    }
    return stream
  }

  // MARK: Logs

  var accessLog: [Player.AccessLogEntry] { state.withLock { $0.log.access(at: clock.now) } }

  var errorLog: [Player.ErrorLogEntry] { state.withLock { $0.log.errors } }

  func logEntries() -> AsyncStream<Player.LogEntry> { makeStream(\.logReaders) }

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
          state.preparations.waiters[number] = (item.id, waiter)
          decideAndCarryOut(.prepare, &state)
        }
      }
    } onCancel: { [weak self, clock] in
      // Called under a lock of the task. Resuming the task under the player's lock may wait for that lock. Never lock
      // here.
      clock.run { [weak self] in
        self?.state.withLock { $0.preparations.waiters.removeValue(forKey: number) }?
          .waiter.resume(throwing: CancellationError())
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
      observers, { notice in if let value = value(notice) { body(value) } }, ending: ending)
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
    if !removed.isEmpty { observers.run { withExtendedLifetime(removed) {} } }
  }

  // MARK: Closing

  func close() {
    let (seeks, preparations, observerRegistry) = state.withLock { $0.close(at: clock.now) }
    observerRegistry.dismiss()
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
