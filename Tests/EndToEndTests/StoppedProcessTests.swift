import Glibc
import TestSupport
import Testing

/// Tests of a daemon whose terminal or another program stops it.
@Suite("Stopped processes") struct StoppedProcessTests {
  private func status(_ daemon: DaemonUnderTest) async throws -> ProcessResult {
    try await run([DaemonUnderTest.executable, "status"], environment: daemon.bus.environment)
  }

  @Test(
    "A signal of the terminal does not stop the daemon: it plays and replies",
    arguments: [SIGTSTP, SIGTTIN, SIGTTOU])
  func terminal(signal: Int32) async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.opened(titled: "First")
      daemon.process.signal(signal)
      if signal == SIGTSTP { try await daemon.process.waitForLine(containing: "Ctrl-Z has no effect", on: .error) }
      #expect(try await status(daemon).succeeded)
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test("Commands for a stopped daemon name its process and the remedy at once, and it continues afterwards")
  func stopped() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.opened(titled: "First")
      daemon.process.signal(SIGSTOP)
      let process = daemon.process.processID
      #expect(waitid(P_PID, id_t(process), nil, WSTOPPED | WNOWAIT) == 0)
      for arguments in [["status"], ["pause"], ["queue"], ["--enqueue", file]] {
        let result = try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
        #expect(result.status == .exited(69), "\(arguments)")
        #expect(result.error.contains("process \(process) is stopped; “kill -CONT \(process)”"), "\(result.error)")
      }
      daemon.process.signal(SIGCONT)
      #expect(try await status(daemon).succeeded)
    }
  }
}
