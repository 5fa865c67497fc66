import TestSupport
import Testing

@Suite("Limits of the process")
struct ProcessLimitTests {
  @Test(
    "Under a limit that is too low, the daemon ends with the reason and the remedy",
    arguments: [("-v 400000", "ulimit -v 3000000"), ("-v 600000", "ulimit -v 3000000"), ("-n 40", "ulimit -n 64")])
  func refusal(limit: String, remedy: String) async throws {
    let daemon = try Tool.built("mpris-playerd")
    let finished = try await run(["/bin/sh", "-c", "ulimit \(limit); exec \(daemon) --no-session"], within: 20)
    #expect(finished.status == .exited(71))
    #expect(finished.error.contains(remedy), "\(finished.error)")
  }
}
