import CGst
import Dispatch
import EngineProcess
import Joining
import Playback
import Synchronization

/// The engine of a player: a deck for each open stream, and one output for all of them.
///
/// Commands are carried out in order on one executor. Nothing on it waits for a stream: a deck that hangs or fails is closed
/// alone. Only the output may block it, while a device opens or closes. If that takes too long, the executor is abandoned with
/// its output, its decks are closed, and another one begins with the same settings and no stream.
final class DeckEngine: PlaybackEngine {
  private struct State {
    var client: EngineClient?
    /// Nil when it is closed and released.
    var playout: Playout?
    /// The last settings, for the next playout.
    var settings: EngineSettings
    /// For each selected output, the number of abandoned executors that hang in it, where a new one would hang too.
    var hanging: [String?: Int] = [:]
    var isClosed = false
    /// The decks that were open at the end.
    var decks: [Deck] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The maximum number of abandoned executors, because their threads cost memory.
  private static let limit = 8

  private let configuration: Player.Configuration
  private let sound: OutputSound
  private let makeClock: @Sendable (DispatchQueue) -> any PlaybackClock
  private let startsOnDemand: Bool
  private let state: Mutex<State>

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
    state = Mutex(State(settings: EngineSettings(configuration)))
    state.withLock { $0.playout = makePlayout($0) }
  }

  private func makePlayout(_ state: borrowing State) -> Playout {
    let link = Link<Playout>()
    let playout = Playout(
      PipelineExecutor(label: "org.playerd.engine"), configuration, state.settings, sound,
      makeClock: makeClock
    ) { [weak self] sink in
      self?.abandon(link.object, hangingIn: sink) ?? true
    }
    link.object = playout
    return playout
  }

  func open(_ client: EngineClient) {
    let playout = state.withLock { state in
      state.client = client
      return state.playout
    }
    guard let playout else { return }
    connect(playout, client)
    if !startsOnDemand { enqueue(playout) { $0.makeRenderer() } }
  }

  /// Lets a playout report to the client until it is abandoned.
  private func connect(_ playout: Playout, _ client: EngineClient) {
    let isPresent: @Sendable () -> Bool = { [weak self, weak playout] in
      self?.state.withLock { $0.playout === playout } ?? false
    }
    let report: @Sendable (EngineEvent) -> Void = { [weak self] event in
      guard isPresent() else { return }
      // What another program has set holds for the next playout.
      if case .output(.volumeChanged(let volume, let isMuted)) = event {
        self?.state.withLock { ($0.settings.volume, $0.settings.isMuted) = (volume, isMuted) }
      }
      client.report(event)
    }
    enqueue(playout) { $0.open(EngineClient(report: report)) }
  }

  func perform(_ command: EngineCommand) {
    state.withLock { state in
      guard !state.isClosed, let playout = state.playout else { return }
      switch command {
      case .settings(let settings): state.settings = settings
      case .open where state.hanging[state.settings.sink, default: 0] > 0:
        enqueue(playout) { $0.refuse() }
        return
      default: break
      }
      enqueue(playout) { $0.perform(command) }
    }
  }

  func progress(of stream: StreamToken) -> StreamProgress? {
    state.withLock { $0.playout }?.decks.withLock { $0[stream] }?.progress
  }

  // MARK: End

  func close() {
    state.withLock { state in
      guard !state.isClosed, let playout = state.playout else { return }
      state.isClosed = true
      enqueue(playout) { [self] playout in
        let decks = playout.close()
        released(playout, decks)
      }
    }
  }

  func closed() async {
    await withCheckedContinuation { continuation in
      let isReleased = state.withLock { state in
        if state.playout != nil { state.waiters.append(continuation) }
        return state.playout == nil
      }
      if isReleased { continuation.resume() }
    }
    for deck in state.withLock({ $0.decks }) { await deck.closed() }
  }

  /// Notes that the last playout is closed, or is abandoned while it closes.
  private func released(_ playout: Playout, _ decks: [Deck]) {
    let waiters = state.withLock { state in
      guard state.playout === playout else { return [CheckedContinuation<Void, Never>]() }
      (state.playout, state.decks) = (nil, decks)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Hangs

  /// Abandons a playout whose output does not respond; returns false if it must wait until another one is released.
  private func abandon(_ playout: Playout?, hangingIn sink: String?) -> Bool {
    guard let playout else { return true }
    let (isDone, isClosed, client) = state.withLock { state -> (Bool, Bool, EngineClient?) in
      guard state.playout === playout else { return (true, false, nil) }
      if state.isClosed { return (true, true, nil) }
      guard state.hanging.values.reduce(0, +) < Self.limit else { return (false, false, nil) }
      state.hanging[sink, default: 0] += 1
      // The executor continues when the call returns.
      enqueue(playout) { [self] playout in
        _ = playout.close()
        self.state.withLock { $0.hanging[sink, default: 1] -= 1 }
      }
      let new = makePlayout(state)
      state.playout = new
      if let client = state.client { connect(new, client) }
      return (true, false, state.client)
    }
    if isClosed || client != nil {
      let decks = playout.decks.withLock { Array($0.values) }
      for deck in decks { deck.close() }
      if isClosed { released(playout, decks) }
    }
    client?.report(EngineEvent.replaced(after: .output))
    return isDone
  }

  private func enqueue(_ playout: Playout, _ work: @escaping @Sendable (isolated Playout) -> Void) {
    playout.executor.queue.async { playout.assumeIsolated(work) }
  }
}
