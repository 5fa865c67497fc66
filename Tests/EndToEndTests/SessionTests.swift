import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Session of the daemon")
struct SessionTests {
  private static func daemon<T: Sendable>(
    _ arguments: [String] = [], state: TemporaryDirectory, _ environment: [String: String] = [:],
    _ body: (DaemonUnderTest) async throws -> T
  ) async throws -> T {
    try await withDaemon(
      arguments, environment: environment.merging(["XDG_STATE_HOME": state.path]) { own, _ in own }, body)
  }

  private static func file(_ title: String, seconds: Double = 30) async throws -> String {
    try await Media.sine(seconds: seconds, format: .flac, tags: Tags(title: title))
  }

  private static func ended(_ daemon: DaemonUnderTest, by signal: Int32 = SIGTERM) async throws {
    daemon.process.signal(signal)
    try await daemon.process.exitStatus()
  }

  @Test("A restart restores the queue, the track, its position, the modes and the volume, paused")
  func restored() async throws {
    try await withTemporaryDirectory { directory in
      var files: [String] = []
      for number in 1...3 { files.append(try await Self.file("Track \(number)")) }
      let position = try await Self.daemon(files, state: directory) { daemon in
        try await daemon.titled("Track 1")
        try await daemon.call("Next")
        try await daemon.titled("Track 2")
        try await daemon.set("LoopStatus", .string("Playlist"))
        try await daemon.set("Volume", .double(0.5))
        try await daemon.set("Rate", .double(1.5))
        try await daemon.call("Seek", [.int64(12_000_000)])
        _ = try await daemon.signals.first("a Seeked", from: 0, within: 10) { $0.isSeeked }
        // The playing position may be slightly behind the one that is read, until it is measured.
        try await daemon.call("Pause")
        let position = try await daemon.position()
        try await Self.ended(daemon)
        return position
      }
      try await Self.daemon(state: directory) { daemon in
        try await daemon.titled("Track 2")
        #expect(try await daemon.status() == "Paused")
        #expect(try await daemon.get("LoopStatus") == .string("Playlist"))
        #expect(try await daemon.get("Volume") == .double(0.5))
        #expect(try await daemon.get("Rate") == .double(1.5))
        let restored = try await daemon.position()
        #expect(restored == position && restored >= 12_000_000)
        try await daemon.call("Previous")
        try await daemon.titled("Track 1")
        try await Self.ended(daemon)
      }
    }
  }

  @Test("Albums in random order: tags divide a folder, playback follows the order, and a restart keeps it")
  func shuffledAlbums() async throws {
    try await withTemporaryDirectory { directory in
      try directory.makeDirectory("Music/Mixed")
      try directory.makeDirectory("Music/Sea")
      for (file, album) in [("Mixed/1", "A"), ("Mixed/2", "B"), ("Mixed/3", "A"), ("Mixed/4", "B"), ("Sea/1", "C")] {
        let title = file.replacing("/", with: " ")
        let track = try await Media.sine(seconds: 30, format: .flac, tags: Tags(title: title, album: album))
        try FileManager.default.copyItem(atPath: track, toPath: directory.file("Music/\(file).flac"))
      }
      let titles = try await Self.daemon([directory.file("Music")], state: directory) { daemon in
        try await daemon.titled("Mixed 1")
        let command = [DaemonUnderTest.executable, "shuffle", "albums"]
        #expect(try await run(command, environment: daemon.bus.environment).output == "shuffle albums\n")
        let titles = try await Self.titlesInOrderOfPlay(daemon)
        for title in titles.dropFirst() {
          try await daemon.call("Next")
          try await daemon.titled(title)
        }
        #expect(Array(titles.prefix(2)) == ["Mixed 1", "Mixed 3"] && Set(titles).count == 5, "\(titles)")
        #expect((titles.firstIndex(of: "Mixed 2") ?? 0) + 1 == titles.firstIndex(of: "Mixed 4"), "\(titles)")
        #expect(try await daemon.get("CanGoNext") == .boolean(false))
        try await Self.ended(daemon)
        return titles
      }
      try await Self.daemon(state: directory) { daemon in
        try await daemon.titled(titles[4])
        let state = try await run(
          [DaemonUnderTest.executable, "status", "--format", "{{shuffleMode}}"], environment: daemon.bus.environment)
        #expect(state.output == "albums\n")
        #expect(try await daemon.get("CanGoNext") == .boolean(false))
        for title in titles.reversed().dropFirst() {
          try await daemon.call("Previous")
          try await daemon.titled(title)
        }
        try await Self.ended(daemon)
      }
    }
  }

  private static func titlesInOrderOfPlay(_ daemon: DaemonUnderTest) async throws -> [String] {
    let reply = try await daemon.client.call(
      on: MonitorClient.name, at: MonitorClient.path, of: "org.playerd.Control1", "GetQueue",
      [.uint32(0), .uint32(100)])
    guard reply.count == 3, case .array(_, let rows) = reply[2] else { throw UnexpectedReply(text: "\(reply)") }
    let tracks = rows.compactMap(\.asDictionary).sorted {
      $0["playIndex"]?.asInt64 ?? 0 < $1["playIndex"]?.asInt64 ?? 0
    }
    return tracks.compactMap { $0["title"]?.asString }
  }

  @Test("A second daemon with the same state folder runs without a session, and takes nothing from the first one")
  func shared() async throws {
    try await withTemporaryDirectory { directory in
      let files = [try await Self.file("First"), try await Self.file("Second")]
      try await Self.daemon(["--paused", files[0]], state: directory) { daemon in
        try await daemon.titled("First")
        try await Self.daemon(["--paused", files[1]], state: directory) { other in
          try await other.process.waitForLine(containing: "another instance uses the session", on: .error)
          try await other.titled("Second")
          try await Self.ended(other)
        }
        try await Self.ended(daemon)
      }
      try await Self.daemon(state: directory) { daemon in
        try await daemon.titled("First")
        #expect(daemon.process.captured(.error).isEmpty)
      }
    }
  }

  @Test("A call that arrives as soon as the daemon owns its name waits for the restored queue")
  func early() async throws {
    try await withTemporaryDirectory { directory in
      let file = try await Self.file("First")
      let list = try directory.write((0..<5_000).map { _ in file + "\n" }.joined(), to: "long.m3u")
      try await Self.daemon(["--paused", list], state: directory) { daemon in
        try await daemon.process.waitForLine(containing: "loaded 5000 tracks")
        try await Self.ended(daemon)
      }
      try await withPrivateBus { bus in
        let loop = PollLoop(name: "early")
        defer { loop.stop() }
        let client = try await DBusConnection.open(address: bus.address, on: loop)
        let owners = try await client.owners(of: "org.playerd")
        let replies = Task { try await Self.firstReplies(owners, over: client) }
        defer { replies.cancel() }
        try await withDaemon([], on: bus, environment: ["XDG_STATE_HOME": directory.path]) { daemon in
          let (status, track) = try await replies.value
          #expect(status.first?.asDictionary?["queueCount"] == .int64(5_000))
          #expect(track.first?.asVariant?.asObjectPath?.rawValue.hasPrefix("/org/playerd/track/") == true)
          try await Self.ended(daemon)
        }
      }
    }
  }

  /// Returns the replies to the first calls that a daemon can receive: of a method, and of a read.
  private static func firstReplies(
    _ owners: AsyncStream<BusName?>, over client: DBusConnection
  ) async throws -> (status: [DBusValue], track: [DBusValue]) {
    for await case let owner? in owners {
      async let track = client.call(
        on: owner, at: "/org/playerd", of: DaemonUnderTest.properties, "Get",
        [.string("org.playerd.Monitor1"), .string("Track")])
      let status = try await client.call(on: owner, at: "/org/playerd", of: "org.playerd.Control1", "GetStatus")
      return (status, try await track)
    }
    return ([], [])
  }

  @Test("When the daemon releases its names, the session is saved and the next daemon can lock it")
  func released() async throws {
    try await withTemporaryDirectory { directory in
      let file = try await Self.file("First")
      let list = try directory.write((0..<5_000).map { _ in file + "\n" }.joined(), to: "long.m3u")
      try await Self.daemon(["--paused", list], state: directory) { daemon in
        try await daemon.process.waitForLine(containing: "loaded 5000 tracks")
        try await daemon.set("LoopStatus", .string("Playlist"))
        try await daemon.call("Quit", of: "org.mpris.MediaPlayer2")
        await daemon.client.untilGone("org.playerd")
        let folder = unsafe open(directory.file("mpris-playerd"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
        #expect(unsafe access(directory.file("mpris-playerd/session.json.new"), F_OK) != 0)
        #expect(try await daemon.process.exitStatus() == .exited(0))
      }
      try await Self.daemon(state: directory) { daemon in
        #expect(try await daemon.get("LoopStatus") == .string("Playlist"))
        try await daemon.titled("First")
      }
    }
  }

  @Test("A pipe with the name of the draft does not delay the saving or the exit")
  func pipe() async throws {
    try await withTemporaryDirectory { directory in
      let folder = try directory.makeDirectory("mpris-playerd")
      for name in ["session.json.new", "positions.json.new"] { #expect(unsafe mkfifo("\(folder)/\(name)", 0o600) == 0) }
      let file = try await Self.file("First")
      try await Self.daemon(["--paused", file], state: directory) { daemon in
        try await daemon.titled("First")
        try await Self.ended(daemon)
      }
      try await Self.daemon(state: directory) { daemon in _ = try await daemon.titled("First") }
    }
  }

  @Test("undo restores the last session that the items of a start have replaced")
  func undone() async throws {
    try await withTemporaryDirectory { directory in
      let files = [try await Self.file("First"), try await Self.file("Second")]
      try await Self.daemon(["--paused", "--start", "7"] + files, state: directory) { daemon in
        try await daemon.opened(titled: "First")
        try await Self.ended(daemon)
      }
      try await Self.daemon([files[1]], state: directory) { daemon in
        try await daemon.opened(titled: "Second")
        let result = try await run([DaemonUnderTest.executable, "undo"], environment: daemon.bus.environment)
        #expect(result.output.contains(", 0:07") && result.output.hasSuffix(", track 1 of 2\n"))
        try await daemon.opened(titled: "First")
        #expect(try await daemon.position() == 7_000_000)
      }
    }
  }

  @Test("After SIGKILL at most the last seconds are lost, and the saved session is valid")
  func killed() async throws {
    try await withTemporaryDirectory { directory in
      let files = [try await Self.file("Short", seconds: 3), try await Self.file("Killed")]
      try await Self.daemon(files, state: directory) { daemon in
        // This is three seconds after the start.
        try await daemon.titled("Killed")
        try await Self.ended(daemon, by: SIGKILL)
      }
      try await Self.daemon(state: directory) { daemon in
        let received = daemon.signals.count
        if try await daemon.metadata("xesam:title") == nil { try await daemon.changed("Metadata", from: received) }
        // The change of track may or may not have been written; the queue is complete in both cases.
        let ways = (try await daemon.get("CanGoPrevious"), try await daemon.get("CanGoNext"))
        let isSecond = ways == (.boolean(true), .boolean(false))
        #expect(isSecond || ways == (.boolean(false), .boolean(true)))
        try await daemon.titled(isSecond ? "Killed" : "Short")
        #expect(try await daemon.status() == "Paused")
      }
    }
  }

  @Test("Items on the command line replace the saved queue; --no-session does not restore or save it")
  func replaced() async throws {
    try await withTemporaryDirectory { directory in
      let first = try await Self.file("First")
      let second = try await Self.file("Second")
      try await Self.daemon(["--paused", first], state: directory) { daemon in
        try await daemon.titled("First")
        try await Self.ended(daemon)
      }
      try await Self.daemon(["--no-session", "--paused", second], state: directory) { daemon in
        try await daemon.titled("Second")
        #expect(try await daemon.get("CanGoNext") == .boolean(false))
        try await Self.ended(daemon)
      }
      try await Self.daemon(["--enqueue", second], state: directory) { daemon in
        try await daemon.titled("First")
        try await daemon.call("Next")
        try await daemon.titled("Second")
        try await Self.ended(daemon)
      }
      try await Self.daemon(["--paused", first], state: directory) { daemon in
        try await daemon.titled("First")
        #expect(try await daemon.get("CanGoNext") == .boolean(false))
      }
    }
  }

  @Test("A damaged session is renamed with a warning, and the daemon starts empty")
  func damaged() async throws {
    try await withTemporaryDirectory { directory in
      _ = try directory.makeDirectory("mpris-playerd")
      _ = try directory.write("{\"version\": 1, \"queue\": [", to: "mpris-playerd/session.json")
      try await Self.daemon(state: directory) { daemon in
        try await daemon.process.waitForLine(containing: "renamed to session.json.damaged")
        #expect(try await daemon.status() == "Stopped")
        #expect(try await daemon.get("CanPlay") == .boolean(false))
        try await Self.ended(daemon)
      }
      #expect(unsafe access(directory.file("mpris-playerd/session.json.damaged"), F_OK) == 0)
    }
  }

  @Test("A missing file stays in the queue and is skipped")
  func gone() async throws {
    try await withTemporaryDirectory { directory in
      let first = directory.file("gone.flac")
      let original = try await Self.file("Gone")
      #expect(unsafe link(original, first) == 0)
      let second = try await Self.file("There")
      try await Self.daemon(["--paused", first, second], state: directory) { daemon in
        try await daemon.titled("Gone")
        try await Self.ended(daemon)
      }
      unsafe unlink(first)
      for _ in 0..<2 {
        try await Self.daemon(state: directory, ["MPRIS_PLAYERD_RESUME": "playing"]) { daemon in
          try await daemon.titled("There")
          #expect(try await daemon.get("CanGoPrevious") == .boolean(true))
          try await Self.ended(daemon)
        }
      }
    }
  }

  @Test("With resume set to playing playback continues; with off the queue is restored and stopped")
  func resumed() async throws {
    try await withTemporaryDirectory { directory in
      let file = try await Self.file("On")
      try await Self.daemon([file], state: directory) { daemon in
        try await daemon.titled("On")
        try await Self.ended(daemon)
      }
      try await Self.daemon(state: directory, ["MPRIS_PLAYERD_RESUME": "playing"]) { daemon in
        try await daemon.titled("On")
        #expect(try await daemon.status() == "Playing")
        try await Self.ended(daemon)
      }
      try await Self.daemon(state: directory, ["MPRIS_PLAYERD_RESUME": "off"]) { daemon in
        let status = try await daemon.status()
        #expect(status == "Stopped")
        #expect(try await daemon.get("CanPlay") == .boolean(true))
      }
    }
  }
}
