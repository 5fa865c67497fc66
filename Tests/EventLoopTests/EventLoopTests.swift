import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite struct `The event loop alone` {
  @Test func `a foreign thread that claims to be the loop's traps`() async {
    await #expect(processExitsWith: .signal(SIGILL)) {
      EventLoop(name: "one").checkIsolated()
    }
  }

  @Test(
    arguments: [
      (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
      (.milliseconds(999), 999),
      (.seconds(25), 25_000), (.seconds(3) + .milliseconds(1), 3001), (.seconds(Int64.max), 1_000_000_000),
    ] as [(Duration, CInt)])
  func `a wait lasts as long as the timer, rounded up`(_ wait: Duration, _ milliseconds: CInt) {
    #expect(Poller.milliseconds(wait) == milliseconds)
  }

  @Test func `timers fire in the order of their deadlines, and not when cancelled`() async throws {
    let loop = EventLoop(name: "timers")
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

  @Test func `work that arrives after the stop still runs`() async throws {
    let loop = EventLoop(name: "stopped")
    loop.stop()
    try await deadline(10) {
      for _ in 0..<100 {
        await withCheckedContinuation { continuation in loop.submit { continuation.resume() } }
      }
    }
  }
}
