import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of the songs of a station, as clients and commands see them.
@Suite("Songs of a station", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct StationTests {
  /// The titles of a daemon's changes of Metadata, each with the album.
  private func songs(_ daemon: DaemonUnderTest) -> [String] {
    daemon.signals.elements.compactMap { signal in
      guard let metadata = signal.changes?["Metadata"]?.asDictionary else { return nil }
      return "\(metadata["xesam:title"]?.asString ?? "")|\(metadata["xesam:album"]?.asString ?? "")"
    }
  }

  @Test(
    "Each song is one change when it is heard and one command, after a repetition, a lost connection and a pause, too")
  func songs() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 30, format: .mp3))))
    // At 128 kbit/s, 4000 bytes are a quarter of a second.
    let titles = [0: "A - One", 4: "A - One", 8: "Radio", 10: "A - One", 12: " - ", 14: "A - One", 16: "B - Two"]
    let station = HTTPResponse.station(Array("Radio".utf8), titles: titles.mapValues { Array($0.utf8) }, music)
    try await withHTTPServer { server in
      // The first connection is cut after 1.25 s, and the next one begins with the same title.
      let uri = server.script("/radio", station.cuttingOnce(at: 20_000))
      try await withTemporaryDirectory { directory in
        let script = #"printf 'hook %s|%s|%s\n' "$PLAYERD_TITLE" "$PLAYERD_ALBUM" "$PLAYERD_STARTED""#
        let configuration = try directory.write("on-track = [\"sh\", \"-c\", '''\(script)''']\n", to: "config.toml")
        try await withDaemon(["--config", configuration, uri]) { daemon in
          let mark = try await daemon.titled("B - Two", within: 30)
          // The second connection delivers the title with all music at once, and it is audible after four seconds.
          let position = try await daemon.position()
          #expect(position > 3_900_000, "\(position)")
          try await daemon.process.waitForLine(containing: "hook B - Two|")
          try await daemon.barrier()
          let hooks = daemon.process.lines.elements.map(\.text).filter { $0.hasPrefix("hook ") }
          #expect(
            hooks.map { $0.split(separator: "|").dropLast().joined(separator: "|") }
              == ["hook A - One|Radio", "hook B - Two|Radio"], "\(hooks)")
          let starts = hooks.compactMap { $0.split(separator: "|").last.flatMap { Int($0) } }
          let present = time(nil)
          #expect(
            starts.count == 2 && starts[1] - starts[0] >= 3 && (0...60).contains(present - starts[1]), "\(starts)")
          // On a busy machine, more of the first song may be received again after the cut.
          let songs = Array(songs(daemon).drop { $0 != "A - One|Radio" })
          #expect(
            songs.filter { $0 == "B - Two|Radio" }.count == 1 && songs.last == "B - Two|Radio", "\(mark) \(songs)")
          #expect(Set(songs) == ["A - One|Radio", "Radio|", "B - Two|Radio"], "\(songs)")
          #expect(zip(songs, songs.dropFirst()).allSatisfy { $0 != $1 }, "\(songs)")
        }
      }
    }
  }

  /// Runs a command of the daemon's user.
  private func command(_ daemon: DaemonUnderTest, _ arguments: String...) async throws -> ProcessResult {
    try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
  }

  @Test("A station pauses and resumes where it was, goes back with seek, and returns to the present with live")
  func timeShift() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.mp3")
      let make = "ffmpeg -v error -y -f lavfi -i anoisesrc=d=150 -b:a 128k -write_xing 0 -id3v2_version 0 '\(path)'"
      try #require(try await run(["/bin/sh", "-c", make], within: 60).succeeded)
      // Four times as fast as it is heard.
      let station = try HTTPResponse.file(path, type: "audio/mpeg").withoutLength().refusingRanges()
        .header("icy-name: Radio").throttled(to: 64_000)
      let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
      try await withHTTPServer { server in
        try await withDaemon([server.script("/radio", station), file]) { daemon in
          try await daemon.passes(6_000_000)
          #expect(try await daemon.get("CanSeek") == .boolean(true))
          #expect(try await daemon.metadata("mpris:length") == nil)
          var mark = daemon.signals.count
          let back = try await command(daemon, "seek", "-5")
          #expect(back.succeeded, "\(back.output) \(back.error)")
          let status = try await command(daemon, "status")
          #expect(status.output.contains("behind live"), "\(status.output) \(status.error)")
          let earlier = try await daemon.signals.first("a seek back", from: mark) { $0.isSeeked }.element
          #expect((500_000..<4_000_000).contains(earlier.arguments.first?.asInt64 ?? 0), "\(earlier)")
          try await daemon.played(1)
          try await withMonitor(of: daemon) { monitor in
            let grows: @Sendable ([DBusValue]) -> Bool = { values in
              values.count > 1 && values[1].asDictionary?["SeekableTimeRanges"] != nil
            }
            mark = daemon.signals.count
            try await daemon.call("Pause")
            try await daemon.changed("PlaybackStatus", from: mark) { $0 == .string("Paused") }
            let held = try await daemon.position()
            // The station is received on: its seekable range grows by seconds.
            var event = monitor.signals.count
            for _ in 0..<3 { event = try await monitor.signal("PropertiesChanged", from: event, grows).index + 1 }
            #expect(try await daemon.position() == held)
            mark = daemon.signals.count
            try await daemon.call("Play")
            try await daemon.played(1)
            try await daemon.barrier()
            #expect(!daemon.signals.elements[mark...].contains { $0.isSeeked })
            let position = try await daemon.position()
            #expect((held..<held + 4_000_000).contains(position), "\(position)")
          }
          mark = daemon.signals.count
          let live = try await command(daemon, "live")
          #expect(live.succeeded, "\(live.output) \(live.error)")
          let later = try await daemon.signals.first("a seek to the present", from: mark) { $0.isSeeked }.element
          #expect(later.arguments.first?.asInt64 ?? 0 > 20_000_000, "\(later)")
          try await daemon.played(1)
          #expect(server.headers(of: "/radio").count == 1)
          try await daemon.call("Next")
          try await daemon.opened(titled: "First")
          let other = try await command(daemon, "live")
          #expect(other.error.contains("the track is not a station"), "\(other.output) \(other.error)")
        }
      }
    }
  }
}
