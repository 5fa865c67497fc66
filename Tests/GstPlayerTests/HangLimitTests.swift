import Dispatch
import EngineProcess
import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite("The limit of calls that hang at once")
struct HangLimitTests {
  @Test("After eight calls that hang at once, the player waits, and continues once one of them returns")
  func limit() async throws {
    var configuration = Player.Configuration(audioSink: "fakesink")
    configuration.pipelineTimeout = .milliseconds(1)
    // A call for a stream hangs in its report until the gate of the stream opens.
    let gates = (0...9).map { _ in DispatchSemaphore(value: 0) }
    defer { for gate in gates { gate.signal() } }
    let (hanging, replaced) = (EventLog<StreamToken>(), EventLog<Void>())
    let report: @Sendable (EngineEvent) -> Void = { event in
      switch event {
      case .endMissed(let stream):
        hanging.append(stream)
        gates[Int(stream.number)].wait()
      case .replaced: replaced.append(())
      default: break
      }
    }
    let host = PipelineHost(configuration: configuration)
    host.open(EngineClient(report: report, nextStream: { _ in nil }))
    for number in 1...9 {
      host.perform(.endStream(StreamToken(number: UInt64(number)), at: .zero))
      try await hanging.first("call \(number) hangs", from: number - 1)
      host.perform(.unload)
      if number < 9 { try await replaced.first("pipeline \(number) is replaced", from: number - 1) }
    }

    // The calls of the other watchdog follow those of the player's, which are on the same queue.
    let other = PipelineWatchdog(queue: DispatchClock.queue)
    let reports = EventLog<Void>()
    _ = other.expect(within: .milliseconds(2)) {
      reports.append(())
      return reports.count == 3
    }
    try await reports.first("the third report", from: 2)
    withExtendedLifetime(other) {}
    #expect(replaced.count == 8)

    gates[1].signal()
    try await replaced.first("pipeline 9 is replaced", from: 8)
    host.close()
    try await deadline(10, "closed") { await host.closed() }
  }
}
