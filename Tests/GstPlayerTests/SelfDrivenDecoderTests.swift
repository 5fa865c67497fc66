import GstPlayer
import TestSupport
import Testing

@Suite("AIFF files", .enabled(if: isElementInstalled("aiffparse"), "gstreamer1.0-plugins-bad is not installed"))
struct SelfDrivenDecoderTests {
  /// An AIFF file of 50 ms of silence, 8000 Hz mono, 16 bit.
  ///
  /// <https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/AIFF/AIFF.html>
  private static let silence: [UInt8] = {
    let samples = 400
    let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let format = word(18) + [0, 1] + word(samples) + [0, 16] + rate
    let sound = word(8 + 2 * samples) + word(0) + word(0) + [UInt8](repeating: 0, count: 2 * samples)
    let chunks = Array("AIFFCOMM".utf8) + format + Array("SSND".utf8) + sound
    return Array("FORM".utf8) + word(chunks.count) + chunks
  }()

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  @Test("A hundred AIFF files in one queue each play to their end")
  func hundred() async throws {
    try await withTemporaryDirectory { directory in
      let uri = fileURI(try directory.write(Self.silence, to: "silence.aiff"))
      try await withPlayer(Array(repeating: uri, count: 100), sink: "fakesink", loadTimeout: .seconds(5)) { stage in
        try await stage.playOut()
        #expect(stage.failures.isEmpty)
        let ended = stage.story.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
        #expect(ended == stage.items)
      }
    }
  }
}
