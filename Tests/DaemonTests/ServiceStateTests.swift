import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import PlayerdClient
@testable import PlayerdSystem

@Suite("The service and the process of the daemon") struct ServiceStateTests {
  @Test(
    "The result of the unit becomes a reason and an exit status",
    arguments: [
      ("start-limit-hit", Int32(1), "it has ended too often in a short time", Int32(69)),
      ("exit-code", 78, "its configuration has a mistake", 78),
      ("exit-code", 70, "it has ended with the status 70", 69),
      ("core-dump", 11, "it has crashed", 69), ("signal", 9, "it has crashed", 69),
      ("timeout", 0, "the result is timeout", 69),
    ])
  func failures(result: String, exitStatus: Int32, reason: String, status: Int32) {
    let failure = ServiceUnit.failure(result: result, exitStatus: exitStatus)
    #expect(failure.reason == reason && failure.status.rawValue == status)
  }

  @Test("A process runs this program, another one, or one whose file was replaced")
  func programs() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("shell")
      _ = try await run(["cp", try #require(Tool.path("sh")), path])
      #expect(ProcessState.program(of: getpid()) == .same)
      try await withChildProcess([path, "-c", "echo runs; kill -STOP $$"]) { process in
        // Another program starts it.
        try await process.waitForLine(containing: "runs", on: .output, within: 20)
        #expect(ProcessState.program(of: process.processID) == .other)
        try FileManager.default.removeItem(atPath: path)
        #expect(ProcessState.program(of: process.processID) == .replaced)
      }
      #expect(ProcessState.program(of: -1) == .same)
    }
  }
}
