import Glibc
import TestSupport
import Testing

/// Tests of the notifications to a service manager such as systemd.
@Suite
struct ServiceManagerTests {
  @Test("The daemon sends READY when it owns its names and STOPPING on exit, each once", arguments: [false, true])
  func readyAndStopping(isAbstract: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let path = isAbstract ? "@mpris-playerd-test/\(getpid())" : directory.file("notify")
      try await withNotifyReceiver(path) { manager in
        try await withDaemon([], environment: manager.environment) { daemon in
          try await manager.messages.first("READY") { $0 == "READY=1" }
          let players = try await run(["playerctl", "--list-all"], environment: daemon.bus.environment)
          #expect(players.output == "playerd\n", "\(players)")
          await daemon.bus.kill()
          try await daemon.process.waitForLine(containing: "lost the connection to the session bus")
          try await daemon.bus.restart()
          try await daemon.process.waitForLine(containing: "reconnected to the session bus")
          daemon.process.signal(SIGTERM)
          #expect(try await daemon.process.exitStatus(within: 5) == .exited(0))
          try await manager.messages.first("STOPPING") { $0 == "STOPPING=1" }
          #expect(manager.messages.elements == ["READY=1", "STOPPING=1"])
        }
      }
    }
  }

  @Test("The daemon sends READY without a bus too, and so does a start that forwards its items")
  func readyWithoutNames() async throws {
    try await withTemporaryDirectory { directory in
      try await withNotifyReceiver(directory.file("notify")) { manager in
        let file = try await Media.sine(seconds: 1, format: .wav)
        let noBus = ChildEnvironment.withoutBus
        let command = [DaemonUnderTest.executable] + DaemonUnderTest.silentSink
        try await run(command + ["--quit-at-end", file], environment: noBus.merging(manager.environment) { $1 })
        #expect(manager.messages.elements == ["READY=1", "STOPPING=1"])
        try await withDaemon([]) { daemon in
          let environment = daemon.bus.environment.merging(manager.environment) { $1 }
          let handedOver = try await run([DaemonUnderTest.executable], environment: environment)
          #expect(handedOver.succeeded, "\(handedOver.error)")
        }
        #expect(manager.messages.elements.dropFirst(2) == ["READY=1"])
      }
    }
  }

  @Test(
    "A missing or invalid notification socket is ignored",
    arguments: ["\(TemporaryDirectory.missing)/notify", "", "vsock:2:1", "@" + String(repeating: "x", count: 200)])
  func noSocket(path: String) async throws {
    try await withDaemon([], environment: ["NOTIFY_SOCKET": path]) { daemon in
      let status = try await daemon.status()
      #expect(status == "Stopped")
      #expect(daemon.process.captured(.error).isEmpty, "\(daemon.process.diagnostics)")
    }
  }
}
