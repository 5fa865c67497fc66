import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the command as a user starts it.
@Suite
struct CommandLineTests {
  private func start(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> ProcessResult {
    let noBus = ChildEnvironment.withoutBus
    return try await withTemporaryDirectory { state in
      try await run(
        [DaemonUnderTest.executable] + DaemonUnderTest.silentSink + arguments,
        environment: noBus.merging(["XDG_STATE_HOME": state.path]) { $1 }.merging(environment) { $1 })
    }
  }

  @Test("Without a bus the command plays, prints one warning, and --quit-at-end exits with 0")
  func noBus() async throws {
    let file = try await Media.sine(seconds: 1, format: .flac)
    let result = try await start(["--quit-at-end", file])
    #expect(result.status == .exited(0), "\(result.error)")
    #expect(result.error.split(separator: "\n").count == 1)
    #expect(result.error.contains("no session bus"))
    #expect(result.output == "playing 1 track; Ctrl-C quits\n")
  }

  @Test("Each unplayable item is reported in one line with its reason, and the playable one plays")
  func badItems() async throws {
    let good = try await Media.sine(seconds: 1, format: .wav)
    let text = try await Media.textFile()
    let empty = try await Media.emptyFile()
    try await withPrivateBus { bus in
      let result = try await start(["--quit-at-end", Media.missing, text, empty, "/dev", good], bus.environment)
      #expect(result.status == .exited(0), "\(result.error)")
      let expected = [
        "mpris-playerd: \(Media.missing): not found", "mpris-playerd: \(text): not media",
        "mpris-playerd: \(empty): the file is empty", "mpris-playerd: /dev: no media in this folder",
      ].sorted()
      let lines = result.error.split(separator: "\n").map(String.init).sorted()
      #expect(lines == expected)
    }
  }

  @Test("With only unplayable items --quit-at-end exits with 66", arguments: ["none", "track", "playlist"])
  func nothingPlayable(loop: String) async throws {
    let text = try await Media.textFile()
    try await withPrivateBus { bus in
      let result = try await start(["--quit-at-end", "--loop", loop, Media.missing, text], bus.environment)
      #expect(result.status == .exited(66))
      #expect(result.error.split(separator: "\n").count == 2, "\(result.error)")
    }
  }

  @Test("The end or the failure of the last item is signalled before --quit-at-end exits", arguments: 0..<5)
  func lastSignal(_: Int) async throws {
    let good = try await Media.sine(seconds: 0.3)
    for (file, member) in [(good, "ItemDidPlayToEnd"), (try await Media.textFile(), "ItemFailedToPlayToEnd")] {
      try await withPrivateBus { bus in
        let released = "member='NameOwnerChanged',arg0='org.playerd',arg2=''"
        try await withBusMonitor(bus, "member='\(member)'", released) { monitor in
          _ = try await start(["--quit-at-end", "--enqueue", "--audio-sink", "fakesink", file], bus.environment)
          try await monitor.waitForLine(containing: "member=NameOwnerChanged")
          let signals = monitor.captured(.output).split(separator: "\n").filter { $0.contains("member=\(member)") }
          #expect(signals.count == 1)
        }
      }
    }
  }

  @Test("A daemon whose items have all failed continues to serve calls")
  func staysWhenNothingPlays() async throws {
    try await withDaemon([]) { daemon in
      try await daemon.call("OpenUri", [.string("file://\(try await Media.textFile())")])
      try await daemon.process.waitForLine(containing: "not media")
      #expect(try await daemon.status() == "Stopped")
      let good = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "Good"))
      try await daemon.call("OpenUri", [.string("file://\(good)")])
      try await daemon.titled("Good")
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test(
    "An invalid option is a usage error that names the option",
    arguments: [
      ["--volume", "200"], ["--rate", "9"], ["--loop", "sometimes"], ["--start", "1:99"], ["--start", "soon"],
      ["--enqueue", "--next"],
      ["--nonsense"], ["--audio-sink", "no-such-element"],
    ])
  func usage(arguments: [String]) async throws {
    let result = try await run([DaemonUnderTest.executable] + arguments)
    #expect(result.status == .exited(64), "\(result.error)")
    #expect(result.error.contains(arguments[arguments.count == 1 ? 0 : 1]), "\(result.error)")
  }

  @Test("Arguments with control characters are printed without them", arguments: ["status", "play", "seek", "save"])
  func controls(command: String) async throws {
    let text = "x\u{1B}[31m\u{9B}2J\u{202E}y"
    let result = try await run([DaemonUnderTest.executable, command, text, "--x\u{7}\(text)"])
    #expect(result.status == .exited(64))
    let isClean = result.error.unicodeScalars.allSatisfy {
      $0 == "\n" || $0.properties.generalCategory != .control && !$0.properties.isBidiControl
    }
    #expect(isClean && result.error.contains("x"), "\(result.error)")
  }

  @Test("SIGTERM and SIGINT shut the daemon down in order, with 0", arguments: [SIGTERM, SIGINT])
  func signals(signal: Int32) async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("First")
      daemon.process.signal(signal)
      #expect(try await daemon.process.exitStatus(within: 5) == .exited(0))
      #expect(daemon.process.captured(.error).isEmpty, "\(daemon.process.diagnostics)")
    }
  }

  @Test("A signal right after the daemon owns its MPRIS name shuts it down in order", arguments: 0..<5)
  func earlySignal(_: Int) async throws {
    try await withDaemon([]) { daemon in
      daemon.process.signal(SIGTERM)
      let status = try await daemon.process.exitStatus(within: 5)
      #expect(status == .exited(0))
    }
  }

  @Test("Quit ends the daemon with 0")
  func quit() async throws {
    try await withDaemon([]) { daemon in
      _ = try await daemon.client.call(
        on: DaemonUnderTest.name, at: DaemonUnderTest.path, of: "org.mpris.MediaPlayer2", "Quit")
      #expect(try await daemon.process.exitStatus(within: 5) == .exited(0))
    }
  }

  @Test("Clients read the values that the start options set")
  func options() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    let options = [
      "--paused", "--start", "0:05.5", "--volume", "40", "--loop", "playlist", "--shuffle", "--rate", "1.5",
    ]
    try await withDaemon(options + [file]) { daemon in
      try await daemon.titled("First")
      #expect(try await daemon.status() == "Paused")
      #expect(try await daemon.position() == 5_500_000)
      #expect(try await daemon.get("Volume") == .double(0.4))
      #expect(try await daemon.get("LoopStatus") == .string("Playlist"))
      #expect(try await daemon.get("Shuffle") == .boolean(true))
      #expect(try await daemon.get("Rate") == .double(1.5))
    }
  }

  @Test("A second start forwards its items and exits; --enqueue and --next leave the current track unchanged")
  func forwarding() async throws {
    let first = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    let second = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "Second"))
    let third = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "Third"))
    try await withDaemon([first]) { daemon in
      try await daemon.titled("First")
      var mark = daemon.signals.count
      func start(_ arguments: String...) async throws -> ChildProcess.ExitStatus {
        try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment).status
      }
      #expect(try await start("--enqueue", third) == .exited(0))
      try await daemon.changed("CanGoNext", from: mark) { $0 == .boolean(true) }
      #expect(try await start("--next", second) == .exited(0))
      #expect(try await daemon.metadata("xesam:title") == .string("First"))
      mark = daemon.signals.count
      try await daemon.call("Next")
      mark = try await daemon.titled("Second", from: mark)
      try await daemon.call("Next")
      mark = try await daemon.titled("Third", from: mark)
      #expect(try await start("--volume", "50", "--start", "0:10", first) == .exited(0))
      try await daemon.titled("First", from: mark)
      #expect(try await daemon.get("CanGoPrevious") == .boolean(false))
      #expect(try await daemon.get("Volume") == .double(0.5))
      #expect(try await daemon.position() >= 10_000_000)
    }
  }

  @Test("--new-instance starts a second instance with its own names")
  func instance() async throws {
    try await withDaemon([]) { daemon in
      let command = [DaemonUnderTest.executable, "--new-instance"] + DaemonUnderTest.silentSink
      let owners = try await daemon.client.signals(
        from: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
      let players = try await daemon.client.signals(
        interface: "com.github.altdesktop.playerctld", member: "ActivePlayerChangeEnd")
      try await withChildProcess(command, environment: daemon.bus.environment) { other in
        let name = "org.mpris.MediaPlayer2.playerd.instance\(other.processID)"
        try await deadline(10, "the second instance takes \(name)") {
          for await change in owners where change.arguments.first == .string(name) { return }
        }
        // Beside playerctld, playerctl lists the players whose properties playerctld has received.
        if Tool.areAvailable("playerctld") {
          try await deadline(10, "playerctld knows the second instance") {
            for await change in players where change.arguments.first == .string(name) { return }
          }
        }
        let list = try await run(["playerctl", "--list-all"], environment: daemon.bus.environment)
        #expect(Set(list.output.split(separator: "\n")) == ["playerd", "playerd.instance\(other.processID)"])
      }
    }
  }

  @Test("A folder plays in natural order, without hidden files and files of other types")
  func folder() async throws {
    let source = try await Media.sine(seconds: 2, format: .wav)
    try await withTemporaryDirectory { directory in
      _ = try directory.makeDirectory("album")
      _ = try directory.makeDirectory("album/CD 2")
      for name in ["track 10.wav", "Track 2.wav", ".hidden.wav", "cover.txt", "CD 2/a.wav"] {
        let linked = unsafe symlink(source, directory.file("album/\(name)"))
        #expect(linked == 0)
      }
      try await withDaemon(["--paused", directory.file("album")]) { daemon in
        var names: [String] = []
        var mark = try await daemon.changed("Metadata").index
        while true {
          names.append(try await daemon.metadata("xesam:title")?.asString ?? "none")
          guard try await daemon.get("CanGoNext") == .boolean(true) else { break }
          mark = daemon.signals.count
          try await daemon.call("Next")
          try await daemon.changed("Metadata", from: mark)
        }
        #expect(names == ["a.wav", "Track 2.wav", "track 10.wav"])
      }
    }
  }
}
