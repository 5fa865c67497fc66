import Synchronization

@testable import Playback

/// An engine that does nothing by itself: it records the commands, and reports what a test tells it to.
final class ScriptedEngine: PlaybackEngine {
  private let client = Mutex<EngineClient?>(nil)
  private let recorded = Mutex<[EngineCommand]>([])

  /// The commands so far.
  var commands: [EngineCommand] { recorded.withLock { $0 } }

  /// Makes a player over a new engine; its clock stands.
  static func player(_ configuration: PlayerConfiguration = PlayerConfiguration()) -> Player {
    Player(
      configuration: configuration, engine: ScriptedEngine(), clock: ManualClock(), observers: ImmediateExecutor())
  }

  func report(_ event: EngineEvent) { client.withLock { $0 }?.report(event) }

  /// The data of a stream has been read.
  func nextStream(after stream: StreamToken) -> NextStream? { client.withLock { $0 }?.nextStream(stream) }

  func open(_ client: EngineClient) { self.client.withLock { $0 = client } }
  func perform(_ command: EngineCommand) { recorded.withLock { $0.append(command) } }
  func progress(of stream: StreamToken) -> StreamProgress? { nil }
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

  /// Lets time pass, with every wake-up at its instant.
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

/// Calls observers at once, one within the other.
struct ImmediateExecutor: ObserverExecutor {
  func run(_ body: @escaping @Sendable () -> Void) { body() }
}
