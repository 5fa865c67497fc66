import GstPlayer
import TestSupport
import Testing

@testable import AVFoundation

/// Compares sums with the samples of the tracks.
@Suite(
  "Outputs that mix tracks", .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
  .enabled(if: Film.isAvailable, "\(Film.unavailable)"))
struct AudioMixOutputTests {
  private static func settings(bits: Int, isFloat: Bool = false, isBigEndian: Bool = false) -> [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: isFloat,
      AVLinearPCMIsBigEndianKey: isBigEndian,
    ]
  }

  /// Returns the bytes of all samples of an output, and the number of the frame after the last one.
  private func read(_ output: AVAssetReaderOutput, of asset: AVAsset) throws -> (bytes: [UInt8], end: CMTime) {
    let reader = try AVAssetReader(asset: asset)
    #expect(reader.canAdd(output))
    reader.add(output)
    #expect(reader.startReading())
    var (bytes, end): ([UInt8], CMTime) = ([], .zero)
    while let sample = output.copyNextSampleBuffer() {
      let time = CMSampleBufferGetPresentationTimeStamp(sample)
      #expect(time == end)
      end = time + CMTime(value: CMTimeValue(CMSampleBufferGetNumSamples(sample)), timescale: time.timescale)
      let block = try #require(CMSampleBufferGetDataBuffer(sample))
      var part = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(block))
      #expect(
        unsafe CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: part.count, destination: &part) == noErr)
      bytes += part
    }
    #expect(reader.status == .completed)
    return (bytes, end)
  }

  private func numbers(_ bytes: [UInt8]) -> [Double] {
    unsafe bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Double.self) }
    }
  }

  @Test(
    "The mix of one track has the samples of the track",
    arguments: [(24, false, true), (32, false, false), (32, true, false), (64, true, true)])
  func one(bits: Int, isFloat: Bool, isBigEndian: Bool) async throws {
    let noise = PCM(bits: 24).noise(count: 3000)
    let asset = AVURLAsset(url: URL(fileURLWithPath: try await Media.wav(noise, PCM(bits: 24))))
    let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    let settings = Self.settings(bits: bits, isFloat: isFloat, isBigEndian: isBigEndian)
    let mixed = try read(AVAssetReaderAudioMixOutput(audioTracks: [track], audioSettings: settings), of: asset)
    let plain = try read(AVAssetReaderTrackOutput(track: track, outputSettings: settings), of: asset)
    let areEqual = mixed.bytes == plain.bytes
    #expect(areEqual && !mixed.bytes.isEmpty && mixed.end == plain.end)
  }

  @Test("Tracks are added with their volumes up to the end of the longest one, in the greatest format of them")
  func sum() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("two.mkv")
      let words = """
        gst-launch-1.0 -q matroskamux name=m ! filesink location=\(path) \
        audiotestsrc num-buffers=60 freq=440 ! audio/x-raw,channels=1,rate=44100 ! flacenc ! m. \
        audiotestsrc num-buffers=40 freq=1000 volume=0.5 ! audio/x-raw,channels=2,rate=44100 ! flacenc ! m.
        """
      let finished = try await run(words.split(separator: " ").map(String.init), within: 60)
      try #require(finished.succeeded, "\(finished.error)")
      let asset = AVURLAsset(url: URL(fileURLWithPath: path))
      let tracks = try await asset.loadTracks(withMediaType: .audio)
      try #require(tracks.count == 2)
      var settings = Self.settings(bits: 64, isFloat: true)
      let output = AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: settings)
      #expect(output.audioTracks == tracks && output.audioMix == nil && output.audioTimePitchAlgorithm == .spectral)
      // From 0.25 s to 0.75 s, the first track fades out.
      let mix = AVMutableAudioMix()
      let parameters = AVMutableAudioMixInputParameters(track: tracks[0])
      parameters.setVolumeRamp(
        fromStartVolume: 1, toEndVolume: 0,
        timeRange: CMTimeRange(start: CMTime(value: 1, timescale: 4), duration: CMTime(value: 1, timescale: 2)))
      mix.inputParameters = [parameters]
      output.audioMix = mix
      let mixed = try read(output, of: asset)
      settings[AVNumberOfChannelsKey] = 2
      let parts = try tracks.map {
        numbers(try read(AVAssetReaderTrackOutput(track: $0, outputSettings: settings), of: asset).bytes)
      }
      let sums = numbers(mixed.bytes)
      #expect(sums.count == 60 * 1024 * 2 && mixed.end == CMTime(value: 60 * 1024, timescale: 44_100))
      let isExact = sums.indices.allSatisfy { index in
        let time = Double(index / 2) / 44_100
        let volume = 1 - min(max(0, (time - 0.25) / 0.5), 1)
        let sum = parts[0][index] * volume + (index < parts[1].count ? parts[1][index] : 0)
        return abs(sums[index] - sum) < 1e-9
      }
      #expect(isExact)
    }
  }

  @Test("Sums beyond the range of integers are clipped")
  func clipped() async throws {
    let noise = PCM().noise(count: 3000)
    let asset = AVURLAsset(url: URL(fileURLWithPath: try await Media.wav(noise, PCM())))
    let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    let output = AVAssetReaderAudioMixOutput(audioTracks: [track, track], audioSettings: Self.settings(bits: 16))
    let bytes = try read(output, of: asset).bytes
    let values = stride(from: 0, to: bytes.count, by: 4).map {
      Int32(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
    }
    let areClipped = values == noise.map { min(max(-32_768, $0 * 2), 32_767) }
    #expect(areClipped && values.contains(32_767) && values.contains(-32_768))
  }

  @Test("An output without tracks, or with one of another asset, makes the start fail")
  func invalid() async throws {
    let (path, other) = (try await Media.sine(seconds: 1), try await Media.sine(seconds: 2))
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let foreign = AVURLAsset(url: URL(fileURLWithPath: other))
    for tracks in [[], try await foreign.loadTracks(withMediaType: .audio)] {
      let output = AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: nil)
      let reader = try AVAssetReader(asset: asset)
      #expect(!reader.canAdd(output))
      reader.add(output)
      #expect(!reader.startReading() && reader.status == .failed)
    }
  }
}
