import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EventLoop

@Suite("Event loop")
struct EventLoopTests {
  /// A host that carries out the work inside the call that wakes the loop.
  private final class ImmediateHost: LoopHost {
    private let loop = Mutex<PollLoop?>(nil)
    var now: SuspendingClock.Instant { .now }
    var isCurrent: Bool { false }

    func start(_ loop: PollLoop) {
      self.loop.withLock { $0 = loop }
      wake()
    }

    func wake() {
      let awake = loop.withLock { $0 }
      while let count = awake?.runWork() { if count == 0 { return } }
      loop.withLock { $0 = nil }
    }
  }

  @Test("A loop is stopping before its sources are notified, so that none is added after that")
  func stopOrder() {
    let loop = PollLoop(name: "immediate", on: ImmediateHost())
    let notified = EventLog<Bool>()
    _ = loop.watch(0, for: []) { _ in notified.append(loop.isStopping) }
    loop.stop()
    #expect(notified.elements == [true])
  }

  @Test("A timer that is set after the stop does not fire")
  func timerAfterStop() {
    let loop = PollLoop(name: "immediate", on: ImmediateHost())
    loop.stop()
    let events = EventLog<String>()
    _ = loop.timer(after: .zero, stopped: { events.append("stopped") }) { events.append("fired") }
    loop.submit { events.append("work") }
    loop.runDueTimers()
    #expect(events.elements == ["stopped", "work"])
  }

  @Test("A claim of isolation on another thread traps")
  func foreignThread() async {
    await #expect(processExitsWith: .signal(SIGILL)) {
      PollLoop(name: "one").checkIsolated()
    }
  }

  @Test(
    "A wait lasts until the next timer, rounded up to milliseconds",
    arguments: [
      (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
      (.milliseconds(999), 999),
      (.seconds(25), 25_000), (.seconds(3) + .milliseconds(1), 3001), (.seconds(Int64.max), 1_000_000_000),
    ] as [(Duration, CInt)])
  func waitDuration(_ wait: Duration, _ milliseconds: CInt) {
    #expect(Poller.milliseconds(wait) == milliseconds)
  }

  @Test("Timers fire in the order of their deadlines; cancelled timers do not fire")
  func timerOrder() async throws {
    let loop = PollLoop(name: "timers")
    defer { loop.stop() }
    let fired = EventLog<Int>()
    try await deadline(10) {
      await withCheckedContinuation { continuation in
        loop.submit {
          _ = loop.timer(after: .milliseconds(30)) { continuation.resume() }
          _ = loop.timer(after: .milliseconds(20)) { fired.append(2) }
          let cancelled = loop.timer(after: .milliseconds(5)) { fired.append(0) }
          _ = loop.timer(after: .milliseconds(10)) { fired.append(1) }
          loop.cancelTimer(cancelled)
        }
      }
    }
    #expect(fired.elements == [1, 2])
  }

  @Test("A loop whose thread has ended is current on no thread")
  func endedThread() async throws {
    var ended: [PollLoop] = []
    // The system reuses the identifier of an ended thread within a few of these.
    for _ in 0..<100 {
      let loop = PollLoop(name: "short")
      let isClaimed = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        loop.submit { [ended] in
          continuation.resume(returning: ended.contains { $0.isIsolatingCurrentContext() == true })
        }
      }
      #expect(!isClaimed)
      loop.stop()
      ended.append(loop)
    }
  }

  @Test("Work that is added after the stop still runs")
  func workAfterStop() async throws {
    let loop = PollLoop(name: "stopped")
    loop.stop()
    try await deadline(10) {
      for _ in 0..<100 {
        await withCheckedContinuation { continuation in loop.submit { continuation.resume() } }
      }
    }
  }
}
