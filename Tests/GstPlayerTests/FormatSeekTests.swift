import CGst
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Seeks in single formats") struct FormatSeekTests {
  private static let rate = 8_000

  /// Returns an AU file of 16-bit samples that count up, with a header of a size.
  private func au(seconds: Int, header: Int) -> [UInt8] {
    let samples = (0..<seconds * Self.rate).flatMap { HostileHeaders.big($0 & 0x7FFF, 2) }
    let fields = [header, samples.count, 3, Self.rate, 1].flatMap { HostileHeaders.big($0) }
    return HostileHeaders.join(
      Array(".snd".utf8), fields, HostileHeaders.zeros(header - 24), samples)
  }

  @Test("A seek in an AU file is exact to the sample, whatever the size of its header", arguments: [24, 32])
  func au(header: Int) async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write(au(seconds: 10, header: header), to: "a.au")
      let format = SampleFormat(.int16)
      let reader = SampleReader(fileURI(path), as: format, from: .seconds(8), to: .seconds(9))
      var bytes: [UInt8] = []
      while let chunk = try reader.next() { bytes += chunk.bytes }
      let samples = stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
      #expect(samples.count == Self.rate)
      #expect(samples.indices.allSatisfy { samples[$0] == (8 * Self.rate + $0) & 0x7FFF })
      try await withPlayer([fileURI(path)], sink: "fakesink") { harness in
        try await harness.ready()
        #expect(await harness.player.seek(to: .seconds(8)).isCompleted)
        #expect(harness.player.snapshot.position >= .seconds(8))
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test(
    "RealMedia without an index is not seekable, and plays on after a seek is refused",
    .enabled(if: Tool.path("ffmpeg") != nil, "ffmpeg is not installed"))
  func realMedia() async throws {
    let wav = try await Media.sine(seconds: 10, format: .wav)
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.rm")
      let made = try await run(["ffmpeg", "-nostdin", "-v", "error", "-i", wav, "-c:a", "ac3", "-b:a", "64k", path])
      try #require(made.succeeded, "\(made.error)")
      try await withPlayer([fileURI(path)], sink: "fakesink") { harness in
        #expect(try await harness.ready().isSeekable == false)
        #expect(await harness.player.seek(to: .seconds(8)).isCompleted == false)
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
      }
    }
  }
}
