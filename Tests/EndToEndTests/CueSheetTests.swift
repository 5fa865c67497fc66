import DBus
import Glibc
import TestSupport
import Testing

@Suite("Cue sheets over D-Bus", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct CueSheetTests {
  private static func sheet(_ file: String) -> String {
    """
    PERFORMER "The Band"
    TITLE "The Album"
    FILE "\(file)" WAVE
      TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "Two"
        INDEX 01 00:02:00
      TRACK 03 AUDIO
        TITLE "Three"
        INDEX 01 00:04:30

    """
  }

  private static func media() async throws -> String {
    try await Media.sine(seconds: 34.4, tags: Tags(title: "All of it", album: "Another"))
  }

  @Test("Each track has its own title, number and length; the next track follows gaplessly and without Seeked")
  func plays() async throws {
    let file = try await Self.media()
    try await withTemporaryDirectory { directory in
      let sheet = try directory.write(Self.sheet(file), to: "album.cue")
      try await withDaemon(["--paused", sheet]) { daemon in
        let describes = { (title: String, number: Int32, length: Int64) in
          { @Sendable (value: DBusValue) -> Bool in
            guard let fields = value.asDictionary else { return false }
            return fields["xesam:title"] == .string(title) && fields["xesam:trackNumber"] == .int32(number)
              && fields["mpris:length"] == .int64(length) && fields["xesam:album"] == .string("The Album")
              && fields["xesam:url"] == .string("file://\(file)")
          }
        }
        if try await !describes("One", 1, 2_000_000)(daemon.get("Metadata")) {
          try await daemon.changed("Metadata", describes("One", 1, 2_000_000))
        }
        try await daemon.call("Play")
        try await daemon.changed("Metadata", describes("Two", 2, 2_400_000))
        try await daemon.changed("Metadata", describes("Three", 3, 30_000_000))
        #expect(!daemon.signals.elements.contains { $0.isSeeked })
        try await daemon.call("Seek", [.int64(10_000_000)])
        let seeked = try await daemon.signals.first("a Seeked") { $0.isSeeked }.element.arguments.first?.asInt64 ?? 0
        #expect((10_000_000..<30_000_000).contains(seeked))
        let mark = daemon.signals.count
        try await daemon.call("Previous")
        try await daemon.changed("Metadata", from: mark, describes("Two", 2, 2_400_000))
      }
    }
  }

  @Test("A session keeps the ranges and the titles of the tracks")
  func session() async throws {
    let file = try await Self.media()
    try await withTemporaryDirectory { directory in
      let sheet = try directory.write(Self.sheet(file), to: "album.cue")
      let environment = ["XDG_STATE_HOME": directory.file("state")]
      try await withDaemon(["--paused", sheet], environment: environment) { daemon in
        try await daemon.titled("One")
        try await daemon.call("Next")
        try await daemon.titled("Two")
        try await daemon.call("Next")
        try await daemon.titled("Three")
        daemon.process.signal(SIGTERM)
        try await daemon.process.exitStatus()
      }
      try await withDaemon([], environment: environment) { daemon in
        try await daemon.titled("Three")
        if try await daemon.metadata("mpris:length") != .int64(30_000_000) {
          try await daemon.changed("Metadata") { $0.asDictionary?["mpris:length"] == .int64(30_000_000) }
        }
        try await daemon.call("Previous")
        try await daemon.titled("Two")
      }
    }
  }
}
