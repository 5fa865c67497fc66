import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

/// FLAC files that follow the standard, and that few encoders write.
@Suite("Uncommon FLAC files", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct DeckFLACTests {
  /// Returns samples that differ from their neighbours.
  private func samples(_ count: Int, from first: Int = 0) -> [Int16] {
    (first..<first + count).map { Int16(truncatingIfNeeded: $0 &* 31) }
  }

  /// Returns samples of channels as a decoder returns them.
  private func interleaved(_ channels: [[Int16]]) -> [UInt8] {
    (channels.first ?? []).indices.flatMap { index in
      channels.flatMap { [UInt8(truncatingIfNeeded: $0[index]), UInt8(truncatingIfNeeded: $0[index] >> 8)] }
    }
  }

  private func play(_ flac: FLACWriter, _ body: (DeckHarness) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      try await DeckHarness.with(try directory.write(flac.file, to: "a.flac")) { harness in
        try await harness.end()
        #expect(harness.failures.isEmpty && harness.isContinuous())
        try await body(harness)
      }
    }
  }

  @Test("A file with blocks of one sample is delivered in longer blocks")
  func tiny() async throws {
    let samples = samples(2_000)
    var flac = FLACWriter(blockSizes: 1...1)
    for sample in samples { flac.add([[sample], [sample]]) }
    try await play(flac) { harness in
      // Events, such as new tags, end a block.
      #expect(harness.blocks().count < 50)
      #expect(difference(harness.bytes(), interleaved([samples, samples])) == nil)
    }
  }

  @Test("Blocks whose numbers lead hours beyond the end of the file follow each other")
  func flake() async throws {
    let samples = samples(5 * 4_096)
    var flac = FLACWriter(blockSizes: 16...4_096, numbersSamples: true)
    for start in stride(from: 0, to: samples.count, by: 4_096) {
      let part = Array(samples[start..<start + 4_096])
      flac.add([part, part])
    }
    try await play(flac) { harness in
      #expect(harness.blocks().first?.first == 0)
      #expect(difference(harness.bytes(), interleaved([samples, samples])) == nil)
      let deliveries = harness.log.elements
      let end = try #require(deliveries.lastIndex { if case .ended = $0 { true } else { false } })
      #expect(!deliveries[end...].contains { if case .block = $0 { true } else { false } })
    }
  }

  @Test("Fewer channels later in a file are played by the first channels, or end the file with one failure")
  func channels() async throws {
    let (first, second) = (samples(4_096), samples(4_096, from: 700))
    var flac = FLACWriter(channels: 4)
    flac.add([first, second, second, first])
    flac.add([first, second])
    try await withTemporaryDirectory { directory in
      try await DeckHarness.with(try directory.write(flac.file, to: "a.flac")) { harness in
        var failure: PlayerError?
        do throws(any Error) { try await harness.end() } catch { failure = try #require(error as? PlayerError) }
        let format = try #require(PCMFormat(.int16, rate: 44_100, channels: 4, channelMask: 0x33))
        #expect(harness.blocks().allSatisfy { $0.format == format } && harness.isContinuous())
        let (bytes, size) = (harness.bytes(), 4_096 * 8)
        // GStreamer 1.26 and later accept no other number of channels.
        if let failure {
          #expect(MediaSupport.version?.hasPrefix("1.22.") == false)
          #expect(failure.code == .corrupt && harness.failures == [failure] && bytes.count <= size)
          return
        }
        #expect(difference(Array(bytes.prefix(size)), interleaved([first, second, second, first])) == nil)
        // GStreamer 1.22 plays something through the other channels, too.
        let front = stride(from: size, to: bytes.count, by: 8).flatMap { bytes[$0..<$0 + 4] }
        #expect(difference(front, interleaved([first, second])) == nil)
      }
    }
  }
}
