import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import PlayerdSystem

/// Tests of calls that a disk may block.
@Suite("Calls that wait for a disk") struct DiskCallTests {
  @Test("A call that does not return in time has no result, and later calls have theirs")
  func limit() async throws {
    let blocked = DispatchSemaphore(value: 0)
    let call: @Sendable () -> Void = { blocked.wait() }
    let hasReturned = await DiskCall.result(within: .milliseconds(20)) { call() } != nil
    #expect(!hasReturned)
    #expect(await DiskCall.result(within: .seconds(600)) { 1 } == 1)
    blocked.signal()
  }

  @Test("Eight calls wait for a disk at the same time; the ninth runs when one of them has returned")
  func separate() async throws {
    let calls = SeparateCalls(label: "test.calls")
    let (begun, gate) = (EventLog<Int>(), DispatchSemaphore(value: 0))
    for number in 1...9 {
      calls.run {
        begun.append(number)
        gate.wait()
      }
    }
    for number in 1...8 { try await begun.first("call \(number)") { $0 == number } }
    #expect(begun.count == 8)
    gate.signal()
    try await begun.first("the ninth call") { $0 == 9 }
    for _ in 1...8 { gate.signal() }
  }
}
