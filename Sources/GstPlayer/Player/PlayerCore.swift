import Dispatch
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

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state: Mutex<State>
  /// The queue of all players for due decisions, and for what may not be done under the lock; nothing here blocks.
  ///
  /// With a queue for each player, libdispatch would start a thread for each one that is closed at the same time, and
  /// would keep them all for 5 s.
  private static let wakeQueue = DispatchQueue(label: "org.playerd.players")
  private let timer: WakeTimer
  private let host: PipelineHost
  /// Where observers are called.
  private let observerQueue = DispatchQueue(label: "org.playerd.observers")

  init(configuration: PlayerConfiguration) {
    state = Mutex(State(machine: PlaybackMachine(configuration: configuration)))
    timer = WakeTimer(queue: Self.wakeQueue)
    host = PipelineHost(configuration: configuration, queue: Self.wakeQueue)
  }

  private func makeReports() -> Pipeline.Reports {
    Pipeline.Reports(
      asyncDone: { [weak self] stream, facts in self?.apply { $0.settled(stream, facts, now: $1) } },
      running: { [weak self] stream, position in self?.apply { $0.running(stream, position: position, now: $1) } },
      seekRefused: { [weak self] stream, position in self?.apply { $0.seekRefused(stream, position: position, now: $1) }
      },
      sampled: { [weak self] stream, position, progress in
        self?.apply {
          $0.follow(progress, of: stream)
          $0.sampled(stream, position: position, now: $1)
        }
      },
      nextStarted: { [weak self] stream, delay, facts, previousEnd in
        self?.apply { $0.nextStarted(stream, in: delay, facts, previousEnd: previousEnd, now: $1) }
      },
      ended: { [weak self] stream, position in
        self?.apply { machine, _ in machine.noteEnd(of: stream, at: position) }
        self?.apply { $0.endOfStream(stream, now: $1) }
      },
      endMissed: { [weak self] stream in self?.apply { machine, _ in machine.endMissed(stream) } },
      startMissed: { [weak self] stream in self?.apply { $0.startMissed(stream, now: $1) } },
      durationChanged: { [weak self] stream, duration in
        self?.apply { machine, _ in machine.durationChanged(stream, duration) }
      },
      sound: { [weak self] volume, muted in
        self?.apply { machine, _ in machine.volumeChangedOutside(volume: volume, isMuted: muted) }
      },
      fallEnds: { [weak self] delay in self?.apply { $0.fallEnds(in: delay, now: $1) } },
      message: { [weak self] message in self?.apply { $0.handle(message, now: $1) } })
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
    let now = MonotonicTime.now
    let before = state.machine.course(at: now)
    for notice in state.course.advance(before, now: now) { state.audience.tell(notice) }
    let result = decide(&state.machine, now)
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
      case .perform(.finishSeek(let ticket, let finished)):
        state.seeks.removeValue(forKey: ticket)?.resume(returning: finished)
      case .perform(let effect): host.perform(effect)
      }
    }
    let anchorWake = state.audience.hearsEvents ? state.anchor.nextWake(after, now: now) : nil
    let wake = [state.machine.nextWake, state.course.nextWake(after, now: now), anchorWake].compactMap { $0 }.min()
    if wake != state.wake {
      state.wake = wake
      timer.set(wake) { [weak self] in self?.timerFired() }
    }
  }

  /// Called on a streaming thread: decides at once.
  private func offerNext(for stream: StreamToken) -> HandOver.Offer? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      return decideAndCarryOut(&state) { $0.offerNext(for: stream, now: $1) }
    }
  }

  // MARK: Reading

  var snapshot: Player.Snapshot {
    state.withLock { state in
      let now = MonotonicTime.now
      if !state.isClosed, state.machine.wantsSample(now: now) {
        decideAndCarryOut(&state) { $0.sampleForReader(now: $1) }
      }
      let stream = state.machine.token
      if state.machine.isStreaming, let progress = host.progress(of: stream) {
        state.machine.follow(progress, of: stream)
      }
      var snapshot = state.machine.snapshot(at: now)
      snapshot.anchor = state.anchor.anchor
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
    continuation.onTermination = { [weak self] _ in
      Self.wakeQueue.async { [weak self] in self?.forget(number) }
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
    let delivery = ObserverDelivery(queue: observerQueue, body)
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
    return PlayerObservation(delivery) { [weak self] in
      // Never under the lock here: an observation may be dropped anywhere.
      Self.wakeQueue.async { [weak self] in if let number { self?.forget(number) } }
    }
  }

  private func forget(_ number: UInt64) {
    let removed = state.withLock { state in
      state.course.observers.remove(TimeObservers.ID(number: number))
      if !state.isClosed { decideAndCarryOut(&state) { _, _ in } }
      return state.audience.remove(number)
    }
    // Releasing an observer's closure may run any code of the client.
    if removed.observer != nil { observerQueue.async { withExtendedLifetime(removed) {} } }
  }

  // MARK: Life

  func open() {
    host.open(
      PipelineHost.Callbacks(
        reports: makeReports(),
        offerNext: { [weak self] stream in self?.offerNext(for: stream) },
        replaced: { [weak self] hang in self?.apply { $0.pipelineWasReplaced(after: hang, now: $1) } },
        refused: { [weak self] stream in
          self?.apply { $0.failed(stream, PlayerError(.output, PipelineHost.Hang.output.sentence), now: $1) }
        }))
  }

  func close() {
    let (seeks, audience) = state.withLock { state in
      // What is read of a closed player is the truth: it is stopped.
      state.machine.stop(now: .now)
      _ = state.machine.takeEffects()
      _ = state.anchor.follow(state.machine.course(at: .now), now: .now)
      defer {
        state.isClosed = true
        state.seeks = [:]
        state.audience = Audience()
      }
      return (state.seeks, state.audience)
    }
    audience.dismiss()
    for seek in seeks.values { seek.resume(returning: false) }
    timer.set(nil) {}
    host.close()
  }

  func closed() async {
    close()
    await host.closed()
  }
}

extension PlaybackMachine {
  /// The messages that need no query of the pipeline.
  mutating func handle(_ message: BusMessage, now: MonotonicTime) {
    switch message {
    case .error(let stream, let error): failed(stream, error, now: now)
    case .warning(let text): emit(.warning(text))
    case .tags(let stream, let tags, let scope): tagsChanged(stream, tags, about: scope)
    case .tagsOver(let stream): tagsOver(stream)
    case .audioTracks(let stream, let tracks, let current): audioTracksFound(stream, tracks, current: current)
    case .chapters(let stream, let marks): chaptersChanged(stream, marks)
    case .buffering(let stream, let percent, let progress): buffering(stream, percent: percent, progress, now: now)
    case .outputRemoved(let id): outputRemoved(id, now: now)
    case .outputFound: outputFound(now: now)
    case .outputMade(let isSilent): outputMade(isSilent: isSilent)
    case .outputInUse(let id): outputInUse(id)
    case .asyncDone, .playing, .endOfStream, .durationChanged, .nextSegment, .fallEnds, .volumeChanged, .clockLost,
      .latencyChanged:
      break
    }
  }
}

/// A reference that is set once and cleared once, from any thread.
final class OnceBox<Value: AnyObject & Sendable>: Sendable {
  private let storage = Mutex<Value?>(nil)
  var value: Value? { storage.withLock { $0 } }
  func set(_ value: Value) { storage.withLock { $0 = value } }
  func clear() { storage.withLock { $0 = nil } }
}
