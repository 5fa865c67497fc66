/// The linear PCM of a block or of an output: interleaved, in the byte order of the machine.
package struct PCMFormat: Hashable, Sendable {
  /// The encoding of a sample.
  package enum Encoding: Hashable, CaseIterable, Sendable {
    case int16
    /// Three bytes, the lowest first.
    case int24
    case int32
    case float32
    case float64

    /// The size of a sample.
    package var bytes: Int {
      switch self {
      case .int16: 2
      case .int24: 3
      case .int32, .float32: 4
      case .float64: 8
      }
    }
  }

  package var encoding: Encoding
  /// Frames a second; more than 0.
  package var rate: Int
  /// More than 0.
  package var channels: Int

  /// Creates a format; nil without a rate or channels, or with more than a sound card has.
  package init?(_ encoding: Encoding, rate: Int, channels: Int) {
    guard 1...1_536_000 ~= rate, 1...64 ~= channels else { return nil }
    (self.encoding, self.rate, self.channels) = (encoding, rate, channels)
  }

  /// The size of one sample of each channel.
  package var bytesPerFrame: Int { encoding.bytes * channels }

  /// Returns the number of the frame that is nearest to a time, limited to ±2⁵³.
  package func frame(at time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    let limit = Int64(1) << 53
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: Int64(rate))
    guard !overflows else { return seconds < 0 ? -limit : limit }
    // A rate of 1,536,000 and 10¹⁸ attoseconds exceed 64 bits.
    let half = Int128(attoseconds < 0 ? -500_000_000_000_000_000 : 500_000_000_000_000_000)
    let part = Int64((Int128(attoseconds) * Int128(rate) + half) / 1_000_000_000_000_000_000)
    let (sum, exceeds) = whole.addingReportingOverflow(part)
    return exceeds ? (whole < 0 ? -limit : limit) : min(max(sum, -limit), limit)
  }

  /// Returns the time at which a frame begins.
  package func time(at frame: Int64) -> Duration {
    let (seconds, rest) = frame.quotientAndRemainder(dividingBy: Int64(rate))
    return .seconds(seconds)
      + Duration(
        secondsComponent: 0,
        attosecondsComponent: Int64(Int128(rest) * 1_000_000_000_000_000_000 / Int128(rate)))
  }
}

// MARK: Samples as numbers

extension PCMFormat.Encoding {
  /// Reads samples as numbers from −1 to 1.
  func unpack(_ bytes: ArraySlice<UInt8>) -> [Double] {
    unsafe bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / self.bytes).map { index in
        let offset = index * self.bytes
        return switch self {
        case .int16: Double(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)) / 0x1p15
        case .int24:
          Double(
            unsafe Int32(bytes[offset]) << 8 | Int32(bytes[offset + 1]) << 16
              | Int32(truncatingIfNeeded: UInt32(bytes[offset + 2]) << 24)) / 0x1p31
        case .int32: Double(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)) / 0x1p31
        case .float32: Double(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))
        case .float64: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Double.self)
        }
      }
    }
  }

  /// Appends numbers as samples; an integer is the nearest one, within its range.
  func pack(_ samples: [Double], into bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + samples.count * self.bytes)
    for sample in samples {
      switch self {
      case .int16: append(integer(sample, bits: 16), to: &bytes)
      case .int24: append(integer(sample, bits: 24), to: &bytes)
      case .int32: append(integer(sample, bits: 32), to: &bytes)
      case .float32: append(Int64(Float(sample).bitPattern), to: &bytes)
      case .float64: append(Int64(bitPattern: sample.bitPattern), to: &bytes)
      }
    }
  }

  private func integer(_ sample: Double, bits: Int) -> Int64 {
    let scale = Double(Int64(1) << (bits - 1))
    guard sample == sample else { return 0 }
    return Int64(min(max(-scale, (sample * scale).rounded()), scale - 1))
  }

  private func append(_ value: Int64, to bytes: inout [UInt8]) {
    for byte in 0..<self.bytes { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }
}
