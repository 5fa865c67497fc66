import EventLoop

/// The state of a client with at most one process; the client has a lock for it.
protocol EngineChildState {
  var child: EngineChild? { get }
  /// Whether the child is to end: requests and commands wait for the next one.
  var isEnding: Bool { get set }
  /// Whether a start was requested from the loop.
  var isStarting: Bool { get }
  /// The timer of the idle time.
  var timer: EventSources.ID? { get set }
  var isClosed: Bool { get }
  /// The callers that wait for the end of the process of a closed client.
  var waiters: [CheckedContinuation<Void, Never>] { get set }
}

extension EngineChildState {
  /// Whether a process neither exists nor is being started.
  private var isGone: Bool { child == nil && !isStarting }

  /// Replaces the timer; nil cancels it.
  mutating func setTimer(_ timer: EventSources.ID?, on loop: PollLoop) {
    if let old = self.timer { loop.cancelTimer(old) }
    self.timer = timer
  }

  /// Requests the end of the process, and kills it if it takes too long.
  mutating func endOrderly(on loop: PollLoop) {
    guard let child else { return }
    isEnding = true
    setTimer(nil, on: loop)
    child.endOrderly()
  }

  /// Adds a caller that waits for the end of the process; returns false if it has ended.
  mutating func add(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
    guard !isGone else { return false }
    waiters.append(waiter)
    return true
  }

  /// Returns the callers to resume; nil while the client is open or has a process.
  mutating func takeWaiters() -> [CheckedContinuation<Void, Never>]? {
    guard isClosed, isGone else { return nil }
    defer { waiters = [] }
    return waiters
  }
}
