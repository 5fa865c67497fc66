import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

/// Media whose time stamps jump.
@Suite("Time stamps that jump") struct TimeStampTests {
  /// A position in the queue, beside an item without a fault.
  enum Place: CaseIterable { case first, next }

  @Test(
    "An item whose time stamps jump an hour ahead fails, and the items around it play once",
    arguments: Place.allCases)
  func ahead(place: Place) async throws {
    try await withTemporaryDirectory { directory in
      let good = try await Media.sine(seconds: 1, format: .wav)
      let sound = Array(try Data(contentsOf: URL(filePath: good)).dropFirst(44))
      let wrong = fileURI(try directory.write(flv(sound, jumpingAt: 5, by: 3_600_000), to: "jump.flv"))
      let tap = try Tap(directory)
      let uris = place == .first ? [wrong, fileURI(good)] : [fileURI(good), wrong, fileURI(good)]
      try await withPlayer(uris, sink: tap.sink(.everything), loadTimeout: .seconds(10)) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == [harness.items[place == .first ? 0 : 1]])
        #expect(harness.failures.map(\.code) == [.noProgress])
        let original = try samples(ofWAV: good)
        let heard = Array(original.prefix(original.count / 2)) + original
        expectSamples(try tap.recorded(), place == .first ? heard : original + heard)
      }
    }
  }
}

/// Returns an FLV file of ten parts of a second of PCM samples; `jump` milliseconds are missing before one of them.
private func flv(_ sound: [UInt8], jumpingAt place: Int, by jump: Int) -> [UInt8] {
  func big(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  var file = Array("FLV".utf8) + [1, 4] + big(9, bytes: 4) + big(0, bytes: 4)
  let size = sound.count / 40 * 4
  for part in 0..<10 {
    let time = part * 100 + (part < place ? 0 : jump)
    // 16 bits, stereo, 44.1 kHz.
    let body = [0x3F] + sound[(part * size)..<((part + 1) * size)]
    file += [8] + big(body.count, bytes: 3) + big(time, bytes: 3) + big(time >> 24, bytes: 1) + big(0, bytes: 3) + body
    file += big(11 + body.count, bytes: 4)
  }
  return file
}
