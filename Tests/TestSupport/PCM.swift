import Glibc

/// The format of uncompressed audio, with integer samples.
public struct PCM: Sendable {
  /// The samples per second of each channel.
  public let rate: Int
  /// The bits of a sample: 16, 24 or 32.
  public let bits: Int
  /// The number of channels.
  public let channels: Int

  /// Makes a format, by default that of the other files of the tests.
  public init(rate: Int = Waveform.sampleRate, bits: Int = 16, channels: Int = 2) {
    (self.rate, self.bits, self.channels) = (rate, bits, channels)
  }

  /// Returns the samples of a sine of half the full amplitude.
  public func sine(frequency: Double = 440, count: Int) -> [Int32] {
    let amplitude = Double(Int64(1) << (bits - 2))
    return (0..<count).map { Int32(amplitude * sin(2 * Double.pi * Double($0) * frequency / Double(rate))) }
  }

  /// Returns random samples of the full amplitude, the same in each run and never 0.
  public func noise(count: Int) -> [Int32] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).map { _ in
      let sample = Int32.random(in: .min ... .max, using: &generator) >> (32 - bits)
      return sample == 0 ? 1 : sample
    }
  }

  /// Returns a WAV file with `samples` on all channels.
  public func wav(_ samples: [Int32]) -> [UInt8] { wav(Array(repeating: samples, count: channels)) }

  /// Returns a WAV file with the samples of each channel, of equal number.
  public func wav(_ channels: [[Int32]]) -> [UInt8] {
    var bytes: [UInt8] = []
    let count = channels.first?.count ?? 0
    bytes.reserveCapacity(count * channels.count * bits / 8)
    for index in 0..<count {
      for samples in channels {
        for shift in stride(from: 0, to: bits, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: samples[index] >> shift))
        }
      }
    }
    return Waveform.wav(bytes, self)
  }
}
