import CGst
import Dispatch
import EngineProcess
import Joining
import Playback
import PlayerClock
import Synchronization

/// The engine in the player's process: a playout, a deck for each open stream, and one output for all streams.
///
/// The playout runs on a queue on which nothing blocks. A deck that hangs or fails is closed; the others continue. The output has a
/// separate executor, because a device may block it while it opens or closes. If that takes too long, the executor and its output
/// are abandoned, the decks are closed, and another playout begins with the same settings and no stream.
final class DeckEngine: PlaybackEngine {
  private struct State {
    var client: EngineClient?
    var playout: Playout
    /// Nil when it is closed and released.
    var output: OutputEngine?
    /// For each selected output, the number of abandoned executors that hang in it, where a new one would hang too.
    var hanging: [String?: Int] = [:]
    var isClosed = false
    var decks: DeckHost
    /// The decks of abandoned outputs.
    var abandoned: [DeckHost] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The maximum number of abandoned executors, because their threads cost memory.
  private static let limit = 8

  private let configuration: Player.Configuration
  private let sound: OutputSound
  private let makeClock: @Sendable (DispatchQueue) -> any PlaybackClock
  private let startsOnDemand: Bool
  /// It does not have a separate thread.
  private let queue = DispatchQueue(label: "org.playerd.playout", target: DispatchClock.queue)
  private let state: Mutex<State>
  private let link = Link<DeckEngine>()

  /// Creates an engine, whose samples are compared by `verifier`, or changed by `mix`.
  ///
  /// It makes its output when it is opened, or on demand, with the first stream.
  init(
    configuration: Player.Configuration, verifier: SampleVerifier? = nil, mix: SoundMix? = nil,
    startsOnDemand: Bool = false,
    makeClock: @escaping @Sendable (DispatchQueue) -> any PlaybackClock = { DispatchClock(queue: $0) }
  ) {
    (self.configuration, self.makeClock) = (configuration, makeClock)
    self.startsOnDemand = startsOnDemand
    sound = OutputSound(verifier: verifier, mix: mix)
    let settings = EngineSettings(configuration)
    let decks = Self.makeDecks(configuration, sound.verifier, link)
    state = Mutex(State(playout: Playout(configuration, settings), decks: decks))
    link.object = self
    state.withLock { $0.output = makeOutput(settings) }
  }

  private static func makeDecks(
    _ configuration: Player.Configuration, _ verifier: SampleVerifier?, _ link: Link<DeckEngine>
  ) -> DeckHost {
    DeckHost(configuration, verifier: verifier) { stream, report in
      link.object?.enqueue { engine in engine.change { $0.take(report, of: stream) } }
    }
  }

  private func makeOutput(_ settings: EngineSettings) -> OutputEngine {
    let link = Link<OutputEngine>()
    let output = OutputEngine(
      PipelineExecutor(label: "org.playerd.engine"), configuration, settings, sound,
      makeClock: makeClock
    ) { [weak self] sink in
      self?.abandon(link.object, hangingIn: sink) ?? true
    } report: { [weak self] report in
      self?.enqueue { engine in
        guard engine.state.withLock({ $0.output != nil && $0.output === link.object }) else { return }
        engine.change { $0.take(report) }
      }
    }
    link.object = output
    return output
  }

  func open(_ client: EngineClient) {
    let output = state.withLock { state in
      state.client = client
      return state.output
    }
    if let output, !startsOnDemand { perform(on: output) { $0.makeRenderer() } }
  }

  func perform(_ command: EngineCommand) {
    if !state.withLock({ $0.isClosed }) { enqueue { $0.carryOut(command) } }
  }

  private func carryOut(_ command: EngineCommand) {
    let isHanging = state.withLock { $0.hanging[$0.playout.settings.sink, default: 0] > 0 }
    if case .open = command, isHanging {
      return report(.output(.failed(.hungOutput)))
    }
    change { $0.perform(command) }
  }

  func progress(of stream: StreamToken) -> StreamProgress? { state.withLock { $0.decks }.progress(of: stream) }

  // MARK: Playout

  /// Runs work on the queue of the playout, after the earlier work.
  private func enqueue(_ work: @escaping @Sendable (DeckEngine) -> Void) {
    queue.async { work(self) }
  }

  /// Changes the playout, and carries out its effects.
  private func change(_ body: (inout Playout) -> Void) {
    let effects: [Playout.Effect] = state.withLock { state in
      guard state.client != nil else { return [] }
      state.playout.now = .now
      body(&state.playout)
      return state.playout.takeEffects()
    }
    for effect in effects {
      switch effect {
      case .deck(let stream, let command): perform(command, of: stream)
      case .output(let command):
        if let output = state.withLock({ $0.output }) { perform(on: output) { $0.perform(command) } }
      case .report(let event): report(event)
      // The decks run in this process, so there is nothing to end.
      case .judge: break
      }
    }
  }

  private func report(_ event: EngineEvent) { state.withLock { $0.client }?.report(event) }

  private func perform(on output: OutputEngine, _ work: @escaping @Sendable (isolated OutputEngine) -> Void) {
    output.executor.queue.async { output.assumeIsolated(work) }
  }

  // MARK: Decks

  private func perform(_ command: DeckCommand, of stream: StreamToken) {
    let (decks, output) = state.withLock { ($0.decks, $0.output) }
    guard let output else { return }
    switch command {
    case .open:
      let inbox = Inbox { [weak output] _ in
        output?.executor.queue.async { [weak output] in output?.assumeIsolated { $0.takeSamples(of: stream) } }
      } used: { [weak decks] passage, frame in
        decks?.use(passage, before: frame)
      }
      decks.attach(stream, inbox)
      // An output that cannot be made is reported before media that cannot be opened.
      return perform(on: output) {
        $0.attach(stream, inbox)
        decks.perform(command, of: stream)
      }
    case .close: perform(on: output) { $0.detach(stream) }
    case .seek, .selectAudioTrack, .measure: break
    }
    // After the opening.
    perform(on: output) { _ in decks.perform(command, of: stream) }
  }

  // MARK: End

  func close() {
    let isFirst = state.withLock { !exchange(&$0.isClosed, with: true) }
    // Earlier reports are still passed on.
    if isFirst { enqueue { $0.closeOutput() } }
  }

  private func closeOutput() {
    guard let output = state.withLock({ $0.output }) else { return }
    perform(on: output) { [self] in
      $0.close()
      // Waits until the output's reports have been passed on. The same thread closes the decks, because a program may
      // close many players at once.
      queue.sync {}
      closeDecks(on: $0.executor.queue)
    }
  }

  private func closeDecks(on thread: DispatchQueue) {
    let (output, decks) = state.withLock { state in
      state.client = nil
      return (state.output, state.decks)
    }
    decks.close(on: thread)
    if let output { released(output) }
  }

  func closed() async {
    await withCheckedContinuation { continuation in
      let isReleased = state.withLock { state in
        if state.output != nil { state.waiters.append(continuation) }
        return state.output == nil
      }
      if isReleased { continuation.resume() }
    }
    for decks in state.withLock({ [$0.decks] + $0.abandoned }) { await decks.closed() }
  }

  /// Notes that the last output is closed, or is abandoned while it closes.
  private func released(_ output: OutputEngine) {
    let waiters = state.withLock { state in
      guard state.output === output else { return [CheckedContinuation<Void, Never>]() }
      state.output = nil
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Hangs

  /// Abandons an output that does not respond; returns false if it must wait until another one is released.
  private func abandon(_ output: OutputEngine?, hangingIn sink: String?) -> Bool {
    guard let output else { return true }
    let (isDone, isClosed, decks) = state.withLock { state -> (Bool, Bool, DeckHost?) in
      guard state.output === output else { return (true, false, nil) }
      if state.isClosed {
        state.client = nil
        return (true, true, state.decks)
      }
      guard state.hanging.values.reduce(0, +) < Self.limit else { return (false, false, nil) }
      state.hanging[sink, default: 0] += 1
      // The executor continues when the call returns.
      perform(on: output) { [self] output in
        output.close()
        self.state.withLock { $0.hanging[sink, default: 1] -= 1 }
      }
      let (settings, decks) = (state.playout.settings, state.decks)
      state.playout = Playout(configuration, settings)
      state.output = makeOutput(settings)
      state.decks = Self.makeDecks(configuration, sound.verifier, link)
      state.abandoned.append(decks)
      return (true, false, decks)
    }
    decks?.close(on: nil)
    if isClosed { released(output) }
    if decks != nil, !isClosed { enqueue { $0.report(.replaced) } }
    return isDone
  }
}
