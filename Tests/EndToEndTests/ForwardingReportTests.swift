import DBus
import Glibc
import TestSupport
import Testing

/// Tests of a second start of the command, which forwards its items to the running daemon.
@Suite("Forwarding to a running instance")
struct ForwardingReportTests {
  private func start(_ daemon: DaemonUnderTest, _ arguments: [String], config: String? = nil) async throws
    -> ProcessResult
  {
    let environment = config.map { ["XDG_CONFIG_HOME": $0] } ?? [:]
    return try await run(
      [DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment.merging(environment) { $1 })
  }

  private func queue(_ daemon: DaemonUnderTest) async throws -> [String] {
    let list = try await start(daemon, ["queue"])
    return list.output.split(separator: "\n").map(String.init)
  }

  @Test("The report names the number of tracks and the track that they follow")
  func report() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      #expect(try await start(daemon, ["--enqueue", files[1]]).output == "queued 1 track after “First”\n")
      #expect(try await start(daemon, ["--enqueue", files[0], files[1]]).output == "queued 2 tracks after “Second”\n")
      #expect(try await start(daemon, ["--paused", files[0], files[1]]).output == "loaded 2 tracks, paused\n")
      #expect(try await start(daemon, ["--quiet", "--enqueue", files[2]]).output.isEmpty)
      #expect(try await start(daemon, [files[2]]).output == "playing 1 track\n")
    }
  }

  @Test("Items of several --next play in the order of the calls")
  func nextTwice() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0], files[2]]) { daemon in
      try await daemon.opened(titled: "First")
      #expect(try await start(daemon, ["--next", files[1]]).output == "queued 1 track after “First”\n")
      #expect(try await start(daemon, ["queue", "next", files[0]]).output == "queued 1 track after “Second”\n")
      let titles = try await queue(daemon).map { $0.split(separator: " ")[$0.hasPrefix(">") ? 2 : 1] }
      #expect(titles == ["First", "Second", "First", "Third"])
    }
  }

  @Test("Unplayable items leave the queue and the playback unchanged, with 66 and a reason for each")
  func nothingPlayable() async throws {
    let files = try await TrackListTests.files()
    let text = try await Media.textFile()
    let empty = try await Media.emptyFile()
    try await withTemporaryDirectory { directory in
      try await withDaemon([files[0]]) { daemon in
        try await daemon.opened(titled: "First")
        let mark = daemon.signals.count
        let result = try await start(daemon, [text, empty, directory.path])
        #expect(result.status == .exited(66))
        #expect(result.output.isEmpty)
        let lines = Set(result.error.split(separator: "\n").map(String.init))
        #expect(
          lines == [
            "mpris-playerd: \(text): not media", "mpris-playerd: \(empty): the file is empty",
            "mpris-playerd: \(directory.path): no media in this folder",
          ])
        #expect(try await daemon.metadata("xesam:title") == .string("First"))
        #expect(try await daemon.status() == "Playing")
        try await daemon.barrier()
        #expect(daemon.signals.count == mark)
      }
    }
  }

  @Test("If some items are unplayable, each is reported with its reason and 1, and the rest plays")
  func partlyPlayable() async throws {
    let files = try await TrackListTests.files()
    let text = try await Media.textFile()
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      let result = try await start(daemon, ["--paused", text, files[1], Media.missing])
      #expect(result.status == .exited(1))
      #expect(result.output == "loaded 1 track, paused\n")
      #expect(result.error.contains("\(text): not media\n"), "\(result.error)")
      #expect(result.error.contains("\(Media.missing): not found\n"), "\(result.error)")
      try await daemon.titled("Second")
    }
  }

  @Test("A web page is reported as such and does not replace the queue")
  func webPage() async throws {
    let files = try await TrackListTests.files()
    try await withHTTPServer { server in
      let page = server.script("/index.html", .bytes(Array("<html></html>".utf8), type: "text/html; charset=utf-8"))
      let lost = server.script("/lost.mp3", .status(404))
      try await withDaemon(["--paused", files[0]]) { daemon in
        try await daemon.opened(titled: "First")
        let result = try await start(daemon, [page, lost])
        #expect(result.status == .exited(66))
        #expect(result.error.contains("\(page): this is a web page, not audio\n"), "\(result.error)")
        #expect(result.error.contains("\(lost): "), "\(result.error)")
        #expect(try await daemon.metadata("xesam:title") == .string("First"))
      }
    }
  }

  @Test(
    "Options that only apply at a start are refused with 64, and nothing is sent",
    arguments: [
      ["--quit-at-end"], ["--audio-sink", "fakesink"], ["--no-session"], ["--log-level", "debug"],
    ])
  func startOptions(options: [String]) async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      let result = try await start(daemon, options + [files[1]])
      #expect(result.status == .exited(64))
      #expect(result.error.contains("\(options[0]) only takes effect when the daemon starts"), "\(result.error)")
      #expect(try await queue(daemon).count == 1)
    }
  }

  @Test("Verbs and forwarding work despite an invalid configuration; a new daemon does not start")
  func brokenConfiguration() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { directory in
      _ = try directory.makeDirectory("mpris-playerd")
      _ = try directory.write("volume = \"loud\"", to: "mpris-playerd/config.toml")
      try await withDaemon(["--paused", files[0]]) { daemon in
        try await daemon.opened(titled: "First")
        let forwarding = try await start(daemon, ["--enqueue", files[1]], config: directory.path)
        #expect(forwarding.output == "queued 1 track after “First”\n", "\(forwarding.error)")
        #expect(try await start(daemon, ["next", "--quiet"], config: directory.path).succeeded)
        let other = try await start(daemon, ["--new-instance"], config: directory.path)
        #expect(other.status == .exited(78))
      }
    }
  }

  @Test("--instance sends items to the instance that it names")
  func otherInstance() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      let command = [DaemonUnderTest.executable, "--new-instance", "--paused", files[1]] + DaemonUnderTest.silentSink
      try await withChildProcess(command, environment: daemon.bus.environment) { other in
        try await other.waitForLine(containing: "loaded 1 track")
        let name = "\(other.processID)"
        let result = try await start(daemon, ["--instance", name, "--enqueue", files[2]])
        #expect(result.output == "queued 1 track after “Second”\n", "\(result.error)")
        #expect(try await queue(daemon).count == 1)
        let none = try await start(daemon, ["--instance", "1", files[2]])
        #expect(none.status == .exited(69))
      }
    }
  }

  @Test("A first start prints the loaded items; with only unplayable items it ends with 66 and keeps the last session")
  func firstStart() async throws {
    let files = try await TrackListTests.files()
    let text = try await Media.textFile()
    try await withTemporaryDirectory { state in
      let environment = ["XDG_STATE_HOME": state.path]
      try await withDaemon(["--paused", files[0], files[1]], environment: environment) { daemon in
        try await daemon.process.waitForLine(containing: "loaded 2 tracks, paused; Ctrl-C quits")
        try await daemon.opened(titled: "First")
        daemon.process.signal(SIGTERM)
        #expect(try await daemon.process.exitStatus(within: 5) == .exited(0))
      }
      try await withPrivateBus { bus in
        let result = try await run(
          [DaemonUnderTest.executable, text] + DaemonUnderTest.silentSink,
          environment: environment.merging(bus.environment) { $1 })
        #expect(result.status == .exited(66))
        #expect(result.error == "mpris-playerd: \(text): not media\n")
      }
      try await withDaemon([], environment: environment) { daemon in
        try await daemon.process.waitForLine(containing: "ready, 2 tracks from the last session; Ctrl-C quits")
        try await daemon.titled("First")
      }
    }
  }

  @Test("A shuffled folder begins with any of its tracks")
  func shuffled() async throws {
    let source = try await Media.sine(seconds: 20, format: .wav)
    try await withTemporaryDirectory { directory in
      for number in 10..<40 {
        let linked = unsafe symlink(source, directory.file("\(number).wav"))
        #expect(linked == 0)
      }
      try await withDaemon(["--paused", "--shuffle", directory.path]) { daemon in
        var firsts: Set<String> = []
        for _ in 0..<5 {
          #expect(try await start(daemon, ["--paused", "--quiet", "--shuffle", directory.path]).succeeded)
          let current = try await queue(daemon).first { $0.hasPrefix(">") }
          firsts.insert(current ?? "none")
        }
        // All five first tracks are the same once in 810,000 runs.
        #expect(firsts.count > 1)
      }
    }
  }
}
