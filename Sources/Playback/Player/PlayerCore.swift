import Synchronization

/// Where the pure machine meets its pipeline and its listeners: one lock around the decisions, one queue for what they
/// cause.
///
/// Effects are handed to the pipeline's queue, and events to their streams, while the lock is held, so that both keep
/// the order of the decisions; nothing that blocks is called under the lock.
final class PlayerCore: Sendable {
  private struct State {
    var machine: PlaybackMachine
    var audience = Audience()
    var seeks: [SeekTicket: CheckedContinuation<Bool, Never>] = [:]
    var lastNumber: UInt64 = 0
    var wake: MonotonicTime?
    var course = CourseWatch()
    var anchor = AnchorKeeper()
    var isClosed = false
    /// The snapshot since the last decision, which all its readers share; each gets its own position.
    var shared: Player.Snapshot?

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state: Mutex<State>
  private let engine: any PlaybackEngine
  private let clock: any PlaybackClock
  /// Where observers are called.
  private let observers: any ObserverExecutor

  init(
    configuration: PlayerConfiguration, engine: any PlaybackEngine, clock: any PlaybackClock,
    observers: any ObserverExecutor
  ) {
    state = Mutex(State(machine: PlaybackMachine(configuration: configuration)))
    self.engine = engine
    self.clock = clock
    self.observers = observers
  }

  // MARK: Decisions

  /// Runs one decision of the machine and sets its effects in motion.
  ///
  /// Any thread; never waits for the pipeline.
  func apply(_ decide: (inout PlaybackMachine, MonotonicTime) -> Void) {
    state.withLock { state in
      guard !state.isClosed else { return }
      decideAndCarryOut(&state) { decide(&$0, $1) }
    }
  }

  /// The timer is used up: whatever is due next sets it again, were it the same instant.
  private func timerFired() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.wake = nil
      decideAndCarryOut(&state) { $0.wake(now: $1) }
    }
  }

  private func decideAndCarryOut<Result>(
    _ state: inout State, _ decide: (inout PlaybackMachine, MonotonicTime) -> Result
  ) -> Result {
    let now = clock.now
    let before = state.machine.course(at: now)
    for notice in state.course.advance(before, now: now) { state.audience.tell(notice) }
    let result = decide(&state.machine, now)
    state.shared = nil
    carryOut(&state, before: before, now: now)
    return result
  }

  private func carryOut(_ state: inout State, before: Course, now: MonotonicTime) {
    let after = state.machine.course(at: now)
    state.course.isFollowed = state.audience.hearsEvents
    let effects = state.machine.takeEffects() + (state.anchor.follow(after, now: now) ? [.emit(.changed)] : [])
    for step in state.course.steps(for: effects, from: before, to: after, now: now) {
      switch step {
      case .tell(let event): state.audience.tell(event)
      case .notify(let notice): state.audience.tell(notice)
      case .finishSeek(let ticket, let isDone): state.seeks.removeValue(forKey: ticket)?.resume(returning: isDone)
      case .command(let command): engine.perform(command)
      }
    }
    let anchorWake = state.audience.hearsEvents ? state.anchor.nextWake(after, now: now) : nil
    let wake = [state.machine.nextWake, state.course.nextWake(after, now: now), anchorWake].compactMap { $0 }.min()
    if wake != state.wake {
      state.wake = wake
      clock.setWake(at: wake) { [weak self] in self?.timerFired() }
    }
  }

  /// Called on a streaming thread: decides at once.
  private func nextStream(after stream: StreamToken) -> NextStream? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      return decideAndCarryOut(&state) { $0.offerNext(for: stream, now: $1) }
    }
  }

  // MARK: Reading

  var snapshot: Player.Snapshot {
    state.withLock { state in
      let now = clock.now
      if !state.isClosed, state.machine.wantsSample(now: now) {
        decideAndCarryOut(&state) { $0.sampleForReader(now: $1) }
      }
      let stream = state.machine.token
      if state.machine.isStreaming, let progress = engine.progress(of: stream) {
        state.machine.follow(progress, of: stream)
      }
      var snapshot = state.shared ?? state.machine.snapshot(at: now)
      snapshot.position = state.machine.position(at: now)
      snapshot.loadedTimeRanges = state.machine.loadedTimeRanges(at: now)
      snapshot.anchor = state.anchor.anchor
      state.shared = snapshot
      return snapshot
    }
  }

  var items: [PlayerItem] { state.withLock { $0.machine.queue.items } }

  var playOrder: [Int]? { state.withLock { $0.machine.queue.order } }

  var queue: (items: [PlayerItem], currentIndex: Int?) {
    state.withLock { ($0.machine.queue.items, $0.machine.queue.currentIndex) }
  }

  func events() -> AsyncStream<PlayerEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: PlayerEvent.self, bufferingPolicy: .bufferingNewest(1024))
    let number: UInt64? = state.withLock { state in
      guard !state.isClosed else { return nil }
      let number = state.nextNumber()
      // The chapter that play is in by now is none of the new reader's news.
      decideAndCarryOut(&state) { _, _ in }
      state.audience.add(continuation, as: number)
      decideAndCarryOut(&state) { _, _ in }
      return number
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    // A cancelled reader comes here under a lock of its task's, which a yield under ours may be waiting for: never
    // lock here.
    continuation.onTermination = { [weak self, clock] _ in
      clock.run { [weak self] in self?.forget(number) }
    }
    return stream
  }

  func seek(to position: Duration, within tolerance: Player.SeekTolerance) async -> Bool {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        guard !state.isClosed else { return continuation.resume(returning: false) }
        let ticket = SeekTicket(number: state.nextNumber())
        state.seeks[ticket] = continuation
        decideAndCarryOut(&state) { $0.seek(to: position, within: tolerance, ticket: ticket, now: $1) }
      }
    }
  }

  // MARK: Observers

  /// Adds a time observer; `ending` is called when the player is closed before it is cancelled, at once when it is
  /// already.
  func addObserver(
    _ kind: TimeObservers.Kind, _ body: @escaping @Sendable (ObserverDelivery.Notice) -> Void,
    ending: (@Sendable () -> Void)? = nil
  ) -> PlayerObservation {
    addObserver(body, ending) { state, delivery, number in
      let id = TimeObservers.ID(number: number)
      state.course.observers.add(kind, as: id)
      state.audience.add(delivery, as: id)
    }
  }

  func addEventObserver(_ body: @escaping @Sendable (ObserverDelivery.Notice) -> Void) -> PlayerObservation {
    addObserver(body, nil) { state, delivery, number in state.audience.add(delivery, as: number) }
  }

  private func addObserver(
    _ body: @escaping @Sendable (ObserverDelivery.Notice) -> Void, _ ending: (@Sendable () -> Void)?,
    _ add: (inout State, ObserverDelivery, UInt64) -> Void
  ) -> PlayerObservation {
    let delivery = ObserverDelivery(observers, body)
    let number: UInt64? = state.withLock { state in
      guard !state.isClosed else { return nil }
      let number = state.nextNumber()
      // What was traversed until now is none of the new observer's.
      decideAndCarryOut(&state) { _, _ in }
      add(&state, delivery, number)
      if let ending { state.audience.add(ending: ending, as: number) }
      decideAndCarryOut(&state) { _, _ in }
      return number
    }
    if number == nil { ending?() }
    return PlayerObservation(delivery) { [weak self, clock] in
      // Never under the lock here: an observation may be dropped anywhere.
      clock.run { [weak self] in if let number { self?.forget(number) } }
    }
  }

  private func forget(_ number: UInt64) {
    let removed = state.withLock { state in
      state.course.observers.remove(TimeObservers.ID(number: number))
      if !state.isClosed { decideAndCarryOut(&state) { _, _ in } }
      return state.audience.remove(number)
    }
    // Releasing an observer's closure may run any code of the client.
    if removed.observer != nil { observers.run { withExtendedLifetime(removed) {} } }
  }

  // MARK: Life

  func open() {
    engine.open(
      EngineClient(
        report: { [weak self] event in self?.apply { $0.handle(event, now: $1) } },
        nextStream: { [weak self] stream in self?.nextStream(after: stream) }))
  }

  func close() {
    let (seeks, audience) = state.withLock { state in
      // What is read of a closed player is the truth: it is stopped.
      let now = clock.now
      state.machine.stop(now: now)
      state.shared = nil
      _ = state.machine.takeEffects()
      _ = state.anchor.follow(state.machine.course(at: now), now: now)
      defer {
        state.isClosed = true
        state.seeks = [:]
        state.audience = Audience()
      }
      return (state.seeks, state.audience)
    }
    audience.dismiss()
    for seek in seeks.values { seek.resume(returning: false) }
    clock.setWake(at: nil) {}
    engine.close()
  }

  func closed() async {
    close()
    await engine.closed()
  }
}
