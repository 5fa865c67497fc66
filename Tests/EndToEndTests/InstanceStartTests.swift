import DBus
import EventLoop
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the commands that start the player, and of the reasons why it does not start.
@Suite("The start of the player by a command") struct InstanceStartTests {
  /// A bus on which nothing runs, and the session of an earlier player with three tracks.
  private struct Session {
    var bus: PrivateBus
    var environment: [String: String]
    var files: [String]
    var directory: TemporaryDirectory

    func type(_ arguments: String...) async throws -> ProcessResult { try await type(arguments) }

    func type(_ arguments: [String]) async throws -> ProcessResult {
      try await run([DaemonUnderTest.executable] + arguments, environment: environment)
    }
  }

  /// Runs `body` with a session; `exec` is the program that the bus starts as the player, none by default.
  private func withSession(exec: String? = nil, _ body: (Session) async throws -> Void) async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { directory in
      for name in ["state", "lists", "services", "config", "config/mpris-playerd"] {
        _ = try directory.makeDirectory(name)
      }
      if let exec {
        try directory.write("[D-BUS Service]\nName=org.playerd\nExec=\(exec)\n", to: "services/org.playerd.service")
      }
      try await withPrivateBus(services: directory.file("services")) { bus in
        let environment = bus.environment.merging([
          "XDG_STATE_HOME": directory.file("state"), "XDG_CONFIG_HOME": directory.file("config"),
          "MPRIS_PLAYERD_AUDIO_SINK": "fakesink sync=true",
          "MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.file("lists"),
        ]) { $1 }
        let session = Session(bus: bus, environment: environment, files: files, directory: directory)
        // The bus could not start another instance, so the command starts it itself.
        let started = try await session.type(["--detach", "--paused"] + files)
        #expect(started.succeeded, "\(started.error)")
        #expect(try await session.type("queue").succeeded)
        #expect(try await session.type("quit").succeeded)
        try await body(session)
        _ = try await session.type("quit", "--quiet")
      }
    }
  }

  @Test(
    "Every command that starts the player reports a mistake in the configuration, and starts nothing",
    arguments: [nil, "/bin/sleep 1000"])
  func configuration(exec: String?) async throws {
    try await withSession(exec: exec) { session in
      _ = try session.directory.write("volume = \"loud\"\n", to: "config/mpris-playerd/config.toml")
      for arguments in [
        ["play"], ["toggle"], ["next"], ["previous"], ["jump", "1"], ["jump", "First"], ["play", "2"],
        ["find", "First"],
        ["add", session.files[0]], ["queue", "next", session.files[0]], ["save", "Evening"], ["playlist"],
        ["playlist", "play", "Evening"], ["playlist", "append", "Evening", session.files[0]],
      ] {
        let result = try await session.type(arguments)
        #expect(result.status == .exited(78) && result.output.isEmpty, "\(arguments): \(result.status)")
        let line = "\(session.directory.file("config/mpris-playerd/config.toml")):1: volume: "
        #expect(result.error.hasPrefix("mpris-playerd: \(line)"), "\(arguments): \(result.error)")
      }
      try FileManager.default.removeItem(atPath: session.directory.file("config/mpris-playerd/config.toml"))
      var silent = session
      silent.environment["MPRIS_PLAYERD_AUDIO_SINK"] = "no-such-element"
      let output = try await silent.type("play")
      #expect(output.status == .exited(64) && output.error.contains("no-such-element"), "\(output.error)")
      #expect(try await session.type("status").status == .exited(69))
    }
  }

  @Test("find, add, save and the commands of playlists work when nothing runs")
  func withoutInstance() async throws {
    try await withSession { session in
      func type(_ arguments: String...) async throws -> ProcessResult {
        let result = try await session.type(arguments)
        #expect(try await session.type("quit", "--quiet").succeeded, "\(arguments): \(result.error)")
        return result
      }
      #expect(try await type("save", "Evening").output.hasSuffix("/Evening.m3u8\n"))
      #expect(try await type("find", "second").output == "  2  Second  0:20\n")
      #expect(try await type("add", session.files[1]).output == "queued 1 track after “Third”\n")
      #expect(try await type("queue", "next", session.files[2]).output == "queued 1 track after “First”\n")
      #expect(try await type("playlist", "append", "Evening").output == "appended 1 track to “Evening”\n")
      #expect(
        try await type("playlist", "append", "New", session.files[0]).output
          == "created the playlist “New” with 1 track\n")
      #expect(try await type("playlist", "rename", "New", "Old").output == "“New” is now “Old”\n")
      // Neither of them starts an instance.
      #expect(try await session.type("playlist").output == "Evening\nOld\n")
      let absent = try await session.type("playlist", "play", "Evenin")
      #expect(absent.status == .exited(66) && absent.error.contains("did you mean “Evening”?"), "\(absent.error)")
      let missing = try await session.type("add", Media.missing)
      #expect(missing.status == .exited(66))
      #expect(try await session.type("status").status == .exited(69))
      #expect(try await session.type("playlist", "play", "Evening").output == "playing 4 tracks\n")
      #expect(try await session.type("status", "--format", "{{status}}").output == "Playing\n")
    }
  }

  @Test("A player without a session begins at the volume of the last session, unless another one is given")
  func volume() async throws {
    try await withSession { session in
      for (arguments, volume) in [
        ([], 10), (["--no-session"], 10), (["--no-session", "--volume", "40"], 40), (["--quit-at-end"], 10),
      ] {
        let started = try await session.type(["--detach", "--paused"] + arguments + [session.files[0]])
        #expect(started.succeeded, "\(started.error)")
        if arguments.isEmpty { #expect(try await session.type("volume", "10").succeeded) }
        #expect(try await session.type("volume").output == "volume \(volume) %\n", "\(arguments)")
        #expect(try await session.type("quit").succeeded)
      }
    }
  }

  @Test("add plays the first item of an empty queue when nothing runs, also without a session")
  func withoutSession() async throws {
    try await withSession { session in
      for name in try FileManager.default.contentsOfDirectory(atPath: session.directory.file("state/mpris-playerd")) {
        try FileManager.default.removeItem(atPath: session.directory.file("state/mpris-playerd/\(name)"))
      }
      for arguments in [["find", "First"], ["save", "Evening"], ["playlist", "append", "Evening"]] {
        #expect(try await session.type(arguments).status == .exited(69), "\(arguments)")
      }
      #expect(try await session.type("add", session.files[0]).output == "playing 1 track\n")
    }
  }

  @Test("A unit that systemd does not start any more is reported at once, with the command that shows why")
  func startLimit() async throws {
    let loop = PollLoop(name: "systemd")
    defer { loop.stop() }
    try await withSession(exec: "/bin/sleep 1000") { session in
      let systemd = try await SystemdMock(on: session.bus, loop, result: "start-limit-hit", exitStatus: 70)
      async let playing = session.type("play")
      try await systemd.starts.first("the start") { $0 == "mpris-playerd.service" }
      try await systemd.end("mpris-playerd.service", "failed")
      let played = try await playing
      #expect(played.status == .exited(69))
      #expect(
        played.error == """
          mpris-playerd: systemd cannot start the player: it has ended too often in a short time; \
          “systemctl --user status mpris-playerd” shows its last messages

          """)
    }
  }

  @Test("A program that the bus cannot start is reported, with the command that shows why")
  func bus() async throws {
    try await withSession(exec: "/bin/false") { session in
      let played = try await session.type("play")
      #expect(played.status == .exited(69))
      #expect(played.error.contains("“mpris-playerd --detach” shows why"), "\(played.error)")
    }
  }

  @Test("A request that the running player does not know names the restart, as after an upgrade")
  func otherVersion() async throws {
    let loop = PollLoop(name: "daemon")
    defer { loop.stop() }
    try await withPrivateBus { bus in
      // This process runs another program than the command, and does not have an interface of the daemon.
      let daemon = try await DBusConnection.open(address: bus.address, on: loop)
      for name in ["org.playerd", "org.mpris.MediaPlayer2.playerd"] as [BusName] {
        #expect(try await daemon.requestName(name))
      }
      for arguments in [["status"], ["pause"], ["find", "x"]] {
        let result = try await run([DaemonUnderTest.executable] + arguments, environment: bus.environment)
        #expect(result.status == .exited(69))
        #expect(result.error.hasSuffix("; \(Self.restart)\n"), "\(result.error)")
      }
      let doctor = try await run([DaemonUnderTest.executable, "doctor"], environment: bus.environment, within: 60)
      #expect(doctor.output.contains("warning: the daemon runs another program file"), "\(doctor.output)")
      await daemon.close()
    }
  }

  @Test("After its program was replaced, the player works, and each command says that it needs a restart")
  func upgrade() async throws {
    try await withTemporaryDirectory { directory in
      let (program, engine) = (directory.file("mpris-playerd"), directory.file("mpris-playerd-engine"))
      #expect(try await run(["cp", DaemonUnderTest.executable, program]).succeeded)
      #expect(try await run(["ln", "-s", DaemonUnderTest.executable + "-engine", engine]).succeeded)
      try await withPrivateBus { bus in
        let environment = bus.environment.merging(["XDG_STATE_HOME": directory.file("state")]) { $1 }
        let command = [program] + DaemonUnderTest.silentSink
        try await withChildProcess(command, environment: environment) { daemon in
          try await daemon.waitForLine(containing: "ready")
          func type(_ arguments: String...) async throws -> ProcessResult {
            try await run([DaemonUnderTest.executable] + arguments, environment: environment)
          }
          #expect(try await type("volume", "50").error.isEmpty)
          try FileManager.default.removeItem(atPath: program)
          for arguments in [["volume", "60"], ["status"], []] {
            let result = try await run([DaemonUnderTest.executable] + arguments, environment: environment)
            #expect(result.error == "mpris-playerd: \(Self.restart)\n", "\(arguments)")
          }
          #expect(try await type("volume", "70", "--quiet").error.isEmpty)
          #expect(try await type("status", "--format", "{{volume}}").error.isEmpty)
          #expect(try await type("quit").succeeded)
        }
      }
    }
  }

  private static let restart =
    "the running player is another version; restart the player with “mpris-playerd quit” and “mpris-playerd play”"
}
