import Synchronization

@testable import Playback

/// An engine for tests that records the commands and reports only the events that a test sends.
final class ScriptedEngine: PlaybackEngine {
  private let client = Mutex<EngineClient?>(nil)
  private let recorded = Mutex<[EngineCommand]>([])
  /// The progress of every stream.
  let progress = Mutex<StreamProgress?>(nil)

  /// The commands so far.
  var commands: [EngineCommand] { recorded.withLock { $0 } }

  /// Returns a player with a new scripted engine and a clock that stands.
  static func player(_ configuration: Player.Configuration = Player.Configuration()) -> Player {
    Player(
      configuration: configuration, engine: ScriptedEngine(), clock: ManualClock(), observers: ImmediateExecutor())
  }

  func report(_ event: EngineEvent) { client.withLock { $0 }?.report(event) }

  func open(_ client: EngineClient) { self.client.withLock { $0 = client } }
  func perform(_ command: EngineCommand) { recorded.withLock { $0.append(command) } }
  func progress(of stream: StreamToken) -> StreamProgress? { progress.withLock { $0 } }
  func close() { client.withLock { $0 = nil } }
  func closed() async {}
}

/// A clock that a test advances.
final class ManualClock: PlaybackClock {
  private struct State {
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    var wake: (instant: MonotonicTime, body: @Sendable () -> Void)?
    var due: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  var now: MonotonicTime { state.withLock { $0.now } }

  func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in state.wake = instant.map { ($0, body) } }
  }

  func run(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.due.append(body) } }

  /// Advances the clock and runs every wake-up at its instant.
  func advance(by time: Duration) {
    let end = now + time
    while let body = next(until: end) { body() }
    state.withLock { $0.now = max($0.now, end) }
  }

  private func next(until end: MonotonicTime) -> (@Sendable () -> Void)? {
    state.withLock { state in
      if !state.due.isEmpty { return state.due.removeFirst() }
      guard let wake = state.wake, wake.instant <= end else { return nil }
      state.wake = nil
      state.now = max(state.now, wake.instant)
      return wake.body
    }
  }
}

/// An executor that calls observers synchronously, on the caller's stack.
struct ImmediateExecutor: ObserverExecutor {
  func run(_ body: @escaping @Sendable () -> Void) { body() }
}
