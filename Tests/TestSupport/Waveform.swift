import Glibc

/// Sixteen-bit stereo samples at 44 100 Hz, computed so that every run generates the same bytes.
struct Waveform {
  static let sampleRate = 44_100

  /// Returns `count` samples of an endless sine of half the full amplitude, from sample `start` on.
  ///
  /// Adjoining ranges join without a discontinuity, wherever the cut is.
  static func sine(frequency: Double, from start: Int, count: Int) -> [Int16] {
    (start..<start + count).map { index in
      let phase = Double(index) * frequency / Double(sampleRate)
      return Int16(16_384 * sin(2 * Double.pi * (phase - phase.rounded(.down))))
    }
  }

  /// Returns a WAV file with `samples` on both channels.
  static func wav(_ samples: [Int16]) -> [UInt8] {
    let size = samples.count * 4
    var bytes = Array("RIFF".utf8) + littleEndian(UInt32(36 + size)) + Array("WAVEfmt ".utf8)
    bytes += littleEndian(UInt32(16)) + littleEndian(UInt16(1)) + littleEndian(UInt16(2))
    bytes += littleEndian(UInt32(sampleRate)) + littleEndian(UInt32(sampleRate * 4))
    bytes += littleEndian(UInt16(4)) + littleEndian(UInt16(16)) + Array("data".utf8) + littleEndian(UInt32(size))
    bytes.reserveCapacity(44 + size)
    for sample in samples {
      let pair = littleEndian(UInt16(bitPattern: sample))
      bytes += pair
      bytes += pair
    }
    return bytes
  }

  private static func littleEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
