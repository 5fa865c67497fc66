import EventLoop

/// The pings of a process: the unanswered ping, and the time of the last sign of life.
///
/// Invariant: at most one ping is unanswered, and at most one timer runs.
struct PingWatch {
  private var last = 0
  private(set) var pending: (ping: Int, deadline: SuspendingClock.Instant)?
  /// Whether commands were sent after the pending ping.
  private(set) var wantsPing = false
  private var isOverdue = false
  /// The timer of the pending answer, or of a silence.
  private var timer: EventSources.ID?
  /// The silence that is waited for: its length, the last instant of its end, and the call at its end.
  private var silence: Silence?
  private var sign: SuspendingClock.Instant?

  /// Returns the number of the ping to send; nil if another one is not answered yet, after which one is due.
  mutating func next() -> Int? {
    wantsPing = pending != nil
    guard !wantsPing else { return nil }
    last += 1
    return last
  }

  /// Notes that the pending ping was not answered in time.
  mutating func noteOverdue() { isOverdue = true }

  /// Notes a message of the process, with which a silence begins again.
  mutating func noteMessage(on loop: PollLoop) {
    sign = loop.now
    if let silence { wait(for: silence, on: loop) }
  }

  private typealias Silence = (time: Duration, limit: SuspendingClock.Instant, body: @Sendable () -> Void)

  /// Calls a closure if an answer is missing after its time limit.
  mutating func expectAnswer(
    to ping: Int, within limit: Duration, on loop: PollLoop, _ body: @escaping @Sendable () -> Void
  ) {
    stop(loop)
    pending = (ping, loop.now.advanced(by: limit))
    timer = loop.timer(after: limit, body)
  }

  /// The silences after which a ping is due in any case; a process that often sends messages would never be measured otherwise.
  private static let longestWait = 15.0

  /// Calls a closure once no message has arrived for a time, or after fifteen times this time.
  mutating func awaitSilence(of time: Duration, on loop: PollLoop, _ body: @escaping @Sendable () -> Void) {
    wait(for: (time, loop.now.advanced(by: time * Self.longestWait), body), on: loop)
  }

  private mutating func wait(for silence: Silence, on loop: PollLoop) {
    stop(loop)
    self.silence = silence
    timer = loop.timer(after: max(.zero, min(silence.time, loop.now.duration(to: silence.limit))), silence.body)
  }

  /// Returns the time since the last message of a process that did not answer; zero for any other.
  func silence(at now: SuspendingClock.Instant) -> Duration {
    isOverdue ? sign.map { $0.duration(to: now) } ?? .zero : .zero
  }

  /// Ends the wait for an answer, or for a silence.
  mutating func stop(_ loop: PollLoop) {
    if let timer { loop.cancelTimer(timer) }
    (timer, pending, silence) = (nil, nil, nil)
  }
}
