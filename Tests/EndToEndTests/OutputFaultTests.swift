import TestSupport
import Testing

@Suite("Faults of standard output") struct OutputFaultTests {
  @Test(
    "A command whose output cannot be written fails with one line about it",
    arguments: [(">/dev/full", "No space left on device"), (">&-", "it is closed")])
  func fault(redirection: String, reason: String) async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withTemporaryDirectory { directory in
      let lists = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.path]
      try await withDaemon(["--paused", file], environment: lists) { daemon in
        let environment = daemon.bus.environment.merging(lists) { $1 }
        try await daemon.titled("First")
        for arguments in [
          ["--help"], ["--version"], ["--generate-completion-script", "bash"], ["config"], ["status"],
          ["status", "--json"],
          ["status", "--format", "{{title}}"], ["queue"], ["queue", "--json"], ["find", "first", "--json"], ["volume"],
          ["speed"], ["loop"], ["sleep"], ["stop-after"], ["repeat-ab"], ["crossfade"], ["output"], ["position"],
          ["pause"],
          ["next", "--help"], ["watch"], ["watch", "--json"], ["watch", "--format", "{{title}}"],
          ["doctor"], ["report", "-"], ["add", file], ["undo"], ["save", "Evening", "--force"], ["playlist"],
        ] {
          let result = try await run(
            ["sh", "-c", "exec \"$@\" \(redirection)", "sh", DaemonUnderTest.executable] + arguments,
            environment: environment)
          #expect(result.status == .exited(74), "\(arguments): \(result.error)")
          #expect(result.error == "mpris-playerd: cannot write to standard output: \(reason)\n", "\(arguments)")
        }
        // Nothing is to be written.
        let quiet = ["sh", "-c", "exec \"$@\" \(redirection)", "sh", DaemonUnderTest.executable, "pause", "--quiet"]
        #expect(try await run(quiet, environment: environment).succeeded)
      }
    }
  }
}
