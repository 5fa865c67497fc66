import Playback

/// The frames of an ID3v2 tag: GStreamer keeps each frame as a separate object, and compares each text with all
/// previous texts.
///
/// <https://id3.org/id3v2.4.0-structure>
struct ID3Header: HeaderSyntax {
  /// The maximum size of a text frame, which may contain a list of texts.
  private static let textSize = 64 << 10
  /// The maximum size of all compressed frames of a tag, as they state it.
  private static let inflatedSize = 16 << 20

  private var version = 0
  /// The number of bytes to the end of the tag; nil before a tag.
  private var rest: Int?
  private var count = 0
  private var inflated = 0

  mutating func restart() { self = ID3Header() }

  mutating func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    guard let rest else { return begin(bytes) }
    let (width, head) = version < 3 ? (3, 6) : (4, 10)
    // The frames end at a zero.
    guard rest > head, bytes.first != 0 else { return .stop }
    guard bytes.count >= min(rest, 14) else { return .needs(min(rest, 14)) }
    let number = bytes.number(width, at: width) ?? 0
    let size = version < 4 ? number : Self.synchsafe(number)
    guard size <= rest - head else { return .stop }
    count += 1
    if count > MediaLimits.parts { return .refuse(.number(of: "ID3 frames")) }
    let name = bytes.name(at: 0) ?? ""
    if size > Self.textSize, name.hasPrefix("T"), !name.hasPrefix("TXX") {
      return .refuse(.exceeding("an ID3 text of more than \(Self.textSize >> 10) KiB"))
    }
    if version > 2, let flags = bytes.number(1, at: 9), flags & (version == 3 ? 0x80 : 0x08) != 0 {
      let length = bytes.number(4, at: 10) ?? 0
      inflated += version == 3 ? length : Self.synchsafe(length)
      if inflated > Self.inflatedSize { return .refuse(.size(of: "compressed ID3 frames", Self.inflatedSize)) }
    }
    self.rest = rest - head - size
    return .skip(head + size)
  }

  /// Reads the header of a tag, and an extended header.
  private mutating func begin(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    guard bytes.count >= 14 else { return .needs(14) }
    guard bytes.starts(with: Array("ID3".utf8)), let size = bytes.number(4, at: 6).map(Self.synchsafe),
      let version = bytes.number(1, at: 3), let flags = bytes.number(1, at: 5)
    else { return .stop }
    if size > MediaLimits.bytes { return .refuse(.size(of: "an ID3 tag")) }
    // Up to version 3, a zero that follows 0xFF belongs to the whole tag.
    if version < 4, flags & 0x80 != 0 { return .check(10 + size, thenAt: 10 + size) }
    let extended = flags & 0x40 == 0 ? 0 : Self.synchsafe(bytes.number(4, at: 10) ?? 0) + (version < 4 ? 4 : 0)
    (self.version, rest) = (version, size - extended)
    return .skip(10 + extended)
  }

  func violation(in tag: ArraySlice<UInt8>) -> PlayerError? {
    var head = Array(tag.prefix(10))
    if head.count == 10 { head[5] &= 0x7F }
    return Self.violation(inTag: head + synchronized(tag.dropFirst(10)))
  }

  /// Returns the limit that a tag exceeds, which begins at the start of the bytes.
  static func violation(inTag bytes: [UInt8]) -> PlayerError? {
    var reader = HeaderReader(ID3Header())
    return reader.read(bytes.count) { Array(bytes[$0]) }
  }

  /// Returns the value of a number with seven bits in each byte.
  private static func synchsafe(_ number: Int) -> Int {
    number & 0x7F | (number & 0x7F00) >> 1 | (number & 0x7F_0000) >> 2 | (number & 0x7F00_0000) >> 3
  }

  /// Removes the zero after each 0xFF, which keeps tags from looking like audio.
  private func synchronized(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if previous != 0xFF || byte != 0 { result.append(byte) }
      previous = byte
    }
    return result
  }
}
