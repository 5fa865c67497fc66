import DBus
import TestSupport
import Testing

/// Tests of the key `fade`, over D-Bus.
@Suite("Fade of the daemon")
struct FadeTests {
  @Test(
    "With a fade, Pause is signalled at once, the position stops when the fade ends, and Volume never changes")
  func fade() async throws {
    let file = try await Media.sine(seconds: 60, tags: Tags(title: "Long"))
    try await withDaemon(["--paused", file], environment: ["MPRIS_PLAYERD_FADE": "0.5"]) { daemon in
      try await daemon.titled("Long")
      try await withMonitor(of: daemon) { monitor in
        _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(3_000_000)]))
        try await daemon.call("Play")
        try await monitor.signal("BoundaryReached")
        let mark = monitor.signals.count
        let before = try await daemon.position()
        try await daemon.call("Pause")
        #expect(try await daemon.status() == "Paused")
        try await monitor.signal("PropertiesChanged", from: mark) { $0.anchorRate == 0 }
        let held = try await daemon.position()
        #expect(held >= before + 500_000)
        try await daemon.call("Play")
        #expect(try await daemon.status() == "Playing")
        #expect(try await daemon.position() >= held)
        try await daemon.call("Stop")
        #expect(try await daemon.status() == "Stopped")
        #expect(try await daemon.position() == 0)
        try await daemon.barrier()
        #expect(!daemon.signals.elements.contains { $0.isSeeked || $0.changes?["Volume"] != nil })
      }
    }
  }
}
