import DBus
import TestSupport
import Testing

/// Tests of the real `playerctl` with the built daemon.
@Suite(.enabled(if: Tool.areAvailable("playerctl"), "playerctl is not installed"))
struct PlayerctlTests {
  @Test("Every command of playerctl has its documented effect")
  func commands() async throws {
    let first = try await Media.sine(
      seconds: 20, format: .flac, tags: Tags(title: "First", artists: ["One", "Two"], album: "Album"))
    let second = try await Media.sine(seconds: 20, format: .mp3, tags: Tags(title: "Second"))
    let third = try await Media.sine(seconds: 20, format: .ogg, tags: Tags(title: "Third"))
    try await withDaemon([first, second, third]) { daemon in
      try await daemon.titled("First")
      #expect(try await daemon.playerctl("status") == "Playing")
      #expect(
        try await daemon.playerctl("metadata", "--format", "{{artist}}|{{album}}|{{mpris:length}}")
          == "One, Two|Album|20000000")

      _ = try await daemon.playerctl("play-pause")
      #expect(try await daemon.playerctl("status") == "Paused")
      _ = try await daemon.playerctl("position", "3")
      #expect(try await daemon.playerctl("position") == "3.000000")
      _ = try await daemon.playerctl("position", "2+")
      #expect(try await daemon.playerctl("position") == "5.000000")
      _ = try await daemon.playerctl("position", "1-")
      #expect(try await daemon.playerctl("position") == "4.000000")
      _ = try await daemon.playerctl("play")
      #expect(try await daemon.playerctl("status") == "Playing")

      _ = try await daemon.playerctl("volume", "0.5")
      #expect(try await daemon.playerctl("volume") == "0.500000")
      _ = try await daemon.playerctl("volume", "0.7-")
      #expect(try await daemon.playerctl("volume") == "0.000000")
      _ = try await daemon.playerctl("loop", "Track")
      #expect(try await daemon.playerctl("loop") == "Track")
      _ = try await daemon.playerctl("loop", "None")
      _ = try await daemon.playerctl("shuffle", "On")
      #expect(try await daemon.playerctl("shuffle") == "On")
      _ = try await daemon.playerctl("shuffle", "Off")

      var mark = daemon.signals.count
      _ = try await daemon.playerctl("next")
      mark = try await daemon.titled("Second", from: mark)
      _ = try await daemon.playerctl("next")
      mark = try await daemon.titled("Third", from: mark)
      await #expect(throws: UnexpectedReply.self, "there is nothing after the last track, and playerctl knows") {
        try await daemon.playerctl("next")
      }
      try await daemon.call("Next")
      #expect(try await daemon.playerctl("metadata", "title") == "Third")
      _ = try await daemon.playerctl("previous")
      try await daemon.titled("Second", from: mark)

      _ = try await daemon.playerctl("stop")
      #expect(try await daemon.playerctl("status") == "Stopped")
      #expect(try await daemon.playerctl("position") == "0.000000")
      _ = try await daemon.playerctl("play")
      #expect(try await daemon.playerctl("metadata", "title") == "Second")
    }
  }

  @Test("playerctl open plays a path at once, after the current track")
  func open() async throws {
    let first = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    let opened = try await Media.sine(seconds: 20, format: .wav)
    try await withDaemon([first]) { daemon in
      try await daemon.titled("First")
      _ = try await daemon.playerctl("open", opened)
      try await daemon.changed("Metadata") { $0.asDictionary?["xesam:url"] == .string("file://\(opened)") }
      #expect(try await daemon.playerctl("status") == "Playing")
      #expect(try await daemon.get("CanGoPrevious") == .boolean(true))
      #expect(try await daemon.get("CanGoNext") == .boolean(false))
    }
  }

  @Test("playerctl --follow prints each track once across a gapless change, with its own title and position")
  func follow() async throws {
    let first = try await Media.sine(seconds: 2, format: .flac, tags: Tags(title: "First"))
    let second = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "Second"))
    try await withDaemon(["--paused", first, second]) { daemon in
      try await daemon.titled("First")
      let command = ["playerctl", "-p", "playerd", "--follow", "metadata", "--format", "{{status}}|{{title}}"]
      try await withChildProcess(command, environment: daemon.bus.environment) { follow in
        try await follow.waitForLine(containing: "Paused|First")
        let start = monotonic()
        try await daemon.call("Play")
        try await follow.waitForLine(containing: "Playing|Second")
        // Reads the position of the second track, and not of the first one or the sum of both, even after a delay.
        let position = try await daemon.position()
        #expect(position <= monotonic() - start - 1_800_000)
        let lines = follow.captured(.output).split(separator: "\n")
        #expect(lines == ["Paused|First", "Playing|First", "Playing|Second"])
      }
    }
  }

  @Test(
    "playerctld survives play, pause, seek, skip, failure and the end",
    .enabled(if: Tool.areAvailable("playerctld"), "playerctld is not installed"))
  func playerctld() async throws {
    let first = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    let last = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "Last"))
    let text = try await Media.textFile()
    try await withPrivateBus { bus in
      try await withChildProcess(["playerctld"], environment: bus.environment) { proxy in
        try await withDaemon([first, text, last], on: bus) { daemon in
          try await daemon.titled("First")
          let name: BusName = "org.mpris.MediaPlayer2.playerctld"
          for method in ["Pause", "Play", "PlayPause", "PlayPause"] as [MemberName] {
            _ = try await daemon.client.call(on: name, at: DaemonUnderTest.path, of: DaemonUnderTest.player, method)
          }
          _ = try await daemon.client.call(
            on: name, at: DaemonUnderTest.path, of: DaemonUnderTest.player, "Seek", [.int64(5_000_000)])
          _ = try await daemon.signals.first { $0.isSeeked }
          _ = try await daemon.client.call(on: name, at: DaemonUnderTest.path, of: DaemonUnderTest.player, "Next")
          try await daemon.titled("Last")
          _ = try await daemon.client.call(
            on: name, at: DaemonUnderTest.path, of: DaemonUnderTest.player, "Seek", [.int64(60_000_000)])
          try await daemon.changed("PlaybackStatus") { $0 == .string("Stopped") }
          try await daemon.barrier()
          _ = try await daemon.client.call(on: name, at: DaemonUnderTest.path, of: DaemonUnderTest.player, "Stop")
          #expect(proxy.isRunning)
        }
      }
    }
  }
}
