import TestSupport
import Testing

@testable import PlayerdSystem

@Suite("Output of other programs") struct CommandOutputTests {
  @Test("A program that closes its output and hangs does not block the reader")
  func hang() async throws {
    let bytes = try await deadline(10, "the output is read") {
      CommandOutput.read(["sh", "-c", "echo text; exec >&-; exec sleep 600"], within: .seconds(40))
    }
    #expect(bytes == Array("text\n".utf8))
  }
}
