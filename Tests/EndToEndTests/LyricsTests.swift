import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the lyrics of a file beside the media, as a user and a client receive them.
@Suite struct LyricsTests {
  private static let text = "[00:00.40]One\n[00:00.80]Two\n[00:01.20]\n[00:30.00]Late\n"

  /// Runs `body` with a paused daemon whose file has lyrics beside it.
  private func withLyrics(_ body: (DaemonUnderTest) async throws -> Void) async throws {
    try await withTemporaryDirectory { folder in
      let sine = try await Media.sine(seconds: 40, format: .flac, tags: Tags(title: "Song"))
      _ = try await run(["cp", sine, folder.file("song.flac")])
      _ = try folder.write(Array(Self.text.utf8), to: "song.lrc")
      try await withDaemon(["--paused", folder.file("song.flac")]) { daemon in
        try await daemon.opened(titled: "Song")
        try await body(daemon)
      }
    }
  }

  @Test("A client receives each line when playback reaches it, and only while it observes the lyrics")
  func signal() async throws {
    try await withLyrics { daemon in
      try await withMonitor(of: daemon) { monitor in
        #expect(
          try await monitor.call("GetLyrics").first
            == .array(
              "(xs)",
              [(400_000, "One"), (800_000, "Two"), (1_200_000, ""), (30_000_000, "Late")].map {
                .structure([.int64($0.0), .string($0.1)])
              }))
        guard case .uint32(let id)? = try await monitor.call("AddLyricsObserver").first else {
          throw UnexpectedReply(text: "no number")
        }
        try await daemon.call("Play")
        try await monitor.signal("LyricsLine") { $0 == [.int64(1_200_000), .int64(30_000_000), .string("")] }
        #expect(
          monitor.received("LyricsLine").map(\.arguments).prefix(2) == [
            [.int64(400_000), .int64(800_000), .string("One")], [.int64(800_000), .int64(1_200_000), .string("Two")],
          ])
        let mark = monitor.signals.count
        try await monitor.call("RemoveTimeObserver", .uint32(id))
        let track = try #require(try await daemon.metadata("mpris:trackid"))
        try await daemon.call("SetPosition", [track, .int64(700_000)])
        try await daemon.passes(900_000)
        #expect(monitor.received("LyricsLine", from: mark).isEmpty)
      }
    }
  }

  @Test("The command prints each line when it begins, also after a seek", arguments: [[], ["--line"], ["--json"]])
  func command(options: [String]) async throws {
    try await withLyrics { daemon in
      try await withBusMonitor(daemon.bus, "member='GetLyrics'") { monitor in
        let command = [DaemonUnderTest.executable, "lyrics"] + options
        try await withChildProcess(command, environment: daemon.bus.environment) { lyrics in
          try await monitor.waitForLine(containing: "member=GetLyrics")
          let isJSON = options == ["--json"]
          if isJSON { try await lyrics.waitForLine(containing: #"{"from":null,"next":"One""#) }
          try await daemon.call("Play")
          func text(_ line: String, _ next: String) -> String { isJSON ? #""text":"\#(line)","to":\#(next)}"# : line }
          let one = try await lyrics.waitForLine(containing: text("One", "0.8"), on: .output)
          let two = try await lyrics.waitForLine(containing: text("Two", "1.2"), on: .output, from: one.index + 1)
          let none = try await lyrics.waitForLine(containing: text("", "30"), on: .output, from: two.index + 1)
          #expect((one.index, two.index, none.index) == (one.index, one.index + 1, one.index + 2))
          let track = try #require(try await daemon.metadata("mpris:trackid"))
          try await daemon.call("SetPosition", [track, .int64(31_000_000)])
          try await lyrics.waitForLine(containing: text("Late", "null"), on: .output, from: none.index + 1)
          lyrics.signal(SIGTERM)
          #expect(try await lyrics.exitStatus() == .exited(0))
        }
      }
    }
  }

  @Test("--line and --json together are a usage error")
  func usage() async throws {
    let result = try await run([DaemonUnderTest.executable, "lyrics", "--line", "--json"])
    #expect(result.status == .exited(64))
  }
}
