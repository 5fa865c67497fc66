import Playback
import Synchronization

@testable import PlayerdSystem

/// A serial queue whose work the run carries out; work that waits for a disk occupies it for that time.
final class SimulatedQueue: SerialQueue {
  private enum Work {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  private struct State {
    var work: [Work] = []
    var busyUntil: Int64 = 0
    var timer: (instant: Int64, body: @Sendable () -> Void)?
  }

  /// The instant that all instants of a run are relative to; only differences are used.
  private static let epoch = SuspendingClock.now

  private let state = Mutex(State())
  private let clock: VirtualClock
  /// Returns the milliseconds that the work has waited for the disk since the last call.
  private let takeTime: @Sendable () -> Int

  init(_ clock: VirtualClock, takeTime: @escaping @Sendable () -> Int) {
    self.clock = clock
    self.takeTime = takeTime
  }

  private func instant(_ state: inout State) -> Int64 {
    state.busyUntil = max(state.busyUntil, clock.now.nanoseconds) + Int64(takeTime()) * 1_000_000
    return state.busyUntil
  }

  var now: SuspendingClock.Instant {
    Self.epoch.advanced(by: .nanoseconds(state.withLock { instant(&$0) }))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.work.append(.job(job)) }
  }

  func run(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.work.append(.call(body)) } }

  func setTimer(at instant: SuspendingClock.Instant?, _ body: @escaping @Sendable () -> Void) {
    let due = instant.map { Self.epoch.duration(to: $0) / .nanoseconds(1) }
    state.withLock { state in state.timer = due.map { (Int64($0.rounded()), body) } }
  }

  func checkIsolated() {}

  // MARK: For the run

  /// The instant at which the queue has work to do.
  var due: Int64? {
    state.withLock { state in
      if !state.work.isEmpty { return state.busyUntil }
      return state.timer.map { max($0.instant, state.busyUntil) }
    }
  }

  /// Carries out one item of work that is due; returns whether there was one.
  func step() -> Bool {
    let now = clock.now.nanoseconds
    let work: Work? = state.withLock { state in
      guard state.busyUntil <= now else { return nil }
      if !state.work.isEmpty { return state.work.removeFirst() }
      guard let timer = state.timer, timer.instant <= now else { return nil }
      state.timer = nil
      return .call(timer.body)
    }
    switch work {
    case .job(let job):
      unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    case .call(let body): body()
    case nil: return false
    }
    state.withLock { _ = instant(&$0) }
    return true
  }

  /// Drops the timer and lets all work run, after the end of the machine.
  func finish() -> Bool {
    state.withLock { state in
      state.timer = nil
      state.busyUntil = 0
    }
    return step()
  }
}
