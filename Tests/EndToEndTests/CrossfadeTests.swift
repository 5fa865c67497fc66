import DBus
import TestSupport
import Testing

/// Tests of crossfades, over D-Bus and by the command line.
@Suite("Crossfades of the daemon")
struct CrossfadeTests {
  @Test("The next track is signalled once, at its start, and the end of the previous one when it has been played")
  func signals() async throws {
    let files = [
      try await Media.sine(seconds: 5, tags: Tags(title: "A")),
      try await Media.sine(seconds: 60, tags: Tags(title: "B")),
    ]
    try await withDaemon(["--paused"] + files, environment: ["MPRIS_PLAYERD_CROSSFADE": "2"]) { daemon in
      try await daemon.titled("A")
      try await withMonitor(of: daemon) { monitor in
        let first = try #require(try await daemon.metadata("mpris:trackid")?.asObjectPath)
        try await daemon.call("Play")
        try await monitor.signal("ItemDidPlayToEnd")
        #expect(monitor.received("ItemDidPlayToEnd").map(\.arguments) == [[.objectPath(first)]])
        // The start of the next track was two seconds before.
        #expect(try await daemon.position() > 1_800_000)
        try await daemon.barrier()
        let changes = daemon.signals.elements.filter {
          $0.changes?["Metadata"]?.asDictionary?["xesam:title"] == .string("B")
        }
        #expect(changes.count == 1)
        #expect(!daemon.signals.elements.contains { $0.isSeeked })
      }
    }
  }

  @Test("The verb shows, sets and ends crossfades")
  func verb() async throws {
    try await withDaemon(["--paused", try await Media.sine(seconds: 60, tags: Tags(title: "A"))]) { daemon in
      try await daemon.titled("A")
      let steps: [(arguments: [String], line: String)] = [
        ([], "crossfade off"), (["6", "--on-skip", "0.5"], "crossfade 6 s, 0.5 s on skip"),
        ([], "crossfade 6 s, 0.5 s on skip"),
        (["off"], "crossfade off, 0.5 s on skip"), (["2.5s", "--on-skip", "off"], "crossfade 2.5 s"),
      ]
      for step in steps {
        let result = try await run(
          [DaemonUnderTest.executable, "crossfade"] + step.arguments, environment: daemon.bus.environment)
        #expect(result.output == step.line + "\n")
      }
    }
  }
}
