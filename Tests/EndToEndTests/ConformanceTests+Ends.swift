import DBus
import TestSupport
import Testing

extension ConformanceTests {
  private static func short(_ title: String) async throws -> String {
    try await Media.sine(seconds: 0.8, format: .flac, tags: Tags(title: title))
  }

  @Test("With loop None playback stops after the last track")
  func endOfQueue() async throws {
    try await withDaemon([try await Self.short("A"), try await Self.short("B")]) { daemon in
      let second = try await daemon.changed("Metadata", within: 20) {
        $0.asDictionary?["xesam:title"] == .string("B")
      }
      try await daemon.changed("PlaybackStatus", from: second.index, within: 20) { $0 == .string("Stopped") }
      #expect(try await daemon.status() == "Stopped")
      #expect(try await daemon.position() == 0)
    }
  }

  @Test("With loop Playlist the first track follows the last")
  func loopPlaylist() async throws {
    try await withDaemon(["--loop", "playlist", try await Self.short("A"), try await Self.short("B")]) { daemon in
      let second = try await daemon.changed("Metadata", within: 20) {
        $0.asDictionary?["xesam:title"] == .string("B")
      }
      try await daemon.changed("Metadata", from: second.index + 1, within: 20) {
        $0.asDictionary?["xesam:title"] == .string("A")
      }
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test("With loop Track the same track starts again, under another track ID")
  func loopTrack() async throws {
    try await withDaemon(["--loop", "track", try await Self.short("A"), try await Self.short("B")]) { daemon in
      try await daemon.titled("A")
      for passage in 2...3 {
        try await daemon.changed("Metadata", within: 20) {
          $0.asDictionary?["mpris:trackid"]?.asObjectPath?.rawValue.hasSuffix("/\(passage)") == true
        }
      }
      let titles = daemon.signals.elements.compactMap { $0.changes?["Metadata"]?.asDictionary?["xesam:title"] }
      #expect(titles.allSatisfy { $0 == .string("A") }, "\(titles)")
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test("With allow-quit disabled CanQuit is false, and Quit does nothing")
  func quit() async throws {
    try await withDaemon([], environment: ["MPRIS_PLAYERD_ALLOW_QUIT": "false"]) { daemon in
      #expect(try await daemon.get("CanQuit", of: "org.mpris.MediaPlayer2") == .boolean(false))
      try await daemon.call("Quit", of: "org.mpris.MediaPlayer2")
      try await daemon.barrier()
      #expect(daemon.process.isRunning)
    }
  }
}
