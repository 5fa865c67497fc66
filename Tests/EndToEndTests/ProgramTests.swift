import FoundationEssentials
import TestSupport
import Testing

/// The daemon and its commands are one program; GStreamer runs in the engine, which a command starts on demand.
@Suite("The programs")
struct ProgramTests {
  @Test("The program is linked with no library of GStreamer, its engine with no bus")
  func libraries() async throws {
    for (program, isEngine) in [(DaemonUnderTest.executable, false), ("\(DaemonUnderTest.executable)-engine", true)] {
      let libraries = try await run(["readelf", "--dynamic", program])
      #expect(libraries.succeeded, "\(libraries.error)")
      #expect(libraries.output.contains("libdbus-1") == !isEngine, "\(program)")
      #expect(libraries.output.contains("libgstreamer") == isEngine, "\(program): \(libraries.output)")
    }
  }

  @Test("A player that has loaded nothing, and commands to it, start no engine")
  func lazy() async throws {
    try await withDaemon([], sink: []) { daemon in
      for command in ["status", "config", "volume"] {
        let result = try await run([DaemonUnderTest.executable, command], environment: daemon.bus.environment)
        #expect(result.succeeded, "\(result.error)")
      }
      #expect(try await daemon.engineProcessID() == nil)
      let process = "/proc/\(daemon.process.processID)/task/\(daemon.process.processID)/children"
      #expect(try String(contentsOfFile: process, encoding: .utf8) == "")
    }
  }

  @Test(
    "Without the engine's program, commands to the player work, and one that needs the engine names the missing file")
  func missing() async throws {
    try await withTemporaryDirectory { directory in
      let copy = directory.file("mpris-playerd")
      // By a child: a file that this process has open for writing cannot be run.
      #expect(try await run(["cp", DaemonUnderTest.executable, copy]).succeeded)
      for arguments in [["devices"], ["--no-session"]] {
        let result = try await run([copy] + arguments)
        #expect(result.status == .exited(70) && result.output.isEmpty)
        #expect(result.error.contains("mpris-playerd: cannot run \(copy)-engine: "), "\(result.error)")
      }
      try await withDaemon([]) { daemon in
        let result = try await run([copy, "status"], environment: daemon.bus.environment)
        #expect(result.succeeded, "\(result.error)")
        let findings = try await run([copy, "doctor", "--verbose"], environment: daemon.bus.environment).output.split(
          separator: "\n")
        #expect(
          findings.contains { $0.hasPrefix("error") && $0.contains("cannot run \(copy)-engine: ") }, "\(findings)")
        #expect(findings.contains { $0.hasPrefix("ok") }, "\(findings)")
      }
    }
  }

  @Test("Local files are inspected and decoded by processes without sockets, and only the output has the sound server")
  func inspection() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { directory in
      let copy = directory.file("mpris-playerd")
      #expect(try await run(["cp", DaemonUnderTest.executable, copy]).succeeded)
      let text = try directory.write(
        """
        #!/bin/sh
        echo "$@" >>'\(directory.file("starts"))'
        exec '\(DaemonUnderTest.executable)-engine' "$@"
        """, to: "engine.sh")
      #expect(try await run(["install", "-m", "755", text, "\(copy)-engine"]).succeeded)
      try await withPrivateBus { bus in
        let environment = bus.environment.merging(["XDG_STATE_HOME": directory.file("state")]) { $1 }
        let command = [copy, "--paused"] + DaemonUnderTest.silentSink + files
        try await withChildProcess(command, environment: environment) { daemon in
          try await daemon.waitForLine(containing: "loaded 3 tracks")
          // The titles of the tracks that are not loaded.
          #expect(try await run([copy, "queue"], environment: environment).output.contains("Third"))
          let starts = try String(contentsOfFile: directory.file("starts"), encoding: .utf8).split(separator: "\n")
          #expect(starts.count { $0.contains("--sound") } == 1 && starts.count > 2, "\(starts)")
          #expect(!starts.contains { $0.contains("--network") }, "\(starts)")
          #expect(try await run([copy, "quit"], environment: environment).succeeded)
        }
      }
    }
  }

  @Test("Without /proc, the engine's program is not found, and the command names the file")
  func withoutProc() async throws {
    let hiding = [
      "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none /proc && exec \"$0\"",
    ]
    guard Tool.areAvailable("unshare", "mount"), try await run(hiding + ["true"]).succeeded else {
      try Test.cancel("/proc cannot be hidden from a program")
    }
    // A Swift program reads its arguments from /proc. Without them, it would play.
    let result = try await run(hiding + [DaemonUnderTest.executable])
    #expect(result.status == .exited(70), "\(result.status)")
    #expect(result.error.contains("mpris-playerd: cannot run /mpris-playerd-engine: "), "\(result.error)")
  }
}
