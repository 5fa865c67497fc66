import GstPlayer
import TestSupport
import Testing

/// Tests of a gapless successor that hangs while it loads.
@Suite("Successors that load late, live") struct LateSuccessorLiveTests {
  @Test(
    "A successor that hangs on loading fails once or plays, and the items before and after it play",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
    .enabled(if: isElementInstalled("avdemux_iff"), "gstreamer1.0-libav is not installed"), arguments: [0.05, 0.4])
  func hangs(seconds: Double) async throws {
    let good = fileURI(try await Media.sine(seconds: seconds))
    try await withTemporaryDirectory { directory in
      let file = fileURI(try directory.write(HangingFile.bytes, to: "hanging.dff"))
      try await withPlayer([good, file, good], loadTimeout: .seconds(5), inFastTime: false) { harness in
        try await harness.playToEnd()
        let ended = harness.significantEvents.compactMap {
          if case .itemDidPlayToEnd(let item) = $0 { item } else { nil }
        }
        // GStreamer 1.26 plays the file.
        let failed = harness.failures.map(\.item)
        #expect([[], [harness.items[1]]].contains(failed))
        #expect(ended == harness.items.filter { !failed.contains($0) })
      }
    }
  }
}

/// A DSD file at whose end the demuxer of GStreamer 1.22 reads endlessly.
///
/// <https://dsd-guide.com/sites/default/files/white-papers/DSDIFF_1.5_Spec.pdf>
private enum HangingFile {
  static let bytes: [UInt8] = {
    let rate = chunk("FS  ", [0, 0x56, 0x22, 0])
    let channels = chunk("CHNL", [0, 2] + Array("SLFTSRGT".utf8))
    let compression = chunk("CMPR", Array("DSD ".utf8) + [14] + Array("not compressed\0".utf8))
    let properties = chunk("PROP", Array("SND ".utf8) + rate + channels + compression)
    let sound = chunk("DSD ", [UInt8](repeating: 0x69, count: 14_112))
    return chunk("FRM8", Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + properties + sound)
  }()

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + (0..<8).map { UInt8(truncatingIfNeeded: content.count >> (56 - 8 * $0)) } + content
  }
}
