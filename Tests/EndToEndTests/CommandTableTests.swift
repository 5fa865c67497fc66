import TestSupport
import Testing

/// Compares the table of all commands in Fixtures/Commands.md with the output of the built commands.
@Suite("Table of commands", .serialized)
struct CommandTableTests {
  /// A command with valid arguments for a queue of three paused tracks, and with invalid arguments.
  private struct Row: Sendable {
    var arguments: [String]
    var wrong: [String]

    init(_ arguments: String, wrong: String) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.wrong = wrong.split(separator: " ").map(String.init)
    }
  }

  /// The rows in the order in which they run: each row depends on the state that the earlier rows leave.
  private static let rows = [
    Row("pause", wrong: "pause now"), Row("play", wrong: "play --nonsense"), Row("toggle", wrong: "toggle now"),
    Row("stop", wrong: "stop now"), Row("next", wrong: "next two"), Row("previous", wrong: "previous two"),
    Row("seek 5", wrong: "seek soon"), Row("live", wrong: "live now"), Row("chapter next", wrong: "chapter --json"),
    Row("repeat-ab 1 2", wrong: "repeat-ab 2 1"), Row("stop-after on", wrong: "stop-after maybe"),
    Row("sleep off", wrong: "sleep well"), Row("volume 50", wrong: "volume loud"), Row("mute off", wrong: "mute maybe"),
    Row("unmute", wrong: "unmute maybe"),
    Row("speed 1.25", wrong: "speed 9"), Row("crossfade off", wrong: "crossfade 16"),
    Row("output default", wrong: "output one two"),
    Row("shuffle off", wrong: "shuffle maybe"), Row("loop none", wrong: "loop sometimes"),
    Row("consume off", wrong: "consume maybe"),
    Row("queue", wrong: "queue pop"), Row("queue add FILE", wrong: "queue add missing.flac"),
    Row("queue next FILE", wrong: "queue next"), Row("queue move 1 2", wrong: "queue move 1 99"),
    Row("queue remove 3", wrong: "queue remove 99"), Row("queue jump 1", wrong: "queue jump 0"),
    Row("queue find First", wrong: "queue find nothing"),
    Row("save Evening", wrong: "save a/b"), Row("playlist", wrong: "playlist pop"),
    Row("playlist append Morning", wrong: "playlist append a/b"),
    Row("playlist rename Morning Noon", wrong: "playlist rename Mornin Noon"),
    Row("playlist delete Noon", wrong: "playlist delete Non"),
    Row("playlist play Evening", wrong: "playlist play Evenin"), Row("places", wrong: "places pop"),
    Row("places forget all", wrong: "places forget"), Row("status", wrong: "status now"),
    Row("--enqueue FILE", wrong: "pasue"), Row("queue clear", wrong: "queue clear all"),
    Row("undo", wrong: "undo now"), Row("redo", wrong: "redo now"),
    Row("reload", wrong: "reload now"), Row("quit", wrong: "quit now"),
  ]

  @Test("Fixtures/Commands.md lists the exit status and the output of every command; make tables writes it")
  func table() async throws {
    let files = try await TrackListTests.files()
    // The user's playlists must not be in the table.
    let lists = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": TemporaryDirectory.missing]
    let noBus = ChildEnvironment.withoutBus.merging(lists) { $1 }
    async let withoutBus = column(noBus, files, hasDaemon: false, hasBus: false)
    async let withoutDaemon = withPrivateBus { bus in
      try await column(bus.environment.merging(lists) { $1 }, files, hasDaemon: false)
    }
    async let withOne = withPausedDaemon(files) { _, environment in try await column(environment, files) }
    async let withTwo = withPausedDaemon(files) { daemon, environment in
      let command = [DaemonUnderTest.executable, "--new-instance", "--paused"] + files + DaemonUnderTest.silentSink
      let two = try await withChildProcess(command, environment: environment) { other in
        try await other.waitForLine(containing: "loaded 3 tracks")
        let instance = ["--instance", "\(other.processID)"]
        try await run([DaemonUnderTest.executable, "queue"] + instance, environment: environment)
        return try await column(environment, files, instance)
      }
      return (two, try await column(environment, files, wrong: true))
    }
    let (two, wrong) = try await withTwo
    let columns = [try await withoutBus, try await withoutDaemon, try await withOne, two, wrong]
    let names = ["command", "no bus", "no daemon", "one daemon", "two daemons", "wrong argument"]
    var table = GeneratedTable.row(names) + "|\(String(repeating: "---|", count: names.count))\n"
    for (index, row) in Self.rows.enumerated() {
      table += GeneratedTable.row(["`\(row.arguments.joined(separator: " "))`"] + columns.map { $0[index] })
    }
    try GeneratedTable("commands", in: "Tests/EndToEndTests/Fixtures/Commands.md").expect(table)
  }

  /// Runs `body` with a daemon and three paused tracks, in an environment with a folder for playlists.
  private func withPausedDaemon<T: Sendable>(
    _ files: [String], _ body: @Sendable (DaemonUnderTest, [String: String]) async throws -> T
  ) async throws -> T {
    try await withTemporaryDirectory { directory in
      let lists = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.path, "TZ": "UTC"]
      return try await withDaemon(["--paused"] + files, environment: lists) { daemon in
        try await daemon.opened(titled: "First")
        let environment = daemon.bus.environment.merging(lists) { $1 }
        // From this point on, all tags are known.
        try await run([DaemonUnderTest.executable, "queue"], environment: environment)
        return try await body(daemon, environment)
      }
    }
  }

  /// Runs every command, and returns a cell for each row.
  ///
  /// Only valid commands that reach a daemon depend on each other. The others run four at a time.
  private func column(
    _ environment: [String: String], _ files: [String], _ options: [String] = [], hasDaemon: Bool = true,
    hasBus: Bool = true, wrong: Bool = false
  ) async throws -> [String] {
    @Sendable func cell(_ row: Row) async throws -> String {
      let words = (wrong ? row.wrong : row.arguments).map { $0 == "FILE" ? files[0] : $0 }
      // It plays, without a bus too.
      let startsDaemon = row.arguments.first == "--enqueue" || hasBus
      if !hasDaemon, row.arguments.contains("FILE"), startsDaemon { return "starts a daemon" }
      let result = try await run([DaemonUnderTest.executable] + words + options, environment: environment)
      // A listing waits for the tags of the added items, so the rows below show titles.
      if words.contains(files[0]), hasDaemon {
        try await run([DaemonUnderTest.executable, "queue"] + options, environment: environment)
      }
      return (wrong ? "`\(row.wrong.joined(separator: " "))`: " : "") + Self.cell(result)
    }
    return try await withThrowingTaskGroup(of: (Int, String).self) { group in
      var cells = [String](repeating: "", count: Self.rows.count)
      for (index, row) in Self.rows.enumerated() {
        if index >= (hasDaemon && !wrong ? 1 : 4), let (done, text) = try await group.next() { cells[done] = text }
        group.addTask { (index, try await cell(row)) }
      }
      for try await (done, text) in group { cells[done] = text }
      return cells
    }
  }

  @Test("Every command is in the table")
  func complete() async throws {
    let help = try await run([DaemonUnderTest.executable, "--help"]).output
    let names = Set(help.matches(of: #/(?m)^  ([a-z][a-z\-]*)(?:, [a-z, \-]+)?  /#).map { String($0.1) })
    // These are also commands of `queue`.
    let queue: Set = ["add", "clear", "find", "jump", "list", "move", "remove"]
    #expect(names.isSuperset(of: queue))
    // docs/COMMAND-LINE.md describes the commands that start, watch or inspect something.
    let others: Set = ["open", "devices", "watch", "lyrics", "config", "doctor", "report"]
    #expect(names.count > 20)
    #expect(
      names.subtracting(others).subtracting(queue)
        == Set(Self.rows.compactMap(\.arguments.first)).subtracting(["--enqueue"]))
  }

  /// Returns `0 first line of the output`, without the parts that differ from run to run.
  private static func cell(_ result: ProcessResult) -> String {
    guard case .exited(let status) = result.status else { return "\(result.status)" }
    let isOutput = !result.output.isEmpty
    let lines = (isOutput ? result.output : result.error).split(separator: "\n", omittingEmptySubsequences: false)
    var line = lines.first.map { $0.replacing(TemporaryDirectory.missing, with: "/nonexistent") } ?? ""
    for (pattern, text) in [
      (#/mpris-playerd: /#, ""), (#/\/[^ ]*\.(flac|m3u8)/#, "PATH"), (#/^loading/#, "playing"),
      (#/ \/ 0:20/#, ""), (#/\d:\d\d, track/#, "0:00, track"), (#/instance(s?) “[^”]*”/#, "instance"),
    ] as [(any RegexComponent, String)] {
      line = line.replacing(pattern, with: text)
    }
    guard !line.isEmpty else { return "\(status)" }
    line = line.replacing("|", with: "\\|").replacing("*", with: "\\*")
    return "\(status) " + (isOutput ? line : "*\(line)*") + (lines.count > 2 ? " …" : "")
  }
}
