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
}
