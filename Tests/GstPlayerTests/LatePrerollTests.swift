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

  @Test(
    "A file whose audio stops without an end ends or fails once, and the next item plays",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
    .enabled(if: isElementInstalled("avdemux_dsf"), "gstreamer1.0-libav is not installed"))
  func stops() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.05))
    try await withTemporaryDirectory { directory in
      let file = fileURI(try directory.write(Array(DSDStreamFile.bytes.dropLast(600)), to: "truncated.dsf"))
      try await withPlayer([file, good], loadTimeout: .seconds(3), inFastTime: false) { harness in
        try await harness.playToEnd()
        let outcomes = harness.significantEvents.count {
          switch $0 {
          case .itemDidPlayToEnd, .itemFailed: true
          default: false
          }
        }
        #expect(outcomes == 2)
        #expect(!harness.failures.map(\.item).contains(harness.items[1]))
      }
    }
  }
}

/// A DSD file in the format of Sony.
///
/// <https://dsd-guide.com/sites/default/files/white-papers/DSFFileFormatSpec_E.pdf>
private enum DSDStreamFile {
  static let bytes: [UInt8] = {
    let sound = [UInt8](repeating: 0x69, count: 65_536)
    let format: [UInt32] = [1, 0, 2, 2, 2_822_400, 1]
    let header =
      Array("fmt ".utf8) + number(52, 8) + format.flatMap { number(UInt64($0), 4) } + number(262_144, 8)
      + number(4_096, 4)
      + number(0, 4)
    let data = Array("data".utf8) + number(UInt64(12 + sound.count), 8) + sound
    return Array("DSD ".utf8) + number(28, 8) + number(UInt64(28 + header.count + data.count), 8) + number(0, 8)
      + header
      + data
  }()

  private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
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
