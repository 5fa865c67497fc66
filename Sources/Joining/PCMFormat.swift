/// The linear PCM of a block or of an output: interleaved, in the byte order of the machine.
package struct PCMFormat: Hashable, Sendable {
  /// The encoding of a sample.
  package enum Encoding: String, Codable, Hashable, CaseIterable, Sendable {
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
  /// The positions of the channels, as the bits of GStreamer's `channel-mask`; nil for the usual ones, and for none.
  package var channelMask: UInt64?

  /// Creates a format; nil without a rate or channels, or with more than a sound card has.
  package init?(_ encoding: Encoding, rate: Int, channels: Int, channelMask: UInt64? = nil) {
    guard 1...1_536_000 ~= rate, 1...64 ~= channels else { return nil }
    (self.encoding, self.rate, self.channels, self.channelMask) = (encoding, rate, channels, channelMask)
  }

  /// Whether the conversion of a track from another format to this one is hardly audible.
  ///
  /// It loses no rate below 44.1 kHz, and the track keeps its channels; a single channel may become two equal ones.
  package func carries(_ other: PCMFormat) -> Bool {
    rate >= min(other.rate, 44_100) && (channels == other.channels || channels == 2 && other.channels == 1)
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

// MARK: Codable

extension PCMFormat: Codable {
  private enum CodingKeys: CodingKey { case encoding, rate, channels, channelMask }

  /// The error of a format that no sound card has.
  private struct InvalidFormat: Error {}

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let format = PCMFormat(
      try fields.decode(Encoding.self, forKey: .encoding), rate: try fields.decode(Int.self, forKey: .rate),
      channels: try fields.decode(Int.self, forKey: .channels),
      channelMask: try fields.decodeIfPresent(UInt64.self, forKey: .channelMask))
    guard let format else { throw InvalidFormat() }
    self = format
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(encoding, forKey: .encoding)
    try fields.encode(rate, forKey: .rate)
    try fields.encode(channels, forKey: .channels)
    try fields.encodeIfPresent(channelMask, forKey: .channelMask)
  }
}

// MARK: Samples as numbers

extension PCMFormat {
  /// Adds samples, as numbers from −1 to 1, to the samples in `sum` from a frame on, each frame multiplied by its
  /// level.
  func add(_ bytes: ArraySlice<UInt8>, scaledBy levels: ArraySlice<Double>, to sum: inout [Double], at frame: Int) {
    unsafe bytes.withUnsafeBytes { bytes in
      switch encoding {
      case .int16:
        add(levels, to: &sum, at: frame) {
          Double(unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self)) * 0x1p-15
        }
      case .int24:
        add(levels, to: &sum, at: frame) {
          let low = unsafe Int32(bytes[$0]) << 8 | Int32(bytes[$0 + 1]) << 16
          return Double(unsafe low | Int32(truncatingIfNeeded: UInt32(bytes[$0 + 2]) << 24)) * 0x1p-31
        }
      case .int32:
        add(levels, to: &sum, at: frame) {
          Double(unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self)) * 0x1p-31
        }
      case .float32:
        add(levels, to: &sum, at: frame) {
          Double(unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Float.self))
        }
      case .float64:
        add(levels, to: &sum, at: frame) { unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Double.self) }
      }
    }
  }

  /// Inlined, so that the compiler makes one loop for each encoding.
  @inline(__always)
  private func add(
    _ levels: ArraySlice<Double>, to sum: inout [Double], at frame: Int, _ sample: (_ offset: Int) -> Double
  ) {
    let size = encoding.bytes
    var (index, offset) = (frame * channels, 0)
    for level in levels {
      for _ in 0..<channels {
        sum[index] += sample(offset) * level
        index &+= 1
        offset &+= size
      }
    }
  }
}

extension PCMFormat.Encoding {
  /// Returns numbers as samples; an integer is the nearest one, within its range.
  func pack(_ samples: [Double]) -> [UInt8] {
    var packed = [UInt8](repeating: 0, count: samples.count * bytes)
    unsafe packed.withUnsafeMutableBytes { packed in
      switch self {
      case .int16:
        for index in samples.indices {
          let value = Int16(truncatingIfNeeded: integer(samples[index], scale: 0x1p15))
          unsafe packed.storeBytes(of: value, toByteOffset: index * 2, as: Int16.self)
        }
      case .int24:
        for index in samples.indices {
          let value = integer(samples[index], scale: 0x1p23)
          for byte in 0..<3 { unsafe packed[index * 3 + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
        }
      case .int32:
        for index in samples.indices {
          let value = Int32(truncatingIfNeeded: integer(samples[index], scale: 0x1p31))
          unsafe packed.storeBytes(of: value, toByteOffset: index * 4, as: Int32.self)
        }
      case .float32:
        for index in samples.indices {
          unsafe packed.storeBytes(of: Float(samples[index]), toByteOffset: index * 4, as: Float.self)
        }
      case .float64:
        for index in samples.indices {
          unsafe packed.storeBytes(of: samples[index], toByteOffset: index * 8, as: Double.self)
        }
      }
    }
    return packed
  }

  @inline(__always)
  private func integer(_ sample: Double, scale: Double) -> Int {
    guard sample == sample else { return 0 }
    let value = min(max(-scale, sample * scale), scale - 1)
    // Without SSE 4.1, `rounded()` is a call of a function; a branch for the sign would be mispredicted.
    return Int(value + Double(signOf: value, magnitudeOf: 0.5))
  }
}
