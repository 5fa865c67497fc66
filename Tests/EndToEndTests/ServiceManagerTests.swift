import Glibc
import TestSupport
import Testing

/// What a service manager such as systemd is told.
@Suite(.serialized)
struct ServiceManagerTests {
  @Test("It says READY when its names are owned and STOPPING when it leaves, each once", arguments: [false, true])
  func readyAndStopping(isAbstract: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let path = isAbstract ? "@mpris-playerd-test/\(getpid())" : directory.file("notify")
      try await withNotifyReceiver(path) { manager in
        try await withDaemon([], environment: manager.environment) { daemon in
          try await manager.messages.first("READY") { $0 == "READY=1" }
          let players = try await run(["playerctl", "--list-all"], environment: daemon.bus.environment)
          #expect(players.output == "playerd\n")
          await daemon.bus.kill()
          try await daemon.process.waitForLine(containing: "the session bus is gone")
          try await daemon.bus.restart()
          try await daemon.process.waitForLine(containing: "back on the session bus")
          daemon.process.signal(SIGTERM)
          #expect(try await daemon.process.exitStatus(within: 5) == .exited(0))
          try await manager.messages.first("STOPPING") { $0 == "STOPPING=1" }
          #expect(manager.messages.elements == ["READY=1", "STOPPING=1"])
        }
      }
    }
  }

  @Test("Without a bus it is ready, too; and so is what has handed over")
  func readyWithoutNames() async throws {
    try await withTemporaryDirectory { directory in
      try await withNotifyReceiver(directory.file("notify")) { manager in
        let file = try await Media.sine(seconds: 1, format: .wav)
        let noBus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus", "XDG_RUNTIME_DIR": "/nonexistent"]
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
    "A socket that is not there, or is no path, is no matter",
    arguments: ["/nonexistent/notify", "", "vsock:2:1", "@" + String(repeating: "x", count: 200)])
  func noSocket(path: String) async throws {
    try await withDaemon([], environment: ["NOTIFY_SOCKET": path]) { daemon in
      let status = try await daemon.status()
      #expect(status == "Stopped")
      #expect(daemon.process.captured(.error).isEmpty, "\(daemon.process.diagnostics)")
    }
  }
}
