import Glibc

/// A file's bytes of sixteen-bit stereo samples at 44 100 Hz, computed so that every run generates the same.
///
/// The tests are not optimized: a minute of samples, each computed by itself, occupies a thread for seconds, and delays the tests
/// that play in real time. So one second is computed, and copied.
public struct Waveform {
  /// The samples per second.
  public static let sampleRate = 44_100
  private static let frameSize = 4

  /// Returns `count` frames of an endless sine of half the full amplitude, from frame `start` on; `frequency` is in hertz.
  ///
  /// Adjoining ranges join without a discontinuity, wherever the cut is.
  static func sine(frequency: Int, from start: Int, count: Int) -> [UInt8] {
    var second: [UInt8] = []
    second.reserveCapacity(sampleRate * frameSize)
    for index in 0..<sampleRate {
      let phase = Double(index * frequency % sampleRate) / Double(sampleRate)
      let sample = UInt16(bitPattern: Int16(16_384 * sin(2 * Double.pi * phase)))
      for _ in 1...2 {
        second.append(UInt8(truncatingIfNeeded: sample))
        second.append(UInt8(truncatingIfNeeded: sample >> 8))
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * frameSize)
    var first = start % sampleRate * frameSize
    while bytes.count < count * frameSize {
      bytes += second[first..<min(first + count * frameSize - bytes.count, second.count)]
      first = 0
    }
    return bytes
  }

  /// Returns a WAV file of these frames.
  static func wav(_ frames: [UInt8], _ format: PCM = PCM()) -> [UInt8] {
    let size = format.bits / 8 * format.channels
    var bytes = Array("RIFF".utf8) + littleEndian(UInt32(36 + frames.count)) + Array("WAVEfmt ".utf8)
    bytes += littleEndian(UInt32(16)) + littleEndian(UInt16(1)) + littleEndian(UInt16(format.channels))
    bytes += littleEndian(UInt32(format.rate)) + littleEndian(UInt32(format.rate * size))
    bytes += littleEndian(UInt16(size)) + littleEndian(UInt16(format.bits))
    return bytes + Array("data".utf8) + littleEndian(UInt32(frames.count)) + frames
  }

  private static func littleEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
