import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A folder `/run` for a child alone, in which systemd has the sockets of the user.
struct RunFolder: Sendable {
  private let folder: String
  private let user: String

  init(in directory: TemporaryDirectory) throws {
    user = try directory.makeDirectory("run/user/\(getuid())")
    folder = directory.file("run")
  }

  /// Makes a bus the one of the user, as if the user were logged in or lingered.
  func add(_ bus: PrivateBus) throws {
    let socket = String(bus.address.dropFirst("unix:path=".count))
    try FileManager.default.createSymbolicLink(atPath: "\(user)/bus", withDestinationPath: socket)
  }

  /// Returns the beginning of the command line of a program that sees the folder; cancels the test if that is not possible.
  func launcher() async throws -> [String] {
    guard let launcher = try await PrivateMounts.launcher([(folder, "/run")]) else {
      try Test.cancel("\(PrivateMounts.unavailable)")
    }
    return launcher
  }
}

/// Tests of a user without a login: in cron, over SSH without PAM, and on a machine without a desktop.
@Suite("Commands without a session") struct LingeringTests {
  @Test("Without variables, a command finds the bus of a lingering user, and without a bus it names the remedy")
  func bus() async throws {
    try await withTemporaryDirectory { directory in
      let user = try RunFolder(in: directory)
      let program = try await user.launcher() + ["env", "-u", "XDG_RUNTIME_DIR", DaemonUnderTest.executable]
      let remedy =
        "log in, run “sudo loginctl enable-linger USER” to have one without a login, or start one with dbus-run-session"
      let without = try await run(program + ["pause"])
      #expect(without.status == .exited(69) && without.output.isEmpty)
      #expect(without.error == "mpris-playerd: no session bus found; \(remedy)\n")
      #expect(try await run(program + ["doctor"]).output.contains("error: no session bus found – \(remedy)"))
      let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Song"))
      try await withDaemon([file]) { daemon in
        try await daemon.opened(titled: "Song")
        try user.add(daemon.bus)
        let pause = try await run(program + ["pause"])
        #expect(pause.succeeded && pause.output.hasPrefix("paused: Song"), "\(pause.error)")
        #expect(try await daemon.status() == "Paused")
      }
    }
  }
}
