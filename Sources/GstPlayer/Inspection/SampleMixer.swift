package import Playback
import Synchronization

/// Adds the samples of several audio tracks, each with its volume over the time of the media.
///
/// One track at volume 1 yields exactly the samples of its reader. A sum beyond the range of integers is clipped. Where no track
/// has samples, none are returned. Only AVFoundation's `AVAssetReaderAudioMixOutput` uses it.
package final class SampleMixer: Sendable {
  /// A track that is mixed.
  private struct Input {
    let volume: VolumeCurve?
    /// The samples that are not mixed yet; nil before they are read.
    var chunk: SampleChunk?
    var hasEnded = false
  }

  private let readers: [SampleReader]
  private let encoding: SampleFormat.Encoding
  private let inputs: Mutex<[Input]>

  /// Creates a mixer.
  ///
  /// - Parameters:
  ///   - tracks: A reader of each track, of 64-bit floating-point numbers with one sample rate and number of channels, and the
  ///     volume of the track; nil for 1.
  ///   - encoding: The samples that are returned.
  package init(_ tracks: [(reader: SampleReader, volume: VolumeCurve?)], as encoding: SampleFormat.Encoding) {
    readers = tracks.map(\.reader)
    inputs = Mutex(tracks.map { Input(volume: $0.volume) })
    self.encoding = encoding
  }

  /// Ends the readers from any thread, as ``SampleReader/cancel()``.
  package func cancel() { for reader in readers { reader.cancel() } }

  /// Returns the next samples, and blocks until they are decoded; nil at the end of all tracks.
  package func next() throws(PlayerError) -> SampleChunk? {
    let result = inputs.withLock { inputs in
      Result { () throws(PlayerError) in try next(&inputs) }
    }
    return try result.get()
  }

  private func next(_ inputs: inout [Input]) throws(PlayerError) -> SampleChunk? {
    for (index, reader) in readers.enumerated() where inputs[index].chunk == nil && !inputs[index].hasEnded {
      inputs[index].chunk = try reader.next()
      inputs[index].hasEnded = inputs[index].chunk == nil
    }
    let chunks = inputs.compactMap(\.chunk)
    guard var mixed = chunks.min(by: { $0.first < $1.first }) else { return nil }
    let (start, channels) = (mixed.first, mixed.channels)
    // Up to the first chunk that ends, or that begins later.
    let end = chunks.map { $0.first > start ? $0.first : $0.end }.min() ?? start
    var sums = [Double](repeating: 0, count: Int(end - start) * channels)
    for index in inputs.indices {
      guard var chunk = inputs[index].chunk, chunk.first == start else { continue }
      var part = chunk
      part.clip(from: start, to: end)
      part.add(to: &sums, at: inputs[index].volume)
      chunk.clip(from: end, to: .max)
      inputs[index].chunk = chunk.bytes.isEmpty ? nil : chunk
    }
    mixed.encoding = encoding
    mixed.bytes = encoding.bytes(of: sums)
    return mixed
  }
}

extension SampleChunk {
  /// The number of the frame after the last one.
  fileprivate var end: Int64 { first + Int64(frames) }

  /// Adds 64-bit floating-point numbers to others, with a volume over the time of the media.
  fileprivate func add(to sums: inout [Double], at volume: VolumeCurve?) {
    let seconds = { [sampleRate] (frame: Int64) in Duration.seconds(1) * frame / sampleRate }
    let isFull = volume?.isFull(from: seconds(first), to: seconds(end)) ?? true
    let samples = unsafe bytes.withUnsafeBytes { bytes in
      (0..<min(sums.count, bytes.count / 8)).map {
        Double(bitPattern: UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)))
      }
    }
    for frame in 0..<samples.count / channels {
      let level = isFull ? 1 : volume?.level(at: seconds(first + Int64(frame))) ?? 1
      for index in frame * channels..<(frame + 1) * channels { sums[index] += samples[index] * level }
    }
  }
}

extension SampleFormat.Encoding {
  /// Returns the bytes of floating-point numbers from −1 to 1.
  func bytes(of samples: [Double]) -> [UInt8] {
    let size = bits / 8
    let scale = Double(sign: .plus, exponent: bits - 1, significand: 1)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * size)
    for sample in samples {
      let pattern: UInt64
      if isFloat {
        pattern = bits == 32 ? UInt64(Float(sample).bitPattern) : sample.bitPattern
      } else {
        let value = min(max(-scale, (sample * scale).rounded()), scale - 1)
        pattern = UInt64(bitPattern: value.isNaN ? 0 : Int64(value))
      }
      for index in 0..<size {
        bytes.append(UInt8(truncatingIfNeeded: pattern >> (8 * (isBigEndian ? size - 1 - index : index))))
      }
    }
    return bytes
  }
}
