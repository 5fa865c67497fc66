import Joining

/// A record in the table of a ring: a piece of a passage's samples, or the end of a passage.
struct RingRecord: Equatable, Sendable {
  /// The eight words of a record, in the order of the properties of a record; the first one has four fields.
  typealias Words = SIMD8<UInt64>

  /// The samples of a record.
  struct Samples: Equatable, Sendable {
    var format: PCMFormat
    var first: Int64
    var frames: Int64
    /// The bytes in the arena.
    var place: Range<Int>
  }

  /// The reason why a record is refused.
  struct Fault: Error, Equatable {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// The most bytes of a record; a frame has 512 at most.
  static let pieceLimit = 64 << 10
  /// The greatest number of a seek.
  static let seekLimit = 1 << 31
  /// The greatest number of a frame, and of one before the start.
  static let frameLimit: UInt64 = 1 << 52

  private enum Kind {
    static let samples: UInt64 = 1
    static let end: UInt64 = 2
  }

  /// The seek number of the passage.
  var seek: Int
  /// Nil at the end of the passage.
  var samples: Samples?

  init(seek: Int, _ samples: Samples? = nil) { (self.seek, self.samples) = (seek, samples) }

  /// Checks a record that another process has written.
  init(_ words: Words, after last: Int) throws(Fault) {
    guard let seek = Int(exactly: words[1]), seek <= Self.seekLimit else { throw Fault("seek \(words[1])") }
    guard seek >= last else { throw Fault("seek \(seek) after \(last)") }
    self.seek = seek
    switch words[0] & 0xFF {
    case Kind.samples: samples = try Self.samples(words)
    case Kind.end: samples = nil
    default: throw Fault("kind \(words[0] & 0xFF)")
    }
  }

  private static func samples(_ words: Words) throws(Fault) -> Samples {
    let hasMask = words[0] >> 16 & 0xFF
    guard words[0] >> 24 == 0, hasMask <= 1 else { throw Fault("flags \(words[0])") }
    guard let encoding = PCMFormat.Encoding(code: words[0] >> 8 & 0xFF),
      let format = PCMFormat(
        encoding, rate: Int(words[2] & 0xFFFF_FFFF), channels: Int(words[2] >> 32),
        channelMask: hasMask == 1 ? words[3] : nil)
    else { throw Fault("format \(words[0]), \(words[2])") }
    let first = Int64(bitPattern: words[4])
    guard first.magnitude <= frameLimit else { throw Fault("first frame \(first)") }
    guard let frames = Int64(exactly: words[5]), frames > 0 else { throw Fault("frames \(words[5])") }
    guard let offset = Int(exactly: words[6]), let length = Int(exactly: words[7]) else {
      throw Fault("offset \(words[6]), length \(words[7])")
    }
    let (size, overflows) = frames.multipliedReportingOverflow(by: Int64(format.bytesPerFrame))
    guard !overflows, size == length, length <= pieceLimit else { throw Fault("length \(length) of \(frames) frames") }
    guard offset <= RingMemory.arenaSize - length else { throw Fault("offset \(offset)") }
    return Samples(format: format, first: first, frames: frames, place: offset..<offset + length)
  }

  /// The words, as another process reads them.
  var words: Words {
    var words = Words()
    words[0] = Kind.end
    words[1] = UInt64(clamping: seek)
    guard let samples else { return words }
    let format = samples.format
    words[0] = Kind.samples | format.encoding.code << 8 | (format.channelMask == nil ? 0 : 1 << 16)
    words[2] = UInt64(clamping: format.rate) | UInt64(clamping: format.channels) << 32
    words[3] = format.channelMask ?? 0
    words[4] = UInt64(bitPattern: samples.first)
    words[5] = UInt64(clamping: samples.frames)
    words[6] = UInt64(clamping: samples.place.lowerBound)
    words[7] = UInt64(clamping: samples.place.count)
    return words
  }
}

extension PCMFormat.Encoding {
  fileprivate init?(code: UInt64) {
    guard let encoding = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = encoding
  }

  fileprivate var code: UInt64 {
    switch self {
    case .int16: 1
    case .int24: 2
    case .int32: 3
    case .float32: 4
    case .float64: 5
    }
  }
}
