/// An MPEG transport stream of MP3 frames and timed ID3 metadata, as in HTTP Live Streaming.
///
/// ISO/IEC 13818-1, 2.4.
struct TransportStream: Sendable {
  /// The bytes of the packets so far.
  private(set) var bytes: [UInt8] = []
  private var counters: [Int: UInt8] = [:]
  private static let (tables, audio, metadata) = (0x1000, 0x100, 0x102)
  /// The value of the clock at the start of the media: 10 s at 90 kHz.
  private static let origin: UInt64 = 900_000

  /// Makes an empty stream.
  init() {}

  /// Begins a segment, and removes the bytes of the one before; the counters of the packets continue.
  mutating func beginSegment() {
    bytes = []
    append(Self.section(0, Self.number(1) + Self.number(0xE000 | Self.tables)), to: 0)
    append(Self.map, to: Self.tables)
  }

  /// Adds an MP3 frame that plays at a time in seconds.
  mutating func append(audio frame: ArraySlice<UInt8>, at time: Double) {
    append(Self.packet(0xC0, Array(frame), at: time), to: Self.audio, clock: Self.stamp(time))
  }

  /// Adds an ID3 tag of a time in seconds.
  mutating func append(tag: [UInt8], at time: Double) {
    append(Self.packet(0xBD, tag, at: time), to: Self.metadata)
  }

  /// The payload of the packet with the program map table: an MP3 stream, and a stream of ID3 metadata.
  static var map: [UInt8] {
    let id3 = Array("ID3 ".utf8)
    let pointer = [0x25, 15, 0xFF, 0xFF] + id3 + [0xFF] + id3 + [0, 0x1F, 0, 1]
    let format = [0x26, 13, 0xFF, 0xFF] + id3 + [0xFF] + id3 + [0, 0x0F]
    return section(
      2,
      number(0xE000 | audio) + number(0xF000 | pointer.count) + pointer + [0x03] + number(0xE000 | audio)
        + number(0xF000)
        + [0x15] + number(0xE000 | metadata) + number(0xF000 | format.count) + format)
  }

  /// Returns a tag in the format of ID3v2.4, of frames in that format.
  static func tag(_ frames: [UInt8]...) -> [UInt8] {
    let content = frames.flatMap { $0 }
    return Array("ID3".utf8) + [4, 0, 0] + ID3.size(content.count, 4) + content
  }

  /// Returns the tag at the start of a segment of packed audio that plays at a time in seconds.
  static func segmentTag(at time: Double, _ frames: [UInt8]...) -> [UInt8] {
    let stamp = stamp(time)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: stamp >> UInt64(56 - 8 * $0)) }
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
    return tag(ID3.frame("PRIV", owner + bytes, 4), frames.flatMap { $0 })
  }

  // MARK: Packets

  private mutating func append(_ payload: [UInt8], to identifier: Int, clock: UInt64? = nil) {
    var rest = payload[...]
    var isFirst = true
    while isFirst || !rest.isEmpty {
      var field: [UInt8] = []
      if isFirst, let clock {
        let value = clock << 15 | 0x7E00
        field = [0x10] + (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(40 - 8 * $0)) }
      }
      let part = rest.prefix(184 - (field.isEmpty ? 0 : field.count + 1))
      rest = rest.dropFirst(part.count)
      let space = 184 - part.count - (field.isEmpty ? 0 : field.count + 1)
      if space > 0 {
        if field.isEmpty, space > 1 { field = [0] }
        let filled = 183 - part.count
        field += [UInt8](repeating: 0xFF, count: filled - field.count)
      }
      let hasField = part.count < 184
      let counter = counters[identifier, default: 0]
      counters[identifier] = (counter + 1) & 0x0F
      bytes += [0x47, (isFirst ? 0x40 : 0) | UInt8(identifier >> 8), UInt8(identifier & 0xFF)]
      bytes += [(hasField ? 0x30 : 0x10) | counter] + (hasField ? [UInt8(field.count)] + field : []) + part
      isFirst = false
    }
  }

  /// Returns a section that fills a packet.
  private static func section(_ table: UInt8, _ body: [UInt8]) -> [UInt8] {
    var section = [table] + number(0xB000 | (body.count + 9)) + [0, 1, 0xC1, 0, 0] + body
    var sum = UInt32.max
    for byte in section {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    for shift in [24, 16, 8, 0] { section.append(UInt8(truncatingIfNeeded: sum >> shift)) }
    return [0] + section + [UInt8](repeating: 0xFF, count: 183 - section.count)
  }

  private static func packet(_ stream: UInt8, _ content: [UInt8], at time: Double) -> [UInt8] {
    let stamp = stamp(time)
    let time = [
      0x21 | UInt8(stamp >> 29 & 0x0E), UInt8(stamp >> 22 & 0xFF), UInt8(stamp >> 14 & 0xFE) | 1,
      UInt8(stamp >> 7 & 0xFF), UInt8(stamp << 1 & 0xFE) | 1,
    ]
    return [0, 0, 1, stream] + number(content.count + 8) + [0x84, 0x80, 5] + time + content
  }

  private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }

  private static func stamp(_ time: Double) -> UInt64 { origin + UInt64((time * 90_000).rounded()) }
}
