import GstPlayer
import TestSupport
import Testing

/// What comes from a microphone or a broadcast: it is made as it is heard, and a pipeline cannot hold any of it ready.
@Suite(
  "Live sources", .enabled(if: LiveSource.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
struct LiveSourceTests {
  @Test("A live source is ready though it cannot be held ready, plays, has no duration, and cannot be sought")
  func live() async throws {
    try await withPlayer([LiveSource.uri], loadTimeout: .seconds(5)) { stage in
      let ready = try await stage.ready()
      #expect(ready.timeControlStatus == .paused)
      #expect(ready.duration == nil)
      #expect(!ready.isSeekable && ready.seekableTimeRanges.isEmpty)
      try await stage.playing()
      #expect(await stage.player.seek(to: .seconds(5)) == false)
      #expect(stage.player.snapshot.timeControlStatus == .playing)
      stage.player.pause()
      let held = stage.player.snapshot.position
      #expect(stage.player.snapshot.timeControlStatus == .paused)
      let later = try stage.player.boundaries(at: [held + .milliseconds(50)])
      stage.player.play()
      try await deadline(20, "it goes on") { for await _ in later.prefix(1) {} }
      #expect(stage.failures.isEmpty)
    }
  }
}

private enum LiveSource {
  static let uri = "testbin://audio,is-live=true"
  static let isAvailable = isElementInstalled("testsrcbin")
}
