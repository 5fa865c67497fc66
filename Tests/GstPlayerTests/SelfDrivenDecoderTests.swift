import EngineProcess
import TestSupport
import Testing

@testable import GstPlayer

@Suite("AIFF files", .enabled(if: isElementInstalled("aiffparse"), "gstreamer1.0-plugins-bad is not installed"))
struct SelfDrivenDecoderTests {
  /// An AIFF file of 50 ms of silence, 8000 Hz mono, 16 bit.
  ///
  /// <https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/AIFF/AIFF.html>
  static let silence: [UInt8] = {
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

  @Test("A queue of one hundred AIFF files plays each to its end")
  func hundred() async throws {
    try await withTemporaryDirectory { directory in
      let uri = fileURI(try directory.write(Self.silence, to: "silence.aiff"))
      try await withPlayer(
        Array(repeating: uri, count: 100), sink: "fakesink", loadTimeout: .seconds(5), inFastTime: false
      ) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
        let ended = harness.significantEvents.compactMap {
          if case .itemDidPlayToEnd(let item) = $0 { item } else { nil }
        }
        #expect(ended == harness.items)
      }
    }
  }

  @Test("The loudness of an AIFF file is measured")
  func loudness() async throws {
    try await withTemporaryDirectory { directory in
      let uri = fileURI(try directory.write(Self.silence, to: "silence.aiff"))
      let outcomes = EventLog<TrackLoudness?>()
      let measurement = LoudnessMeasurement(of: uri, isIdle: false) { outcomes.append($0) }
      measurement.begin()
      let outcome = try await outcomes.first("the outcome", within: 30) { _ in true }.element
      #expect(outcome == TrackLoudness(energies: [], peak: 0, album: nil))
    }
  }
}

@Suite(
  "Damaged files in pull mode", .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
  .enabled(if: isElementInstalled("musepackdec"), "gstreamer1.0-plugins-bad is not installed"))
struct SelfDrivenFailureTests {
  /// A damaged file, and its error code, which depends on the version of GStreamer.
  struct Damaged: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var codes: [PlayerError.Code]

    static let all = [
      Damaged(
        testDescription: "a Musepack file that ends in its header",
        bytes: Array("MPCKSH".utf8) + [3, 0x95, 0xFA, 0xC1, 0x14, 8, 0, 0, 0, 0, 0xFF, 0, 0],
        codes: [.notMedia, .corrupt]),
      Damaged(
        testDescription: "an MP4 file without a stream", bytes: box("moov", box("udta", [])), codes: [.corrupt]),
      Damaged(
        testDescription: "an ID3 tag before zeros",
        bytes: Array("ID3".utf8) + [2, 0, 0, 0, 0, 0, 10]
          + [UInt8](repeating: 0, count: 2000), codes: [.notMedia]),
    ]

    /// Returns an MP4 box.
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(8 + content.count)] + Array(type.utf8) + content
    }
  }

  @Test("A damaged file has the same code inspected, loaded first, or loaded after others", arguments: Damaged.all)
  func code(damaged: Damaged) async throws {
    let good = fileURI(try await Media.sine(seconds: 0.1))
    try await withTemporaryDirectory { directory in
      let uri = fileURI(try directory.write(damaged.bytes, to: "damaged"))
      let inspected = await #expect(throws: PlayerError.self) { _ = try await MediaInspector().inspect(uri) }
      let code = try #require(inspected?.code)
      #expect(damaged.codes.contains(code))
      let row = Array(repeating: uri, count: 40)
      try await withPlayer(row + [good] + row, sink: "fakesink", loadTimeout: .seconds(5), inFastTime: false) {
        harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == harness.items.filter { $0.uri == uri })
        #expect(harness.failures.filter { $0.code != code }.isEmpty)
      }
    }
  }
}
