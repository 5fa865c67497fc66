import GstPlayer
import TestSupport
import Testing

@Suite(
  "Tracker modules",
  .enabled(
    if: isElementInstalled("openmptdec"), "gstreamer1.0-plugins-bad is not installed"))
struct ModuleTests {
  /// A ProTracker module with one silent pattern, which plays for 0.6 s.
  ///
  /// <https://wiki.multimedia.cx/index.php/Protracker_Module>
  private static let module: [UInt8] = {
    let title = Array("Module".utf8) + [UInt8](repeating: 0, count: 14)
    let samples = [UInt8](repeating: 0, count: 31 * 30)
    let order = [1, 127] + [UInt8](repeating: 0, count: 128)
    // One tick per row and 255 beats per minute.
    let effects: [UInt8] = [0, 0, 0x0F, 1, 0, 0, 0x0F, 0xFF]
    let pattern = effects + [UInt8](repeating: 0, count: 64 * 4 * 4 - effects.count)
    let sample = [UInt8](repeating: 0, count: 64)
    return title + samples + order + Array("M.K.".utf8) + pattern + sample
  }()

  @Test("A module plays to its end, alone and between other items", arguments: ["fakesink", "fakesink sync=true"])
  func ends(sink: String) async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withTemporaryDirectory { directory in
      let module = fileURI(try directory.write(Self.module, to: "module.mod"))
      for uris in [[module], [good, module, module, good]] {
        try await withPlayer(uris, sink: sink) { harness in
          try await harness.playToEnd()
          #expect(harness.failures.isEmpty)
          let ended = harness.significantEvents.compactMap {
            if case .itemDidPlayToEnd(let item) = $0 { item } else { nil }
          }
          #expect(ended == harness.items)
        }
      }
    }
  }

  @Test("A module has a duration, is seekable, and plays to its end after a seek")
  func sought() async throws {
    try await withTemporaryDirectory { directory in
      let module = fileURI(try directory.write(Self.module, to: "module.mod"))
      try await withPlayer([module]) { harness in
        let snapshot = try await harness.ready()
        #expect(snapshot.isSeekable)
        let duration = try #require(snapshot.duration)
        #expect((.milliseconds(500)...(.milliseconds(800))).contains(duration))
        #expect(await harness.player.seek(to: duration / 2).isCompleted)
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
      }
    }
  }
}
