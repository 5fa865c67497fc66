import DBus
import TestSupport
import Testing

/// Tests of `org.playerd.Extras1` of the built daemon, and of the commands that use it.
@Suite
struct ExtrasTests {
  private static let interface: InterfaceName = "org.playerd.Extras1"

  private func sine(_ seconds: Double, _ title: String) async throws -> String {
    try await Media.sine(seconds: seconds, format: .flac, tags: Tags(title: title))
  }

  private func command(_ daemon: DaemonUnderTest, _ arguments: String...) async throws -> ProcessResult {
    try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
  }

  private func get(_ property: String, _ daemon: DaemonUnderTest) async throws -> DBusValue? {
    try await daemon.client.call(
      on: MonitorClient.name, at: MonitorClient.path, of: DaemonUnderTest.properties, "Get",
      [.string(Self.interface.rawValue), .string(property)]
    ).first?.asVariant
  }

  @Test("After StopAfterCurrent the next track is current and stopped, and the property is false again")
  func stopAfter() async throws {
    let files = [try await sine(1.2, "One"), try await sine(3, "Two")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("One", within: 30)
      try await withMonitor(of: daemon) { monitor in
        #expect(try await command(daemon, "stop-after", "on").succeeded)
        try await monitor.signal("PropertiesChanged") {
          $0[0] == .string(Self.interface.rawValue) && $0[1].asDictionary?["StopAfterCurrent"] == .boolean(true)
        }
        try await daemon.call("Play")
        let end = try await monitor.signal("ItemDidPlayToEnd", within: 60)
        try await monitor.signal("PropertiesChanged", from: end.index) {
          $0[0] == .string(Self.interface.rawValue) && $0[1].asDictionary?["StopAfterCurrent"] == .boolean(false)
        }
        #expect(try await daemon.status() == "Stopped")
        #expect(try await daemon.metadata("xesam:url") == .string("file://" + files[1]))
        try await daemon.call("Play")
        #expect(try await daemon.status() == "Playing")
        try await daemon.titled("Two", within: 30)
      }
    }
  }

  @Test("Tracks that were played leave the queue: at their end, by next and by jump; a failed and a repeated one stay")
  func consume() async throws {
    var files: [String] = []
    for (title, seconds) in [("One", 1.0), ("Two", 60), ("Three", 60), ("Four", 60)] {
      files.append(try await sine(seconds, title))
    }
    try await withTemporaryDirectory { directory in
      files.insert(try directory.write(String(repeating: "not media ", count: 100), to: "broken.flac"), at: 1)
      try await withDaemon(["--paused"] + files) { daemon in
        func queue() async throws -> [Int] {
          let listed = try await command(daemon, "queue", "--json").output
          return files.indices.filter { listed.contains("\"file://\(files[$0])\"") }
        }
        try await daemon.titled("One", within: 30)
        #expect(try await command(daemon, "consume", "on").output == "consume on\n")
        try await daemon.call("Play")
        try await daemon.titled("Two", within: 30)
        // The track that ended has left the queue, and the failed one has not.
        #expect(try await queue() == [1, 2, 3, 4])
        #expect(try await command(daemon, "next").succeeded)
        try await daemon.titled("Three", within: 30)
        #expect(try await queue() == [1, 3, 4])
        // The track returns before the current one, which continues; going back removes nothing.
        #expect(try await command(daemon, "undo").succeeded)
        #expect(try await daemon.status() == "Playing")
        #expect(try await queue() == [1, 2, 3, 4])
        #expect(try await command(daemon, "jump", "2").succeeded)
        try await daemon.titled("Two", within: 30)
        #expect(try await queue() == [1, 2, 3, 4])
        #expect(try await command(daemon, "jump", "last").succeeded)
        try await daemon.titled("Four", within: 30)
        #expect(try await queue() == [1, 3, 4])
        #expect(try await command(daemon, "consume", "toggle").output == "consume off\n")
      }
    }
  }

  @Test("The sleep timer publishes its deadline, pauses, and resets; off cancels it")
  func sleep() async throws {
    let file = try await sine(60, "Night")
    try await withDaemon([file]) { daemon in
      try await daemon.titled("Night", within: 30)
      #expect(try await command(daemon, "sleep", "1h30m", "--after-track").succeeded)
      #expect(try await get("SleepTimerAfterTrack", daemon) == .boolean(true))
      let deadline = try await get("SleepTimerDeadline", daemon)?.asInt64 ?? 0
      #expect(deadline > 0)
      #expect(try await command(daemon, "sleep", "off").succeeded)
      #expect(try await get("SleepTimerDeadline", daemon) == .int64(0))
      #expect(try await daemon.status() == "Playing")
      let received = daemon.signals.count
      _ = try await daemon.client.call(
        on: MonitorClient.name, at: MonitorClient.path, of: Self.interface, "SetSleepTimer",
        [.int64(200_000), .boolean(false)])
      try await daemon.changed("PlaybackStatus", from: received) { $0 == .string("Paused") }
      #expect(try await get("SleepTimerDeadline", daemon) == .int64(0))
    }
  }

  @Test("With the sleep timer after the track, the track plays to its end and playback stops")
  func sleepAfterTrack() async throws {
    let files = [try await sine(2, "One"), try await sine(3, "Two")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("One", within: 30)
      try await withMonitor(of: daemon) { monitor in
        try await daemon.call("Play")
        _ = try await daemon.client.call(
          on: MonitorClient.name, at: MonitorClient.path, of: Self.interface, "SetSleepTimer",
          [.int64(1000), .boolean(true)])
        try await monitor.signal("ItemDidPlayToEnd", within: 60)
        try await daemon.changed("PlaybackStatus") { $0 == .string("Stopped") }
        #expect(try await daemon.metadata("xesam:url") == .string("file://" + files[1]))
      }
    }
  }

  @Test("An A-B range repeats until it is cleared; another track starts without a range")
  func part() async throws {
    let files = [try await sine(30, "Part"), try await sine(30, "Other")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("Part", within: 30)
      try await withMonitor(of: daemon) { monitor in
        let early = try await command(daemon, "repeat-ab", "0:40", "0:50")
        #expect(early.status == .exited(64), "\(early.error)")
        let last = try await command(daemon, "repeat-ab", "29.65", "30")
        #expect(last.status == .exited(64), "\(last.error)")
        #expect(try await command(daemon, "repeat-ab", "10", "10.5").succeeded)
        #expect(try await get("ABRepeat", daemon) == .structure([.int64(10_000_000), .int64(10_500_000)]))
        try await daemon.call("Seek", [.int64(9_800_000)])
        var place = monitor.signals.count
        try await daemon.call("Play")
        for _ in 1...2 {
          place =
            try await monitor.signal("TimeJumped", from: place) {
              $0[2] == .int64(10_000_000) && ($0[1].asInt64 ?? 0) >= 10_400_000
            }.index + 1
        }
        try await daemon.call("Next")
        try await daemon.titled("Other", within: 30)
        #expect(try await get("ABRepeat", daemon) == .structure([.int64(-1), .int64(-1)]))
        #expect(try await command(daemon, "repeat-ab", "1", "2").succeeded)
        #expect(try await command(daemon, "repeat-ab", "off").succeeded)
        #expect(try await get("ABRepeat", daemon) == .structure([.int64(-1), .int64(-1)]))
      }
    }
  }

  @Test("chapter next and chapter previous select the neighbouring chapters")
  func chapters() async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write(silence(seconds: 30, chapters: [0, 10, 20]), to: "chapters.wav")
      try await withDaemon(["--paused", path]) { daemon in
        try await withMonitor(of: daemon) { monitor in
          try await monitor.wait("CurrentChapter", is: .int32(0))
          #expect(try await command(daemon, "chapter", "next").succeeded)
          try await monitor.wait("CurrentChapter", is: .int32(1))
          #expect(try await daemon.position() == 10_000_000)
          #expect(try await command(daemon, "chapter", "next").succeeded)
          try await monitor.wait("CurrentChapter", is: .int32(2))
          let beyond = try await command(daemon, "chapter", "next")
          #expect(beyond.status == .exited(1) && beyond.error == "mpris-playerd: this is the last chapter\n")
          #expect(try await daemon.position() == 20_000_000)
          #expect(try await command(daemon, "chapter", "3").succeeded)
          #expect(try await daemon.position() == 20_000_000)
          let list = try await command(daemon, "chapter", "list").output.split(separator: "\n")
          #expect(list.count == 3 && list[1].hasPrefix("  2  0:10") && list[2].hasPrefix("> 3  0:20"), "\(list)")
          let objects = try await command(daemon, "chapter", "list", "--json").output.split(separator: "\n")
          #expect(
            objects == (0...2).map { #"{"current":\#($0 == 2),"index":\#($0),"start":\#($0 * 10),"title":"C\#($0) "}"# }
          )
          #expect(try await command(daemon, "chapter", "4").status == .exited(1))
          #expect(try await command(daemon, "chapter", "c1").output.hasPrefix("chapter 2 of 3: C1"))
          let several = try await command(daemon, "chapter", "c")
          #expect(several.status == .exited(1) && several.error.contains("> 2  0:10  C1"))
          let none = try await command(daemon, "chapter", "nxt")
          #expect(none.status == .exited(1))
          #expect(none.error.hasPrefix("mpris-playerd: no chapter has “nxt”; give next, previous, list, a number"))
          let forward = try await command(daemon, "chapter", "forward")
          #expect(forward.status == .exited(64) && forward.error.contains("did you mean “chapter next”?"))
          #expect(try await command(daemon, "chapter", "last").succeeded)
          #expect(try await command(daemon, "chapter", "previous").succeeded)
          try await monitor.wait("CurrentChapter", is: .int32(1))
        }
      }
    }
  }

  @Test("Without a daemon the commands fail with 69; invalid arguments fail with 64")
  func refusals() async throws {
    try await withPrivateBus { bus in
      for arguments in [["stop-after"], ["sleep", "30m"], ["repeat-ab", "off"], ["chapter", "next"], ["output"]] {
        let result = try await run([DaemonUnderTest.executable] + arguments, environment: bus.environment)
        #expect(result.status == .exited(69))
        #expect(result.error.contains("no instance is running"))
      }
      for arguments in [["sleep", "soon"], ["repeat-ab", "1:30"], ["chapter", "--json"], ["stop-after", "maybe"]] {
        let result = try await run([DaemonUnderTest.executable] + arguments, environment: bus.environment)
        #expect(result.status == .exited(64))
      }
    }
  }

  /// Returns silence in a WAV file of 8,000 bytes per second, with cue points for chapters.
  private func silence(seconds: Int, chapters: [Int] = []) -> [UInt8] {
    func little(_ value: Int, _ count: Int = 4) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 255) } }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] { Array(name.utf8) + little(content.count) + content }
    var content = Array("WAVE".utf8)
    content += chunk("fmt ", little(1, 2) + little(1, 2) + little(8000) + little(8000) + little(1, 2) + little(8, 2))
    content += chunk("data", [UInt8](repeating: 128, count: seconds * 8000))
    if !chapters.isEmpty {
      var (cues, labels) = (little(chapters.count), Array("adtl".utf8))
      for (index, second) in chapters.enumerated() {
        let (number, sample) = (little(index + 1), little(second * 8000))
        cues += number + sample + Array("data".utf8) + little(0) + little(0) + sample
        labels += chunk("labl", number + Array("C\(index) ".utf8) + [0])
      }
      content += chunk("cue ", cues) + chunk("LIST", labels)
    }
    return chunk("RIFF", content)
  }

  @Test(
    "A long file resumes at its saved position, after another track and after a restart, unless it played to its end")
  func longFile() async throws {
    try await withTemporaryDirectory { directory in
      let book = try directory.write(silence(seconds: 1300), to: "book.wav")
      let song = try await sine(30, "Song")
      let state = ["XDG_STATE_HOME": directory.path]
      try await withDaemon(["--paused", book, song], environment: state) { daemon in
        try await daemon.titled("book.wav", within: 30)
        try await daemon.changed("Metadata") { $0.asDictionary?["mpris:length"] != nil }
        try await daemon.call("Seek", [.int64(700_000_000)])
        try await daemon.signals.first("the jump") { $0.isSeeked }
        try await daemon.call("Next")
        try await daemon.titled("Song", within: 30)
        let received = daemon.signals.count
        try await daemon.call("Previous")
        try await daemon.signals.first("the place", from: received) { $0.isSeeked }
        #expect(try await daemon.position() == 700_000_000)
        try await daemon.call("Next")
        try await daemon.titled("Song", from: received + 1)
        daemon.process.signal(15)
        try await daemon.process.exitStatus()
      }
      try await withDaemon(["--paused", song, book], environment: state) { daemon in
        try await daemon.titled("Song", within: 30)
        var received = daemon.signals.count
        try await daemon.call("Next")
        try await daemon.signals.first("the place", from: received) { $0.isSeeked }
        #expect(try await daemon.position() == 700_000_000)
        let arguments = ["--paused", "--start", "0", book]
        #expect(try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment).succeeded)
        try await daemon.opened(titled: "book.wav")
        #expect(try await daemon.position() == 0)
        received = daemon.signals.count
        try await daemon.call("Seek", [.int64(1_299_000_000)])
        try await daemon.call("Play")
        try await daemon.changed("PlaybackStatus", from: received, within: 20) { $0 == .string("Stopped") }
        try await daemon.call("Play")
        let position = try await daemon.position()
        #expect(position < 10_000_000)
      }
    }
  }
}
