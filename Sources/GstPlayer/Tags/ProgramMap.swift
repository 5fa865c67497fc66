/// Changes the program map tables of an MPEG transport stream so that `tsdemux` passes timed ID3 metadata on.
///
/// `tsdemux` of GStreamer 1.22 and 1.26 does not create a pad for streams of type 0x15, packets of metadata. It creates one for
/// private data (type 6) that is registered as KLV metadata, and pushes each packet with its time. A table that announces ID3
/// metadata is changed to announce KLV. The change is pure, and bounded for any input.
///
/// <https://developer.apple.com/library/archive/documentation/AudioVideo/Conceptual/HTTP_Live_Streaming_Metadata_Spec/2/2.html>
/// and ISO/IEC 13818-1, 2.4.4.8 and 2.6.60.
enum ProgramMap {
  /// The size of a packet.
  static let packetSize = 188
  private enum StreamType { static let (privateData, metadata): (UInt8, UInt8) = (0x06, 0x15) }
  private enum Tag { static let (registration, metadata): (UInt8, UInt8) = (0x05, 0x26) }
  private static let (klv, id3) = (Array("KLVA".utf8), Array("ID3 ".utf8))

  /// The result of a search.
  struct Search: Equatable {
    /// Whether a table was changed.
    var hasChanged = false
    /// The offset from which on the bytes may be the beginning of a table; the size of the bytes if there is none.
    var tail: Int
  }

  /// Changes the tables in packets that are complete.
  static func announceKLV(in bytes: inout [UInt8]) -> Search {
    var search = Search(tail: bytes.count)
    var offset = 0
    while let start = bytes[offset...].firstIndex(of: 0x47) {
      offset = start + 1
      guard mayBeTable(bytes, at: start) else { continue }
      guard start + packetSize <= bytes.count else {
        search.tail = start
        return search
      }
      guard let section = section(in: bytes, at: start), checksum(bytes[section]) == 0 else { continue }
      if change(&bytes, section) { search.hasChanged = true }
      offset = start + packetSize
    }
    return search
  }

  /// Whether the bytes that have arrived belong to a packet in which a section begins, after another packet.
  private static func mayBeTable(_ bytes: [UInt8], at start: Int) -> Bool {
    let rest = bytes[start...]
    if start >= packetSize, bytes[start - packetSize] != 0x47 { return false }
    if rest.count > 1, rest[start + 1] & 0xC0 != 0x40 { return false }
    return rest.count <= 3 || rest[start + 3] & 0xD0 == 0x10
  }

  /// Returns the range of a program map section that lies in one packet; nil if the packet contains none.
  private static func section(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    let end = start + packetSize
    let hasAdaptation = bytes[start + 3] & 0x20 != 0
    let pointer = start + 4 + (hasAdaptation ? 1 + Int(bytes[start + 4]) : 0)
    guard pointer < end else { return nil }
    let first = pointer + 1 + Int(bytes[pointer])
    guard first + 16 <= end, bytes[first] == 0x02, bytes[first + 1] & 0xF0 == 0xB0 else { return nil }
    let last = first + 3 + length(bytes, at: first + 1)
    return last <= end && last >= first + 16 ? first..<last : nil
  }

  /// Changes each entry for ID3 metadata; returns whether there is one.
  private static func change(_ bytes: inout [UInt8], _ section: Range<Int>) -> Bool {
    let end = section.upperBound - 4
    var hasChanged = false
    var entry = section.lowerBound + 12 + length(bytes, at: section.lowerBound + 10)
    while entry + 5 <= end {
      let next = entry + 5 + length(bytes, at: entry + 3)
      guard next <= end else { break }
      if bytes[entry] == StreamType.metadata, let descriptor = registration(bytes, entry + 5..<next) {
        bytes[entry] = StreamType.privateData
        bytes[descriptor.lowerBound] = Tag.registration
        let content = descriptor.dropFirst(2)
        for (index, byte) in zip(content, klv + repeatElement(0xFF, count: content.count)) { bytes[index] = byte }
        hasChanged = true
      }
      entry = next
    }
    guard hasChanged else { return false }
    let sum = checksum(bytes[section.lowerBound..<end])
    for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index)) }
    return true
  }

  /// Returns the descriptor that is to register the stream as KLV: the registration descriptor if there is one, else
  /// the metadata descriptor; nil if the metadata is not ID3.
  private static func registration(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    var (registration, metadata): (Range<Int>?, Range<Int>?)
    var start = range.lowerBound
    while start + 2 <= range.upperBound {
      let end = start + 2 + Int(bytes[start + 1])
      guard end <= range.upperBound else { break }
      let content = bytes[start + 2..<end]
      if bytes[start] == Tag.registration, content.count >= klv.count { registration = registration ?? start..<end }
      if bytes[start] == Tag.metadata, isID3(content) { metadata = start..<end }
      start = end
    }
    return metadata.map { registration ?? $0 }
  }

  /// Whether the content of a metadata descriptor has the format identifier of ID3.
  private static func isID3(_ descriptor: ArraySlice<UInt8>) -> Bool {
    let format = descriptor.dropFirst(descriptor.starts(with: [0xFF, 0xFF]) ? 6 : 2)
    return format.first == 0xFF && format.dropFirst().starts(with: id3)
  }

  /// Returns a length of 12 bits.
  private static func length(_ bytes: [UInt8], at offset: Int) -> Int {
    Int(bytes[offset] & 0x0F) << 8 | Int(bytes[offset + 1])
  }

  /// Returns the CRC-32 of MPEG-2; the result for a section with its checksum is 0.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0xFFFF_FFFF) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
  }
}
