import Playback
import Synchronization

/// Passes all calls and events between a player and another engine, and knows whether that engine still has to answer.
final class ProbedEngine: PlaybackEngine {
  fileprivate struct State {
    var client: EngineClient?
    /// The number of commands, events and requests so far.
    var activity = 0
    /// The stream that is loaded.
    var stream: UInt64 = 0
    var isLoading = false
    var isPrerolled = false
    var wantsPlay = false
    var isStarting = false
    var isSeeking = false
    /// Whether the output has been paused while it played, and holds no buffer.
    var isPausing = false
    /// Whether the output receives no more data.
    var hasEnded = false
    /// Whether the buffer of a network stream is filled.
    var isBuffering = false
    var barriers = (sent: 0, answered: 0)
    var isClosed = false
  }

  /// The stream of a command that changes nothing, and whose answer follows those of the commands before it.
  private static let barrier = StreamToken(number: .max)

  private let engine: any PlaybackEngine
  private let changed: @Sendable () -> Void
  private let state = Mutex(State())

  /// Wraps an engine; `changed` is called after each event.
  init(_ engine: any PlaybackEngine, changed: @escaping @Sendable () -> Void) {
    (self.engine, self.changed) = (engine, changed)
  }

  // MARK: For the test

  /// The number of commands, events and requests so far.
  var activity: Int { state.withLock { $0.activity } }

  /// Whether every barrier was answered.
  var isBarrierAnswered: Bool { state.withLock { $0.barriers.sent == $0.barriers.answered } }

  /// Whether a stream is loaded, or being loaded.
  var isLoaded: Bool { state.withLock { $0.stream != 0 } }

  /// Whether every command was answered.
  var isAnswered: Bool {
    state.withLock { state in
      state.barriers.sent == state.barriers.answered && !state.isLoading && !state.isStarting && !state.isSeeking
    }
  }

  /// Whether the output receives data: it waits for the clock, or will.
  var isFlowing: Bool { state.withLock { $0.isPrerolled && $0.wantsPlay && !$0.hasEnded } }

  /// Whether a start has not been confirmed.
  var isStarting: Bool { state.withLock { $0.isStarting } }

  /// Whether the output has been paused while it played, and holds no buffer.
  var isPausing: Bool { state.withLock { $0.isPausing } }

  /// Whether the buffer of a network stream is filled.
  var isBuffering: Bool { state.withLock { $0.isBuffering } }

  /// The activity of the engine, for the description of a run that stands.
  var description: String { state.withLock { "\($0)" } }

  /// Sends a command whose answer follows those of the commands before it.
  func sendBarrier() {
    state.withLock { $0.barriers.sent += 1 }
    engine.perform(.endStream(Self.barrier, at: .zero))
  }

  // MARK: PlaybackEngine

  func open(_ client: EngineClient) {
    state.withLock { $0.client = client }
    engine.open(
      EngineClient(
        report: { [weak self] in self?.report($0) },
        nextStream: { [weak self] stream in
          self?.state.withLock { $0.activity += 1 }
          return client.nextStream(stream)
        }))
  }

  func perform(_ command: EngineCommand) {
    state.withLock { $0.follow(command) }
    engine.perform(command)
  }

  func progress(of stream: StreamToken) -> StreamProgress? { engine.progress(of: stream) }
  func close() { engine.close() }
  func closed() async { await engine.closed() }

  private func report(_ event: EngineEvent) {
    if case .endMissed(Self.barrier) = event {
      state.withLock { $0.barriers.answered += 1 }
    } else {
      let client = state.withLock { state in
        state.follow(event)
        return state.client
      }
      client?.report(event)
    }
    changed()
  }
}

extension ProbedEngine.State {
  private mutating func endActivities() {
    (wantsPlay, isStarting, isSeeking, isPausing, hasEnded, isBuffering) = (false, false, false, false, false, false)
  }

  fileprivate mutating func follow(_ command: EngineCommand) {
    activity += 1
    switch command {
    case .load(_, let token, _):
      (stream, isLoading, isPrerolled) = (token.number, true, false)
      endActivities()
    case .unload:
      (stream, isLoading, isPrerolled) = (0, false, false)
      endActivities()
    case .setPlaying(let isPlaying):
      isPausing = !isPlaying && wantsPlay && isPrerolled && !hasEnded
      wantsPlay = isPlaying
      isStarting = isPlaying
    case .seek:
      isSeeking = true
      hasEnded = false
      isStarting = wantsPlay
    default: break
    }
  }

  fileprivate mutating func follow(_ event: EngineEvent) {
    activity += 1
    switch event {
    case .settled(let token, _):
      isPausing = false
      guard token.number == stream else { return }
      if isLoading { (isLoading, isPrerolled) = (false, true) }
      isSeeking = false
    case .seekRefused:
      isSeeking = false
      isStarting = false
    case .running, .startMissed: isStarting = false
    case .nextStarted(let token, _, _, _): stream = token.number
    case .ended(let token): if token.number == stream { hasEnded = true }
    case .buffering(let token, let percent, _): if token.number == stream { isBuffering = percent < 100 }
    case .failed(let token, let error):
      guard token.number == stream else { return }
      isBuffering = false
      // The received data of a source that has failed is loaded and played.
      if error.isFromSource { return }
      (isLoading, isSeeking, isStarting, hasEnded) = (false, false, false, true)
    default: break
    }
  }
}
