import EventLoop
import Playback
import Synchronization

/// The detection of a process that does not answer, or uses too much memory.
///
/// A command is followed by a ping, and playback by one every two seconds: a process that is stopped or blocked as a whole
/// is noticed, and nothing wakes either process while paused or stopped. Each answer has the memory that the process uses.
extension ProcessEngine {
  /// The time between an answer and the next ping during playback.
  private static let interval = Duration.seconds(2)
  /// The least time for the first answer: the program may have to be read from a slow disk.
  private static let startTime = Duration.seconds(30)
  /// The delay of a timer after which this process did not run either.
  private static let lateness = Duration.seconds(1)

  /// Sends a ping, unless one is not answered yet.
  func ping(_ child: EngineChild, _ state: inout State) {
    guard state.watch.pending == nil else { return state.watch.wantsPing = true }
    state.watch.last += 1
    state.watch.wantsPing = false
    child.send(.ping(state.watch.last))
    expectAnswer(to: state.watch.last, from: child, &state)
  }

  private func expectAnswer(to ping: Int, from child: EngineChild, _ state: inout State) {
    state.watch.stop(loop)
    let limit = max(configuration.engine.answerTime, ping == 1 ? Self.startTime : .zero)
    state.watch.pending = (ping, loop.now.advanced(by: limit))
    state.watch.timer = loop.timer(after: limit) { [self] in overdue(ping, of: child) }
  }

  /// Handles the answer to a ping; on the loop.
  func answered(_ ping: Int, memory: Int, from child: EngineChild) {
    let limit = configuration.engine.memoryLimit
    if memory > limit { child.end(because: Self.memoryReason(limit)) }
    state.withLock { state in
      guard state.child === child, !state.isEnding, state.watch.pending?.ping == ping else { return }
      state.watch.noteSign(at: loop.now)
      state.watch.stop(loop)
      if state.watch.wantsPing {
        self.ping(child, &state)
      } else if state.isPlaying {
        state.watch.timer = loop.timer(after: Self.interval) { [self] in
          self.state.withLock { state in
            if state.child === child, !state.isEnding { self.ping(child, &state) }
          }
        }
      }
    }
  }

  static func memoryReason(_ limit: Int) -> String { "more than \(limit >> 20) MiB of memory" }

  /// Kills a process that has not answered in time; on the loop.
  private func overdue(_ ping: Int, of child: EngineChild) {
    // The answer may be in the socket.
    child.receiveAvailable()
    let isOverdue = state.withLock { state in
      guard state.child === child, !state.isEnding, let pending = state.watch.pending, pending.ping == ping else {
        return false
      }
      guard pending.deadline.duration(to: loop.now) < Self.lateness else {
        expectAnswer(to: ping, from: child, &state)
        return false
      }
      state.watch.isOverdue = true
      return true
    }
    if isOverdue { child.end(because: "no answer for \(configuration.engine.answerTime)") }
  }
}

/// The pings of a process: the one that is not answered, and the time of the last sign of life.
struct PingWatch {
  var last = 0
  var pending: (ping: Int, deadline: SuspendingClock.Instant)?
  /// Whether commands were sent after the pending ping.
  var wantsPing = false
  var timer: EventSources.ID?
  var isOverdue = false
  private var sign: SuspendingClock.Instant?

  /// Notes a message of the process.
  mutating func noteSign(at now: SuspendingClock.Instant) { sign = now }

  /// Returns the time since the last message of a process that did not answer; zero for any other.
  func silence(at now: SuspendingClock.Instant) -> Duration {
    isOverdue ? sign.map { $0.duration(to: now) } ?? .zero : .zero
  }

  /// Ends the wait for an answer, or for the next ping.
  mutating func stop(_ loop: PollLoop) {
    if let timer { loop.cancelTimer(timer) }
    (timer, pending) = (nil, nil)
  }
}
