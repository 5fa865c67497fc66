package import TextCoding

/// Reads the cue sheet embedded in a FLAC file: as text in its tags, or in a CUESHEET block.
///
/// <https://www.rfc-editor.org/rfc/rfc9639#section-8>
package enum FLACCueSheet {
  /// The limit of bytes that are read from one file.
  private static let limit = 4 << 20

  /// Reads the embedded cue sheet.
  ///
  /// Only the block headers and the tags are read, not pictures or audio. Ignore the locations in the resulting
  /// entries: they mean this file.
  ///
  /// - Parameters:
  ///   - decoding: The decoding of the texts.
  ///   - bytes: Returns `count` bytes of the file from an offset on, or fewer at its end.
  /// - Returns: Nil if the file contains no cue sheet or is not FLAC.
  package static func read(
    decoding: TextDecoding = TextDecoding(), _ bytes: (_ offset: Int, _ count: Int) -> [UInt8]
  ) -> Playlist? {
    guard bytes(0, 4) == Array("fLaC".utf8) else { return nil }
    var offset = 4
    var sampleRate = 0
    var block: Playlist?
    // A valid file has only a few blocks.
    for _ in 0..<256 {
      let head = bytes(offset, 4)
      guard head.count == 4 else { break }
      let length = Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3])
      switch head[0] & 0x7F {
      case 0:
        let info = bytes(offset + 4, min(length, 18))
        if info.count >= 13 { sampleRate = Int(info[10]) << 12 | Int(info[11]) << 4 | Int(info[12]) >> 4 }
      case 4 where length <= limit:
        if let text = comment("CUESHEET", in: bytes(offset + 4, length)) {
          // The sheet may lack a FILE line.
          let sheet = CueSheet.read(Array("FILE - WAVE\n".utf8) + PlaylistText.withoutMark(text), decoding)
          if !sheet.entries.isEmpty { return sheet }
        }
      case 5 where length <= limit: block = table(bytes(offset + 4, length), sampleRate: sampleRate)
      default: break
      }
      guard head[0] & 0x80 == 0 else { break }
      offset += 4 + length
    }
    return block
  }

  private static func comment(_ name: String, in block: [UInt8]) -> [UInt8]? {
    var rest = block[...]
    guard let vendor = takeCount(&rest), vendor <= rest.count else { return nil }
    rest = rest.dropFirst(vendor)
    guard let count = takeCount(&rest) else { return nil }
    for _ in 0..<count {
      guard let length = takeCount(&rest), length <= rest.count else { return nil }
      if let value = PlaylistText.rest(of: rest.prefix(length), after: name + "="), !value.isEmpty {
        return Array(value)
      }
      rest = rest.dropFirst(length)
    }
    return nil
  }

  /// Reads a count of four bytes, little-endian.
  private static func takeCount(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let bytes = rest.prefix(4)
    guard bytes.count == 4 else { return nil }
    rest = rest.dropFirst(4)
    return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads the tracks of a CUESHEET block; it contains only their numbers and positions.
  private static func table(_ block: [UInt8], sampleRate: Int) -> Playlist? {
    guard sampleRate > 0, block.count >= 396 else { return nil }
    var rest = block[396...]
    var starts: [(number: Int, sample: UInt64)] = []
    var end: UInt64?
    for _ in 0..<block[395] {
      guard rest.count >= 36 else { break }
      let head = Array(rest.prefix(36))
      rest = rest.dropFirst(36)
      let (offset, number, indexCount) = (integer(head[..<8]), Int(head[8]), Int(head[35]))
      guard rest.count >= indexCount * 12 else { break }
      var first: UInt64 = 0
      for place in 0..<indexCount {
        let index = Array(rest.dropFirst(place * 12).prefix(12))
        if index[8] == 1 { first = integer(index[..<8]) }
      }
      rest = rest.dropFirst(indexCount * 12)
      let (sample, overflow) = offset.addingReportingOverflow(first)
      guard !overflow else { break }
      // 170 and 255 are the lead-out, which is the end of the last track.
      if number == 170 || number == 255 {
        end = sample
      } else if head[21] & 0x80 == 0 {
        starts.append((number, sample))
      }
    }
    func time(_ sample: UInt64) -> Duration? { CueSheet.time(sample, perSecond: sampleRate) }
    var playlist = Playlist()
    for (place, start) in starts.enumerated() {
      let following = place + 1 < starts.count ? starts[place + 1].sample : nil
      guard let begin = time(start.sample), (following ?? end ?? .max) > start.sample else { continue }
      var entry = PlaylistEntry(.path([]))
      entry.trackNumber = start.number
      entry.start = begin > .zero ? begin : nil
      entry.end = following.flatMap(time)
      entry.duration = (following ?? end).flatMap(time).map { $0 - begin }
      playlist.add(entry)
    }
    return playlist.entries.isEmpty ? nil : playlist
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
