import Glibc
import TestSupport
import Testing

@testable import PlayerdSystem

@Suite("Signals of the process")
struct ProcessSignalTests {
  @Test("A signal that is sent after trapping is delivered, with its number")
  func delivered() async throws {
    var signals = await ProcessSignals.trap([SIGWINCH, SIGURG]).makeAsyncIterator()
    for number in [SIGURG, SIGWINCH] {
      kill(getpid(), number)
      #expect(await signals.next() == number)
    }
  }
}
