import TestSupport
import Testing

@Suite("Faults of standard output") struct OutputFaultTests {
  @Test(
    "A command whose output cannot be written fails with one line about it",
    arguments: [(">/dev/full", "No space left on device"), (">&-", "it is closed")])
  func fault(redirection: String, reason: String) async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.titled("First")
      for arguments in [
        ["--help"], ["--version"], ["--generate-completion-script", "bash"], ["config"], ["status"],
        ["status", "--json"],
        ["queue"], ["find", "first", "--json"], ["volume"], ["pause"], ["next", "--help"], ["watch", "--json"],
        ["report", "-"], ["add", file],
      ] {
        let result = try await run(
          ["sh", "-c", "exec \"$@\" \(redirection)", "sh", DaemonUnderTest.executable] + arguments,
          environment: daemon.bus.environment)
        #expect(result.status == .exited(74), "\(arguments): \(result.error)")
        #expect(result.error == "mpris-playerd: cannot write to standard output: \(reason)\n", "\(arguments)")
      }
      // Nothing is to be written.
      let quiet = ["sh", "-c", "exec \"$@\" \(redirection)", "sh", DaemonUnderTest.executable, "pause", "--quiet"]
      #expect(try await run(quiet, environment: daemon.bus.environment).succeeded)
    }
  }
}
