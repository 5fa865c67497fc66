import GstPlayer
import TestSupport
import Testing

@testable import AVFoundation

/// Compares the samples with `gst-launch-1.0`'s; outside of `#expect`, which describes unequal arrays for minutes.
@Suite(
  "Asset readers", .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
  .enabled(if: Film.isAvailable, "\(Film.unavailable)"))
struct AssetReaderTests {
  private static var int16: [String: Any] { [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16] }

  /// The samples of a reader, joined, with the times of its buffers.
  private struct Result {
    var bytes: [UInt8] = []
    var times: [CMTime] = []
    var counts: [Int] = []
    var format: AudioStreamBasicDescription?
  }

  /// Returns the samples that a decoder gives for a file.
  private func decoded(_ path: String, _ caps: String) async throws -> [UInt8] {
    try await withTemporaryDirectory { directory in
      let raw = directory.file("raw")
      let words = [
        "env", "GST_PLUGIN_FEATURE_RANK=mpg123audiodec:MAX", "gst-launch-1.0", "-q", "filesrc", "location=\(path)", "!",
        "decodebin", "!", "audioconvert", "dithering=none",
        "!",
        "audioresample", "!", "audioconvert", "dithering=none", "!", "\(caps),layout=interleaved", "!", "filesink",
        "location=\(raw)",
      ]
      let finished = try await run(words, within: 60)
      try #require(finished.succeeded, "\(finished.error)")
      return Array(try Data(contentsOf: URL(fileURLWithPath: raw)))
    }
  }

  private func reader(
    of path: String, _ settings: [String: Any]? = int16, track: Int = 0, range: CMTimeRange? = nil
  ) async throws -> (AVAssetReader, AVAssetReaderTrackOutput) {
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let tracks = try await asset.loadTracks(withMediaType: .audio)
    let reader = try AVAssetReader(asset: asset)
    if let range { reader.timeRange = range }
    let output = AVAssetReaderTrackOutput(track: try #require(tracks.dropFirst(track).first), outputSettings: settings)
    #expect(reader.canAdd(output) && reader.status == .unknown)
    reader.add(output)
    return (reader, output)
  }

  /// Reads all samples as programs for Apple's systems do.
  private func read(_ output: AVAssetReaderOutput) throws -> Result {
    var result = Result()
    while let sample = output.copyNextSampleBuffer() {
      let block = try #require(CMSampleBufferGetDataBuffer(sample))
      let length = CMBlockBufferGetDataLength(block)
      var bytes = [UInt8](repeating: 0, count: length)
      #expect(unsafe CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: length, destination: &bytes) == noErr)
      result.bytes += bytes
      result.times.append(CMSampleBufferGetPresentationTimeStamp(sample))
      result.counts.append(CMSampleBufferGetNumSamples(sample))
      let format = try #require(CMSampleBufferGetFormatDescription(sample))
      result.format = unsafe CMAudioFormatDescriptionGetStreamBasicDescription(format)?.pointee
      #expect(CMSampleBufferInvalidate(sample) == noErr && !CMSampleBufferIsValid(sample))
    }
    return result
  }

  private func samples(_ path: String, _ settings: [String: Any]? = int16, range: CMTimeRange? = nil) async throws
    -> Result
  {
    let (reader, output) = try await reader(of: path, settings, range: range)
    #expect(reader.startReading() && reader.status == .reading)
    let result = try read(output)
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    // Each buffer begins where the one before it ends.
    var end = result.times.first
    for (time, count) in zip(result.times, result.counts) {
      #expect(time == end)
      end = time + CMTime(value: CMTimeValue(count), timescale: time.timescale)
    }
    return result
  }

  @Test("All samples of a file equal its decoder's", arguments: Media.Format.allCases)
  func exact(format: Media.Format) async throws {
    let path = try await Media.sine(seconds: 3.1, format: format)
    let result = try await samples(path)
    let isExact = result.bytes == (try await decoded(path, "audio/x-raw,format=S16LE"))
    #expect(isExact)
    #expect(result.times.first == .zero && result.times.first?.timescale == 44_100)
    let description = try #require(result.format)
    #expect(description.mFormatID == kAudioFormatLinearPCM && description.mSampleRate == 44_100)
    #expect(description.mFormatFlags == kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked)
    #expect(description.mChannelsPerFrame == 2 && description.mBitsPerChannel == 16)
    #expect(description.mBytesPerFrame == 4 && description.mBytesPerPacket == 4 && description.mFramesPerPacket == 1)
  }

  @Test("The samples of a time range equal the decoder's at these times", arguments: Media.Format.allCases)
  func range(format: Media.Format) async throws {
    let path = try await Media.sine(seconds: 9, frequency: 441, format: format)
    let all = try await decoded(path, "audio/x-raw,format=S16LE")
    // Before and after the distance from which on the decoder seeks, with a start within a frame.
    for (start, end) in [(1.0 / 3, 0.5), (5.123_456_7, 6.000_01)] {
      let range = CMTimeRange(
        start: CMTime(seconds: start, preferredTimescale: 1_000_000_000),
        end: CMTime(seconds: end, preferredTimescale: 1_000_000_000))
      let result = try await samples(path, range: range)
      let (first, last) = (Int((start * 44_100).rounded()), Int((end * 44_100).rounded()))
      #expect(result.times.first == CMTime(value: CMTimeValue(first), timescale: 44_100))
      let isExact = result.bytes == Array(all[first * 4..<last * 4])
      #expect(isExact, "\(start)")
    }
  }

  @Test(
    "The settings select the rate, the channels and the samples",
    arguments: [
      ("F32LE", 44_100, 2, 32, true, false), ("F64LE", 44_100, 2, 64, true, false), ("S8", 44_100, 2, 8, false, false),
      ("S24LE", 44_100, 1, 24, false, false), ("S32BE", 44_100, 2, 32, false, true),
      ("S16BE", 22_050, 1, 16, false, true),
      ("F32BE", 16_000, 1, 32, true, true), ("S16LE", 96_000, 2, 16, false, false),
    ])
  func settings(caps: String, rate: Int, channels: Int, bits: Int, isFloat: Bool, isBigEndian: Bool) async throws {
    let path = try await Media.sine(seconds: 0.7)
    let settings: [String: Any] = [
      AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: Double(rate), AVNumberOfChannelsKey: channels,
      AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: isFloat, AVLinearPCMIsBigEndianKey: isBigEndian,
      AVLinearPCMIsNonInterleaved: false,
    ]
    let result = try await samples(path, settings)
    let isExact =
      result.bytes == (try await decoded(path, "audio/x-raw,format=\(caps),rate=\(rate),channels=\(channels)"))
    #expect(isExact)
    let description = try #require(result.format)
    #expect(description.mSampleRate == Double(rate) && Int(description.mChannelsPerFrame) == channels)
    #expect(Int(description.mBitsPerChannel) == bits && Int(description.mBytesPerFrame) == bits / 8 * channels)
    #expect((description.mFormatFlags & kAudioFormatFlagIsFloat != 0) == isFloat)
    #expect((description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0) == isBigEndian)
  }

  @Test("Channels that are not interleaved are separate buffers")
  func planar() async throws {
    let (left, right) = (PCM().sine(frequency: 440, count: 5000), PCM().sine(frequency: 660, count: 5000))
    let path = try await Media.wav(channels: [left, right], PCM())
    var settings = Self.int16
    settings[AVLinearPCMIsNonInterleaved] = true
    let (reader, output) = try await reader(of: path, settings)
    #expect(reader.startReading())
    var channels: [[Int16]] = [[], []]
    while let sample = output.copyNextSampleBuffer() {
      try unsafe sample.withAudioBufferList { list, _ in
        try #require(unsafe list.count == 2)
        for index in 0..<2 {
          let buffer = unsafe list[index]
          #expect(unsafe buffer.mNumberChannels == 1 && Int(buffer.mDataByteSize) == sample.numSamples * 2)
          unsafe channels[index] += UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize))
            .bindMemory(to: Int16.self)
        }
      }
    }
    let areEqual = channels[0].map { Int32($0) } == left && channels[1].map { Int32($0) } == right
    #expect(areEqual)
  }

  @Test("Nil as the settings is the linear PCM of the decoder")
  func native() async throws {
    let noise = PCM(bits: 24).noise(count: 3000)
    let path = try await Media.wav(noise, PCM(bits: 24))
    let result = try await samples(path, nil)
    #expect(result.format?.mBitsPerChannel == 24)
    let isExact = result.bytes == Array(PCM(bits: 24).wav(noise).suffix(3000 * 2 * 3))
    #expect(isExact)
  }

  @Test("The second audio track of a film is read")
  func track() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("two.mkv")
      let words = """
        gst-launch-1.0 -q matroskamux name=m ! filesink location=\(path) \
        audiotestsrc num-buffers=40 freq=440 ! audio/x-raw,channels=1 ! flacenc ! m. \
        audiotestsrc num-buffers=40 wave=silence ! audio/x-raw,channels=1 ! flacenc ! m.
        """
      let finished = try await run(words.split(separator: " ").map(String.init), within: 60)
      try #require(finished.succeeded, "\(finished.error)")
      var isSilent: [Bool] = []
      for track in 0..<2 {
        let (reader, output) = try await reader(of: path, track: track)
        #expect(reader.startReading())
        let result = try read(output)
        #expect(result.bytes.count == 40 * 1024 * 2)
        isSilent.append(result.bytes.allSatisfy { $0 == 0 })
      }
      #expect(isSilent == [false, true])
    }
  }

  @Test("A reader decodes only some buffers ahead, and is cancelled at any time")
  func cancelled() async throws {
    let path = try await Media.sine(seconds: 60)
    let (reader, output) = try await reader(of: path)
    #expect(output.copyNextSampleBuffer() == nil, "not started")
    #expect(reader.startReading() && !reader.startReading())
    #expect(output.copyNextSampleBuffer() != nil)
    reader.cancelReading()
    #expect(output.copyNextSampleBuffer() == nil && reader.status == .cancelled && reader.error == nil)
  }

  @Test("Other ranges follow in an output with random access")
  func randomAccess() async throws {
    let path = try await Media.sine(seconds: 3)
    let all = try await decoded(path, "audio/x-raw,format=S16LE")
    let half = CMTime(value: 1, timescale: 2)
    let (reader, output) = try await reader(of: path, range: CMTimeRange(start: .zero, duration: half))
    output.supportsRandomAccess = true
    #expect(reader.startReading())
    let isFirstExact = try read(output).bytes == Array(all[..<88_200])
    #expect(isFirstExact && reader.status == .reading)
    output.reset(forReadingTimeRanges: [
      NSValue(timeRange: CMTimeRange(start: CMTime(value: 2, timescale: 1), duration: half)),
      NSValue(timeRange: CMTimeRange(start: half, duration: half)),
    ])
    let areOthersExact = try read(output).bytes == Array(all[352_800..<441_000] + all[88_200..<176_400])
    #expect(areOthersExact)
    output.markConfigurationAsFinal()
    #expect(reader.status == .completed)
  }

  @Test(
    "Invalid settings make the start fail with the key and the reason",
    arguments: [
      (AVFormatIDKey, kAudioFormatMPEG4AAC as any Sendable), (AVLinearPCMBitDepthKey, 17), (AVSampleRateKey, -1.0),
      (AVNumberOfChannelsKey, "two"), (AVLinearPCMIsFloatKey, "yes"),
    ])
  func invalidSettings(key: String, value: any Sendable) async throws {
    let asset = AVURLAsset(url: URL(fileURLWithPath: try await Media.sine(seconds: 1)))
    let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    var settings = Self.int16
    settings[key] = value
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
    let reader = try AVAssetReader(asset: asset)
    #expect(!reader.canAdd(output))
    reader.add(output)
    #expect(!reader.startReading() && reader.status == .failed)
    let error = try #require(reader.error as? AVError)
    #expect(
      error.code == .formatUnsupported && error.localizedDescription.contains(key), "\(error.localizedDescription)")
  }

  @Test("A damaged, missing or foreign file fails with its reason")
  func failures() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("vanishes.flac")
      try FileManager.default.copyItem(atPath: try await Media.sine(seconds: 1), toPath: path)
      let (reader, output) = try await reader(of: path)
      try FileManager.default.removeItem(atPath: path)
      #expect(reader.startReading() && output.copyNextSampleBuffer() == nil && reader.status == .failed)
      #expect((reader.error as? URLError)?.code == .fileDoesNotExist)
      try FileManager.default.copyItem(atPath: try await Media.sine(seconds: 1), toPath: path)
      let (other, unreadable) = try await self.reader(of: path)
      try Data("This is text, and no music at all.\n".utf8).write(to: URL(fileURLWithPath: path))
      #expect(other.startReading() && unreadable.copyNextSampleBuffer() == nil && other.status == .failed)
      #expect((other.error as? AVError) != nil, "\(String(describing: other.error))")
      // A track of another asset.
      let foreign = try AVAssetReader(asset: AVURLAsset(url: URL(fileURLWithPath: path)))
      #expect(!foreign.canAdd(output))
    }
  }

  @Test("A track has the description of its format")
  func formatDescriptions() async throws {
    let asset = AVURLAsset(url: URL(fileURLWithPath: try await Media.sine(seconds: 1)))
    #expect(try await asset.load(.isReadable) && asset.isReadable)
    let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    let descriptions = try #require(track.formatDescriptions as? [CMAudioFormatDescription])
    #expect(descriptions == (try await track.load(.formatDescriptions)) && descriptions.count == 1)
    #expect(CMFormatDescriptionGetMediaType(descriptions[0]) == kCMMediaType_Audio)
    #expect(CMFormatDescriptionGetMediaSubType(descriptions[0]) == kAudioFormatFLAC)
    let format = unsafe CMAudioFormatDescriptionGetStreamBasicDescription(descriptions[0])?.pointee
    #expect(format?.mSampleRate == 44_100 && format?.mChannelsPerFrame == 2)
  }
}
