import EventLoop
import TestSupport
import Testing

@Suite("Clock of an event loop")
struct LoopClockTests {
  @Test("A sleep ends at or after its deadline, on any executor")
  func sleepDeadline() async throws {
    let clock = LoopClock(PollLoop(name: "clock"))
    try await deadline(5) {
      let end = clock.now.advanced(by: .milliseconds(20))
      try await clock.sleep(until: end)
      #expect(clock.now >= end)
    }
  }

  @Test("Sleeps end in the order of their deadlines")
  func deadlineOrder() async throws {
    let loop = PollLoop(name: "clock")
    let clock = LoopClock(loop)
    let start = clock.now
    let woken = try await deadline(5) {
      // On the loop itself, all sleepers suspend before the first one is woken, however late they start.
      try await withTaskExecutorPreference(LoopTaskExecutor(loop)) {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for number in [3, 1, 2] {
            group.addTask {
              try await clock.sleep(until: start.advanced(by: .milliseconds(60 * number)))
              return number
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
    }
    #expect(woken == [1, 2, 3])
  }

  @Test("A sleep ends with an error if its loop stops, or has stopped")
  func stoppedLoop() async throws {
    let loop = PollLoop(name: "clock")
    let clock = LoopClock(loop)
    for number in 0..<2 {
      let sleeper = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(3600))) }
      if number == 0 { loop.stop() }
      try await deadline(5) {
        await #expect(throws: CancellationError.self) { try await sleeper.value }
      }
    }
  }

  @Test("A cancelled sleep ends at once with an error")
  func cancelledSleep() async throws {
    let clock = LoopClock(PollLoop(name: "clock"))
    for _ in 0..<200 {
      let sleeper = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(3600))) }
      sleeper.cancel()
      try await deadline(5) {
        await #expect(throws: CancellationError.self) { try await sleeper.value }
      }
    }
  }
}
