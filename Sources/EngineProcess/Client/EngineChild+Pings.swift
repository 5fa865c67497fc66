import EventLoop
import Glibc
import Playback
import Synchronization

/// The detection of a process that does not answer, or uses too much memory or too many threads.
///
/// A ping follows each message, and two seconds of work without a message from the process. This detects a process that is
/// completely stopped or blocked. Neither process is woken by pings while it is idle, or while events arrive. With each
/// answer, the player measures the memory and counts the threads of the process.
extension EngineChild {
  /// The time without a message after which a busy process gets a ping.
  private static let interval = Duration.seconds(2)
  /// The least time for the start of a program that may have to scan all plug-ins on a slow disk.
  private static let startTime = Duration.seconds(60)
  /// A process that plays a file has up to nine.
  private static let threadLimit = 512
  /// The delay of a timer after which this process did not run either.
  static let lateness = Duration.seconds(1)

  /// Sends a ping after the messages before it, unless another ping is not answered yet.
  func ping() { state.withLock { ping(&$0) } }

  private func ping(_ state: inout State) {
    guard !state.isExpected else { return }
    guard state.watch.pending == nil else { return state.watch.wantsPing = true }
    state.watch.last += 1
    state.watch.wantsPing = false
    send(.ping(state.watch.last))
    expectAnswer(to: state.watch.last, &state)
  }

  private func expectAnswer(to ping: Int, _ state: inout State) {
    let limit = state.startMemory == nil ? max(limits.answerTime, Self.startTime) : limits.answerTime
    state.watch.expectAnswer(to: ping, within: limit, on: loop) { [self] in overdue(ping, limit) }
  }

  /// Begins the time limits of the messages that were sent before the process reported its start; on the loop.
  func limitsApply() {
    state.withLock { state in
      if let ping = state.watch.pending?.ping { expectAnswer(to: ping, &state) }
      for (number, sent) in state.requests { limit(sent.request, number, &state) }
    }
  }

  /// Handles the answer to a ping; on the loop.
  func answered(_ ping: Int) {
    let (isPending, startMemory) = state.withLock { state in
      (!state.isExpected && state.watch.pending?.ping == ping, state.startMemory ?? 0)
    }
    guard isPending else { return }
    let memory = (ProcessResources.used(by: processID) ?? 0) - startMemory
    if memory > limits.memoryLimit { return end(because: Self.memoryReason(limits)) }
    if ProcessResources.threadCount(of: processID) ?? 0 > Self.threadLimit {
      return end(because: "more than \(Self.threadLimit) threads")
    }
    let isBusy = owner.isBusy
    state.withLock { state in
      guard !state.isExpected, state.watch.pending?.ping == ping else { return }
      state.watch.stop(loop)
      if state.watch.wantsPing {
        self.ping(&state)
      } else if isBusy {
        state.watch.awaitSilence(of: Self.interval, on: loop) { [self] in silent() }
      }
    }
  }

  /// Sends a ping to a process that still works and has sent no message for some time; on the loop.
  private func silent() { if owner.isBusy { ping() } }

  /// Kills a process that has not answered in time; on the loop.
  private func overdue(_ ping: Int, _ limit: Duration) {
    // The answer may be in the socket.
    receiveAvailable()
    let isOverdue = state.withLock { state in
      guard !state.isExpected, let pending = state.watch.pending, pending.ping == ping else { return false }
      guard pending.deadline.duration(to: loop.now) < Self.lateness else {
        expectAnswer(to: ping, &state)
        return false
      }
      state.watch.isOverdue = true
      return true
    }
    if isOverdue { end(because: "no answer for \(limit)") }
  }

  /// The time since the last message of a process that did not answer; zero for any other.
  var silence: Duration { state.withLock { $0.watch.silence(at: loop.now) } }

  /// Whether a ping is not answered; on the loop.
  var awaitsAnswer: Bool {
    // The answer may be in the socket.
    receiveAvailable()
    return state.withLock { $0.watch.pending != nil }
  }

  /// The time of a processor that the process has used; zero if it has ended.
  var usedTime: Duration {
    var (clock, time) = (clockid_t(0), timespec())
    guard unsafe clock_getcpuclockid(processID, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
      return .zero
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// The pings of a process: the unanswered ping, and the time of the last sign of life.
struct PingWatch {
  var last = 0
  var pending: (ping: Int, deadline: SuspendingClock.Instant)?
  /// Whether commands were sent after the pending ping.
  var wantsPing = false
  var isOverdue = false
  /// The timer of the pending answer, or of a silence.
  private var timer: EventSources.ID?
  /// The silence that is waited for: its length, the last instant of its end, and the call at its end.
  private var silence: Silence?
  private var sign: SuspendingClock.Instant?

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
