import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the verbs of the command line with the built daemon.
@Suite("Verbs")
struct VerbTests {
  private func verb(_ daemon: DaemonUnderTest, _ arguments: [String]) async throws -> ProcessResult {
    try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
  }

  private func output(_ daemon: DaemonUnderTest, _ arguments: String...) async throws -> String {
    try await verb(daemon, arguments).output
  }

  private func withThreeTracks(_ body: (DaemonUnderTest) async throws -> Void) async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: "First")
      try await body(daemon)
    }
  }

  @Test("Transport verbs change the playback status and print the new one")
  func transport() async throws {
    try await withThreeTracks { daemon async throws in
      let steps: [(verb: String, status: String, words: [String])] = [
        ("play", "Playing", ["playing", "loading"]), ("pause", "Paused", ["paused"]),
        ("toggle", "Playing", ["playing", "loading"]), ("toggle", "Paused", ["paused"]),
        ("stop", "Stopped", ["stopped"]),
      ]
      for step in steps {
        let result = try await verb(daemon, [step.verb])
        #expect(result.succeeded, "\(step.verb): \(result.error)")
        #expect(result.error.isEmpty, "\(step.verb)")
        #expect(step.words.contains { result.output.hasPrefix("\($0): First") }, "\(step.verb): \(result.output)")
        #expect(try await daemon.status() == step.status)
      }
    }
  }

  @Test("next and previous change the track and report the ends of the queue")
  func neighbours() async throws {
    try await withThreeTracks { daemon async throws in
      #expect(try await output(daemon, "next").hasSuffix("track 2 of 3\n"))
      #expect(try await output(daemon, "next").hasSuffix("track 3 of 3\n"))
      let last = try await verb(daemon, ["next"])
      #expect(last.status == .exited(1))
      #expect(last.error == "mpris-playerd: this is the last track\n")
      #expect(try await output(daemon, "previous").hasSuffix("track 2 of 3\n"))
      #expect(try await verb(daemon, ["previous"]).succeeded)
      let first = try await verb(daemon, ["previous"])
      #expect(first.status == .exited(1))
      #expect(first.error == "mpris-playerd: this is the first track\n")
      try await daemon.opened(titled: "First")
      #expect(try await verb(daemon, ["seek", "3.5"]).succeeded)
      #expect(try await output(daemon, "previous").hasSuffix("0:00 / 0:20, track 1 of 3\n"))
      #expect(try await daemon.position() == 0)
      #expect(try await verb(daemon, ["previous"]).status == .exited(1))
    }
  }

  @Test("seek takes positions and signed distances, the sign before or after the number")
  func seek() async throws {
    try await withThreeTracks { daemon async throws in
      let steps: [(argument: String, position: Int64)] = [
        ("10", 10_000_000), ("+2", 12_000_000), ("-4.5", 7_500_000), ("1+", 8_500_000), ("8-", 500_000),
        ("50%", 10_000_000), ("-10%", 8_000_000), ("+2s", 10_000_000), ("-0:05", 5_000_000), ("0m5s", 5_000_000),
        ("0:05", 5_000_000),
      ]
      for step in steps {
        let result = try await verb(daemon, ["seek", step.argument])
        #expect(result.succeeded, "\(result.error)")
        #expect(try await daemon.position() == step.position, "\(step.argument)")
      }
      let beyond = try await verb(daemon, ["seek", "10:00"])
      #expect(beyond.status == .exited(1))
      #expect(beyond.error.hasPrefix("mpris-playerd: the position is beyond the end of the track ("))
      #expect(try await daemon.position() == 5_000_000)
      #expect(try await verb(daemon, ["stop"]).succeeded)
      let stopped = try await verb(daemon, ["seek", "1"])
      #expect(stopped.status == .exited(1))
      #expect(stopped.error == "mpris-playerd: cannot seek: playback is stopped\n")
    }
  }

  @Test("volume is in percent, absolute or signed; a fraction is refused with the percentage")
  func volume() async throws {
    try await withThreeTracks { daemon async throws in
      let steps: [(argument: String, volume: Double, output: String)] = [
        ("50", 0.5, "volume 50 %"), ("+5", 0.55, "volume 55 %"), ("-15", 0.4, "volume 40 %"),
        ("100%", 1, "volume 100 %"), ("-200", 0, "volume 0 %"),
        ("+300", 1, "volume 100 %; volume-max allows no more"), ("+1", 1, "volume 100 %; volume-max allows no more"),
        ("1%", 0.01, "volume 1 %"), ("1", 0.01, "volume 1 %"), ("2+", 0.03, "volume 3 %"), ("30", 0.3, "volume 30 %"),
      ]
      for step in steps {
        #expect(try await output(daemon, "volume", step.argument) == step.output + "\n")
        #expect(try await daemon.get("Volume").asDouble.map { abs($0 - step.volume) < 1e-6 } == true)
      }
      for slip in ["500", "101", "100.5", "1000000"] {
        let result = try await verb(daemon, ["volume", slip])
        #expect(result.status == .exited(64), "\(slip)")
        #expect(result.error == "mpris-playerd: the volume \(slip) is above volume-max, which is 100\n")
      }
      let fraction = try await verb(daemon, ["volume", "0.5"])
      #expect(fraction.status == .exited(64) && fraction.output.isEmpty)
      #expect(fraction.error.contains("the volume “0.5” is a fraction; write 50, because"), "\(fraction.error)")
      #expect(try await verb(daemon, ["volume", "loud"]).status == .exited(64))
      let change = try await verb(daemon, ["volume", "-0.2"])
      #expect(change.status == .exited(64) && change.error.contains("the volume “-0.2” is a fraction; write -20,"))
      #expect(try await output(daemon, "volume") == "volume 30 %\n")
      #expect(try await output(daemon, "mute") == "volume 30 %, muted\n")
      #expect(try await output(daemon, "mute", "off") == "volume 30 %\n")
    }
  }

  @Test("speed, shuffle and loop set the MPRIS properties and print them")
  func modes() async throws {
    try await withThreeTracks { daemon async throws in
      #expect(try await output(daemon, "speed", "1.25") == "speed 1.25\n")
      #expect(try await daemon.get("Rate") == .double(1.25))
      #expect(try await output(daemon, "speed", "+0.1") == "speed 1.35\n")
      #expect(try await output(daemon, "speed", "-0.35") == "speed 1\n")
      #expect(try await verb(daemon, ["speed", "9"]).status == .exited(64))
      #expect(try await output(daemon, "shuffle") == "shuffle on\n")
      #expect(try await daemon.get("Shuffle") == .boolean(true))
      #expect(try await output(daemon, "shuffle", "Albums") == "shuffle albums\n")
      #expect(try await daemon.get("Shuffle") == .boolean(true))
      #expect(try await output(daemon, "status").contains(", shuffle albums"))
      #expect(try await output(daemon, "status", "--format", "{{shuffle}} {{shuffleMode}}") == "true albums\n")
      #expect(try await output(daemon, "shuffle", "on") == "shuffle on\n")
      #expect(try await output(daemon, "shuffle", "off") == "shuffle off\n")
      #expect(try await output(daemon, "loop", "track") == "loop track\n")
      #expect(try await daemon.get("LoopStatus") == .string("Track"))
      #expect(try await output(daemon, "loop") == "loop track\n")
      #expect(try await output(daemon, "loop", "none", "--quiet").isEmpty)
      let quiet = try await verb(daemon, ["--quiet", "loop", "playlist"])
      #expect(quiet.succeeded && quiet.output.isEmpty && quiet.error.isEmpty)
      #expect(try await daemon.get("LoopStatus") == .string("Playlist"))
    }
  }

  @Test("Settings are printed without an argument, and after they are set")
  func settings() async throws {
    try await withThreeTracks { daemon async throws in
      #expect(try await output(daemon, "sleep") == "the sleep timer is off\n")
      #expect(try await output(daemon, "sleep", "30m").hasPrefix("pauses at "))
      #expect(try await output(daemon, "status").contains("\nsleep timer: pauses at "))
      #expect(try await output(daemon, "sleep", "off") == "the sleep timer is off\n")
      #expect(try await output(daemon, "stop-after") == "stop-after is off\n")
      #expect(try await output(daemon, "stop-after", "on") == "stops after this track: First\n")
      #expect(try await output(daemon, "stop-after", "2") == "stops after 2 tracks\n")
      #expect(try await output(daemon, "status").contains("\nstops after 2 tracks\n"))
      #expect(try await output(daemon, "stop-after", "off") == "stop-after is off\n")
      #expect(try await output(daemon, "repeat-ab", "1", "2.5") == "repeats 0:01 to 0:02.5\n")
      #expect(try await output(daemon, "repeat-ab") == "repeats 0:01 to 0:02.5\n")
      let beyond = try await verb(daemon, ["repeat-ab", "1", "60"])
      #expect(beyond.status == .exited(64) && beyond.error == "mpris-playerd: the track ends at 0:20\n")
      let short = try await verb(daemon, ["repeat-ab", "1", "1.05s"])
      #expect(short.status == .exited(64) && short.error == "mpris-playerd: the part is shorter than 0.1 s\n")
      let long = try await verb(daemon, ["sleep", "169h"])
      #expect(long.status == .exited(64) && long.error == "mpris-playerd: the delay is not between 0 and 7 days\n")
      #expect(try await output(daemon, "repeat-ab", "off") == "repeat-ab is off\n")
      #expect(try await verb(daemon, ["chapter"]).error == "mpris-playerd: the current track has no chapters\n")
      #expect(try await output(daemon, "output") == "fakesink sync=true\n")
    }
  }

  @Test("--instance, before or after a command, addresses one of two instances by process ID and by name")
  func instances() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      let owners = try await daemon.client.signals(
        from: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
      #expect(try await verb(daemon, ["volume", "10"]).succeeded)
      let command = [DaemonUnderTest.executable, "--new-instance", "--paused", files[1]] + DaemonUnderTest.silentSink
      try await withChildProcess(command, environment: daemon.bus.environment) { other in
        let name = "playerd.instance\(other.processID)"
        try await deadline(10, "the second instance serves MPRIS") {
          for await change in owners where change.arguments.first == .string("org.mpris.MediaPlayer2.\(name)") {
            return
          }
        }
        // It is not louder than the player that runs.
        #expect(try await output(daemon, "volume", "--instance", name) == "volume 10 %\n")
        for instance in ["\(other.processID)", name, "instance\(other.processID)"] {
          #expect(try await verb(daemon, ["volume", "20", "--instance", instance]).succeeded)
          #expect(try await output(daemon, "volume", "--instance", instance) == "volume 20 %\n")
        }
        for instance in ["\(daemon.process.processID)", "playerd"] {
          #expect(try await output(daemon, "volume", "--instance", instance) == "volume 10 %\n")
        }
        #expect(try await output(daemon, "--instance", name, "volume") == "volume 20 %\n")
        #expect(try await output(daemon, "--instance", name, "queue", "list").contains("Second"))
        #expect(try await verb(daemon, ["volume", "--instance", "1"]).status == .exited(69))
        #expect(try await verb(daemon, ["--instance", "1", "volume"]).status == .exited(69))
        #expect(try await verb(daemon, ["--instance", name, "doctor"]).status == .exited(64))
        #expect(try await output(daemon, "quit", "--instance", name) == "quit\n")
        #expect(try await other.exitStatus(within: 10) == .exited(0))
      }
      #expect(try await verb(daemon, ["status"]).succeeded)
    }
  }

  @Test(
    "A mistyped command or a missing file does not change the queue or the playback",
    arguments: [
      (["pasue"], 64, "did you mean “pause”?"), (["stpo"], 64, "did you mean “stop”?"),
      (["missing.flac"], 66, "not found"),
      (["./pause"], 66, "not found"), (["play", "nonsense"], 64, "not a command, file, URL or playlist"),
      (["append", "."], 64, "did you mean “add”?"), (["queu", "add", "."], 64, "did you mean “queue”?"),
      (["--paused", "enqueue", "."], 64, "did you mean “add”?"), ([".", "pasue"], 64, "did you mean “pause”?"),
      ([".", "stop"], 64, "as a command, it comes first"),
      (["queue", "add", ".", "pasue"], 64, "did you mean “pause”?"),
      (["queue", "pop"], 64, "pop: not a command of “queue”"),
      (["playlist", "pop"], 64, "“mpris-playerd help playlist” lists the commands"),
      (["nonsense", ".", "."], 64, "“mpris-playerd --help” lists the commands"),
      ([""], 64, "an empty argument is not a file, URL or playlist"),
      (["doctor", "--verify", ""], 64, "--verify needs a file"),
      (["output", ""], 64, "an empty argument is not a device"),
      (["play", "--audio-sink", "fakesink"], 64, "--audio-sink needs an item"),
    ])
  func mistakes(arguments: [String], status: Int32, text: String) async throws {
    try await withThreeTracks { daemon async throws in
      let start = daemon.signals.count
      try await daemon.call("Play")
      try await daemon.changed("PlaybackStatus", from: start)
      try await daemon.barrier()
      let mark = daemon.signals.count
      let result = try await verb(daemon, arguments)
      #expect(result.status == .exited(status), "\(result.error)")
      #expect(result.error.contains(text), "\(result.error)")
      try await daemon.barrier()
      #expect(daemon.signals.elements[mark...].isEmpty)
      #expect(try await daemon.status() == "Playing")
      #expect(try await daemon.get("Tracks", of: "org.mpris.MediaPlayer2.TrackList").asObjectPaths?.count == 3)
    }
  }

  @Test("Without a daemon every verb reports that none runs, exits with 69, and leaves the session unchanged")
  func noDaemon() async throws {
    try await withPrivateBus { bus in
      try await withTemporaryDirectory { state in
        let environment = bus.environment.merging(["XDG_STATE_HOME": state.path]) { $1 }
        let verbs = [
          ["play"], ["pause"], ["toggle"], ["stop"], ["next"], ["previous"], ["seek", "1"], ["volume"], ["mute"],
          ["speed"], ["shuffle"], ["loop"], ["sleep"], ["stop-after"], ["repeat-ab"], ["chapter"], ["output"],
          ["status"],
          ["save", "x"], ["reload"], ["quit"],
        ]
        for verb in verbs {
          let result = try await run([DaemonUnderTest.executable] + verb, environment: environment)
          #expect(result.status == .exited(69), "\(verb): \(result.error)")
          #expect(result.error.contains("no instance is running"), "\(verb): \(result.error)")
          #expect(result.output.isEmpty)
        }
        #expect(try await run([DaemonUnderTest.executable, "pasue"], environment: environment).status == .exited(64))
        let files = try FileManager.default.contentsOfDirectory(atPath: state.path)
        #expect(files.isEmpty)
      }
    }
  }
}
