import Synchronization

@testable import PlayerdService

/// The login manager of a simulated machine: it waits for delay locks before it suspends the machine.
final class SimulatedLogin: LoginManager {
  /// A lock; releasing its last reference unlocks it.
  private final class Lock: Sendable {
    private let released: @Sendable () -> Void
    init(released: @escaping @Sendable () -> Void) { self.released = released }
    deinit { released() }
  }

  private struct State {
    var delays = 0
    var blocks = 0
    var refusals = 0
    var signals: [AsyncStream<SleepStateMachine.Event>.Continuation] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
    var isLost = false
  }

  private let state = Mutex(State())

  var delays: Int { state.withLock { $0.delays } }
  var blocks: Int { state.withLock { $0.blocks } }

  /// Sends a signal to the daemon.
  func send(_ event: SleepStateMachine.Event) {
    for signal in state.withLock({ $0.signals }) { signal.yield(event) }
  }

  /// Ends the connection of the daemon.
  func lose() {
    let (signals, waiters) = state.withLock { state in
      defer { (state.signals, state.waiters, state.isLost) = ([], [], true) }
      return (state.signals, state.waiters)
    }
    for signal in signals { signal.finish() }
    for waiter in waiters { waiter.resume() }
  }

  func events() async -> any AsyncSequence<SleepStateMachine.Event, Never> & Sendable {
    let (stream, continuation) = AsyncStream.makeStream(of: SleepStateMachine.Event.self)
    state.withLock { $0.signals.append(continuation) }
    return stream
  }

  func lock(_ what: String, _ mode: String, _ why: String) async -> (any Sendable)? {
    let isDelay = mode == "delay"
    state.withLock { if isDelay { $0.delays += 1 } else { $0.blocks += 1 } }
    return Lock { [weak self] in
      self?.state.withLock { if isDelay { $0.delays -= 1 } else { $0.blocks -= 1 } }
    }
  }

  func closed() async {
    await withCheckedContinuation { continuation in
      let isLost = state.withLock { state in
        if !state.isLost { state.waiters.append(continuation) }
        return state.isLost
      }
      if isLost { continuation.resume() }
    }
  }

  func close() async {}
}
