import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite(
  "Samples of a deck", .serialized, .enabled(if: Tool.areAvailable("ffmpeg", "flac", "sox"), "an encoder is missing"))
struct DeckSampleTests {
  /// Noise with all bits, as WAV of a format of `ffmpeg`.
  private static func noise(
    _ directory: TemporaryDirectory, _ codec: String, rate: Int = 44_100, channels: Int = 2, seconds: Double = 2.3
  ) async throws -> String {
    let path = directory.file("noise-\(codec)-\(rate)-\(channels).wav")
    let source = "anoisesrc=r=\(rate):d=\(seconds):a=0.9:c=pink:seed=5"
    try await shell("ffmpeg -v error -y -f lavfi -i '\(source)' -ac \(channels) -c:a \(codec) '\(path)'")
    return path
  }

  /// Returns the samples of a file as `ffmpeg` decodes them.
  private static func decoded(_ path: String, _ format: String) async throws -> [UInt8] {
    try await shell("ffmpeg -v error -y -i '\(path)' -f \(format) -c:a pcm_\(format) '\(path).raw'")
    return try contents("\(path).raw")
  }

  private struct Lossless: CustomTestStringConvertible {
    var codec: String
    var encoding: PCMFormat.Encoding
    var raw: String
    var suffix = "wav"
    var rate = 44_100
    var channels = 2
    var testDescription: String { "\(codec) as \(suffix), \(rate) Hz, \(channels) channels" }
  }

  @Test(
    "Every sample of a lossless file is delivered",
    arguments: [
      Lossless(codec: "pcm_s16le", encoding: .int16, raw: "s16le"),
      Lossless(codec: "pcm_s24le", encoding: .int24, raw: "s24le"),
      Lossless(codec: "pcm_s32le", encoding: .int32, raw: "s32le", rate: 96_000),
      Lossless(codec: "pcm_f32le", encoding: .float32, raw: "f32le"),
      Lossless(codec: "pcm_f64le", encoding: .float64, raw: "f64le", rate: 48_000, channels: 1),
      Lossless(codec: "pcm_u8", encoding: .int16, raw: "s16le"),
      Lossless(codec: "pcm_s16le", encoding: .int16, raw: "s16le", suffix: "flac"),
      Lossless(codec: "pcm_s24le", encoding: .int24, raw: "s24le", suffix: "flac", rate: 96_000),
      Lossless(codec: "pcm_s16le", encoding: .int16, raw: "s16le", suffix: "flac", channels: 6),
      Lossless(codec: "pcm_s16le", encoding: .int16, raw: "s16le", suffix: "aiff"),
      Lossless(codec: "pcm_s24le", encoding: .int24, raw: "s24le", suffix: "aiff"),
      Lossless(codec: "pcm_s16le", encoding: .int16, raw: "s16le", suffix: "wv"),
    ])
  private func lossless(_ file: Lossless) async throws {
    try await withTemporaryDirectory { directory in
      var path = try await Self.noise(directory, file.codec, rate: file.rate, channels: file.channels)
      let expected = try await Self.decoded(path, file.raw)
      if file.suffix != "wav" {
        let other = directory.file("other.\(file.suffix)")
        let codec = file.suffix == "aiff" ? "-c:a \(file.codec.dropLast(2))be" : ""
        try await shell("ffmpeg -v error -y -i '\(path)' \(codec) '\(other)'")
        path = other
      }
      try await DeckHarness.with(path) { harness in
        try await harness.end()
        let format = try #require(
          PCMFormat(
            file.encoding, rate: file.rate, channels: file.channels, channelMask: file.channels == 6 ? 0x3F : nil))
        let blocks = harness.blocks()
        #expect(blocks.first?.first == 0)
        #expect(blocks.first?.format == format)
        #expect(harness.isContinuous())
        #expect(difference(harness.bytes(), expected) == nil)
        #expect(harness.failures.isEmpty)
      }
    }
  }
}
