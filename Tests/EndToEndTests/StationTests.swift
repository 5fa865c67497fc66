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
}
