import Dispatch
import TestSupport
import Testing

@testable import GstPlayer

@Suite("Watchdog of the pipeline") struct PipelineWatchdogTests {
  @Test("An overdue call that cannot be handled yet is reported again; one that is handled or has returned is not")
  func repeated() async throws {
    let queue = DispatchQueue(label: "watchdog")
    let watchdog = PipelineWatchdog(queue: queue)
    let (waiting, handled, returned) = (EventLog<Void>(), EventLog<Void>(), EventLog<Void>())
    let ticket = watchdog.expect(within: .seconds(3600)) {
      returned.append(())
      return true
    }
    watchdog.done(ticket)
    _ = watchdog.expect(within: .milliseconds(1)) {
      handled.append(())
      return true
    }
    _ = watchdog.expect(within: .milliseconds(1)) {
      waiting.append(())
      return waiting.count == 3
    }
    _ = try await waiting.first("the third report", from: 2) { _ in true }
    queue.sync {}
    #expect(waiting.count == 3 && handled.count == 1 && returned.count == 0)
  }

  @Test("The time limits are suspended until the last hold ends, or until all calls are removed")
  func holds() async throws {
    let queue = DispatchQueue(label: "watchdog")
    let watchdog = PipelineWatchdog(queue: queue)
    let (early, late) = (EventLog<Void>(), EventLog<Void>())
    let (first, second) = (watchdog.hold(), watchdog.hold())
    let ticket = watchdog.expect(within: .zero) {
      early.append(())
      return true
    }
    watchdog.release(first)
    watchdog.release(first)
    // The other watchdog is on the same queue, and would be called after the first one.
    let other = PipelineWatchdog(queue: queue)
    _ = other.expect(within: .zero) {
      late.append(())
      return true
    }
    _ = try await late.first("the call of the other watchdog") { _ in true }
    #expect(early.count == 0)
    watchdog.release(second)
    _ = try await early.first("the call after the last hold") { _ in true }
    watchdog.done(ticket)

    _ = watchdog.hold()
    watchdog.reset()
    _ = watchdog.expect(within: .zero) {
      early.append(())
      return true
    }
    _ = try await early.first("the call after the reset", from: 1) { _ in true }
  }
}
