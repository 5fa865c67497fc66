import FoundationEssentials
import TestSupport
import Testing

/// The command line and the daemon are two programs: a command to a running daemon does not load GStreamer.
@Suite("The daemon's program")
struct DaemonProgramTests {
  @Test("The command line is linked with no library of GStreamer, the daemon is")
  func libraries() async throws {
    for (program, isLinked) in [(DaemonUnderTest.executable, false), ("\(DaemonUnderTest.executable)-daemon", true)] {
      let libraries = try await run(["ldd", program])
      #expect(libraries.succeeded, "\(libraries.error)")
      #expect(libraries.output.contains("libdbus-1"), "\(program)")
      #expect(libraries.output.contains("libgstreamer") == isLinked, "\(program): \(libraries.output)")
    }
  }

  @Test("Playback continues in the daemon's program, which has the process ID of the command")
  func process() async throws {
    let file = try await Media.sine(seconds: 1, format: .flac)
    try await withDaemon(["--paused", file]) { daemon in
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(daemon.process.processID)/exe")
      #expect(program.hasSuffix("/mpris-playerd-daemon"))
    }
  }

  @Test("Without the daemon's program, a command that needs it names the missing file")
  func missing() async throws {
    try await withTemporaryDirectory { directory in
      let copy = directory.file("mpris-playerd")
      // By a child: a file that this process has open for writing cannot be run.
      #expect(try await run(["cp", DaemonUnderTest.executable, copy]).succeeded)
      let result = try await run([copy, "devices"])
      #expect(result.status == .exited(70) && result.output.isEmpty)
      #expect(result.error.hasPrefix("mpris-playerd: cannot run \(copy)-daemon: "), "\(result.error)")
    }
  }

  @Test("Without /proc, the daemon's program is not found, and the command names the file")
  func withoutProc() async throws {
    let hiding = [
      "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none /proc && exec \"$0\"",
    ]
    guard Tool.areAvailable("unshare", "mount"), try await run(hiding + ["true"]).succeeded else {
      try Test.cancel("/proc cannot be hidden from a program")
    }
    // Without /proc, a Swift program has no arguments, so it would play.
    let result = try await run(hiding + [DaemonUnderTest.executable])
    #expect(result.status == .exited(70), "\(result.status)")
    #expect(result.error.hasPrefix("mpris-playerd: cannot run /mpris-playerd-daemon: "), "\(result.error)")
  }
}
