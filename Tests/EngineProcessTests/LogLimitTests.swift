import CLinux
import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import EventLoop

@Suite("The log of an engine process") struct LogLimitTests {
  @Test("The first messages of a period pass, and the next period begins with a line about the others")
  func limit() {
    var limit = LogLimit()
    let start = SuspendingClock.now
    for number in 0..<LogLimit.count { #expect(limit.pass("\(number)", at: start) == ["\(number)"]) }
    #expect(limit.end(at: start) == start.advanced(by: LogLimit.period))
    #expect(limit.pass("left out", at: start.advanced(by: LogLimit.period / 2)) == [])
    let next = start.advanced(by: LogLimit.period)
    #expect(limit.end(at: next) == nil)
    #expect(limit.pass("one", at: next) == [LogLimit.omission, "one"])
    #expect(limit.pass("two", at: next) == ["two"])
    #expect(limit.pass("three", at: next.advanced(by: LogLimit.period)) == ["three"])
  }

  /// A thread whose time stands.
  private final class FrozenHost: LoopHost {
    private let thread = LoopThread(name: "frozen")
    let now = SuspendingClock.now
    var isCurrent: Bool { thread.isCurrent }
    func start(_ loop: PollLoop) { thread.start(loop) }
    func wake() { thread.wake() }
  }

  @Test("A flood of standard error is not read beyond the limit, and neither side waits")
  func flood() async throws {
    let loop = PollLoop(name: "errors", on: FrozenHost())
    defer { loop.stop() }
    let lines = EventLog<String>()
    let pipe = try #require(ErrorOutput.makePipe())
    let output = ErrorOutput(pipe.reading, on: loop) { lines.append($0) }
    output.open()
    let line = Array(String(repeating: "x", count: 99).utf8) + [UInt8(ascii: "\n")]
    func write() -> Bool { unsafe Glibc.write(pipe.writing.number, line, line.count) == line.count }
    for _ in 0..<LogLimit.count { #expect(write()) }
    try await lines.first("the last line", from: LogLimit.count - 1)
    // The pipe is full once nothing reads it.
    var count = 0
    while write(), count < 1_000_000 { count += 1 }
    #expect(errno == EAGAIN && count < 1_000_000)
    await withCheckedContinuation { continuation in
      loop.submit {
        output.close()
        continuation.resume()
      }
    }
    #expect(lines.elements == Array(repeating: String(repeating: "x", count: 99), count: LogLimit.count))
  }

  @Test("Lines of standard error and the last text of the process are reported; long lines are cut")
  func lines() async throws {
    let loop = PollLoop(name: "errors")
    defer { loop.stop() }
    let lines = EventLog<String>()
    let pipe = try #require(ErrorOutput.makePipe())
    let output = ErrorOutput(pipe.reading, on: loop) { lines.append($0) }
    output.open()
    let text = Array("one\n\ntwo\n\(String(repeating: "x", count: 10_000))\nthree".utf8)
    #expect(unsafe Glibc.write(pipe.writing.number, text, text.count) == text.count)
    try await lines.first("the second line", from: 1)
    await withCheckedContinuation { continuation in
      loop.submit {
        output.close()
        continuation.resume()
      }
    }
    #expect(lines.elements == ["one", "two", String(repeating: "x", count: EngineProtocol.logLimit), "three"])
  }
}
