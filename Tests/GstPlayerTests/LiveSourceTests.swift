import GstPlayer
import TestSupport
import Testing

/// Tests of live sources such as a microphone or a broadcast, which a pipeline cannot preroll.
@Suite(
  "Live sources", .enabled(if: LiveSource.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
struct LiveSourceTests {
  @Test("A live source gets ready without preroll, plays, has an unknown duration, and is not seekable")
  func live() async throws {
    try await withPlayer([LiveSource.uri], loadTimeout: .seconds(5), inFastTime: false) { harness in
      let ready = try await harness.ready()
      #expect(ready.timeControlStatus == .paused)
      #expect(ready.duration == nil)
      #expect(!ready.isSeekable && ready.seekableTimeRanges.isEmpty)
      try await harness.playing()
      #expect(await harness.player.seek(to: .seconds(5)).isCompleted == false)
      #expect(harness.player.snapshot.timeControlStatus == .playing)
      harness.player.pause()
      let held = harness.player.snapshot.position
      #expect(harness.player.snapshot.timeControlStatus == .paused)
      let later = try harness.player.boundaries(at: [held + .milliseconds(50)])
      harness.player.play()
      try await deadline(20, "playback continues") { for await _ in later.prefix(1) {} }
      #expect(harness.failures.isEmpty)
    }
  }
}

private enum LiveSource {
  static let uri = "testbin://audio,is-live=true"
  static let isAvailable = isElementInstalled("testsrcbin")
}
