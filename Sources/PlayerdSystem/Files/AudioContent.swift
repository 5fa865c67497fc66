import TextCoding

/// The identity of the audio in a file, which a new name, other tags and another cover do not change.
///
/// It is the size of the audio data and a hash of four blocks of it. The audio data is the content without ID3, APE and
/// Lyrics3 tags; of FLAC without the metadata blocks, of MP4 the largest `mdat` box, of ASF the packets, of WAV and AIFF the
/// chunk of the samples, of Ogg the pages after the headers. Matroska and WebM have their duration and the frames at the start
/// instead, because only all blocks together have the size. Tags within other containers, such as FLV, belong to the identity.
package struct AudioContent: Hashable, Sendable {
  /// The size of the audio data in bytes; of Matroska and WebM, the duration in seconds.
  package let extent: Int
  private let hash: String

  private static let blockSize = 1 << 14

  /// Reads the identity of a file, unless `isWanted` rejects the extent; nil for a file without audio data.
  package init?(of file: any ReadableFile, where isWanted: (_ extent: Int) -> Bool = { _ in true }) {
    let bytes: [UInt8]
    if let blocks = MatroskaBlocks(in: file) {
      extent = blocks.seconds
      guard isWanted(extent) else { return nil }
      bytes = blocks.sample(of: file)
    } else {
      guard let data = AudioData(in: file), isWanted(data.range.count) else { return nil }
      extent = data.range.count
      let (size, last) = (min(Self.blockSize, extent), max(0, extent - Self.blockSize))
      bytes = [0, last / 3, last / 3 * 2, last].flatMap { offset in
        data.block(at: data.range.lowerBound + offset, count: size, of: file)
      }
    }
    hash = String(SHA256.text(of: bytes).prefix(Self.hashLength))
  }

  private static let hashLength = 32

  /// The form in a file: the extent, a dash, and hexadecimal digits.
  package var text: String { "\(extent)-\(hash)" }

  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let extent = Int(parts[0]), extent > 0, parts[1].utf8.count == Self.hashLength,
      parts[1].utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
    else { return nil }
    (self.extent, hash) = (extent, String(parts[1]))
  }
}

/// The part of a file that is audio data.
private struct AudioData {
  private(set) var range: Range<Int>
  private var isOgg = false

  /// The limit of tags, blocks, boxes, chunks and pages that are skipped.
  private static let partLimit = 4_096

  init?(in file: any ReadableFile) {
    var start = 0
    for _ in 0..<8 {
      guard let size = Self.sizeOfID3(file.bytes(at: start, count: 10)), size < file.size - start else { break }
      start += size
    }
    range = start..<file.size
    let head = file.bytes(at: start, count: 12)
    if head.starts(with: "fLaC".utf8) {
      guard let frames = Self.frames(in: file, from: start + 4) else { return nil }
      start = frames
    } else if head.starts(with: "OggS".utf8) {
      guard let page = Self.firstPage(in: file, from: start) else { return nil }
      (start, isOgg) = (page, true)
    } else if let found = Self.samples(in: file, head, from: start) {
      range = found
      return
    } else if head.dropFirst(4).starts(with: "ftyp".utf8) {
      guard let found = Self.mediaData(in: file) else { return nil }
      range = found
      return
    } else if file.bytes(at: start, count: 16) == Self.headerObject {
      guard let found = Self.packets(in: file, from: start) else { return nil }
      range = found
      return
    }
    let end = isOgg ? file.size : Self.endOfAudio(in: file, from: start)
    guard start < end else { return nil }
    range = start..<end
  }

  /// Returns bytes of the audio data; of Ogg, the payloads of the pages, because their headers have numbers and checksums that
  /// change with the size of the tags.
  func block(at offset: Int, count: Int, of file: any ReadableFile) -> [UInt8] {
    guard isOgg else { return file.bytes(at: offset, count: min(count, range.upperBound - offset)) }
    // A page is at most 65,307 bytes long.
    let window = file.bytes(at: offset, count: count + 1 << 16)
    guard var page = Self.firstIndex(of: Array("OggS".utf8), in: window) else { return [] }
    var payload: [UInt8] = []
    while payload.count < count, let sizes = Self.sizes(ofPage: window[min(page, window.count)...]) {
      let begin = page + sizes.header
      payload += window[min(begin, window.count)..<min(begin + sizes.payload, window.count)]
      page = begin + sizes.payload
    }
    return Array(payload.prefix(count))
  }

  private static func firstIndex(of text: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= text.count else { return nil }
    return (0...bytes.count - text.count).first { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
  }

  private static func number(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  // MARK: Tags around the audio

  /// Returns the size of an ID3v2 tag with its header; nil if the bytes are none.
  ///
  /// <https://id3.org/id3v2.4.0-structure>
  private static func sizeOfID3(_ header: [UInt8]) -> Int? {
    guard header.count == 10, header.starts(with: "ID3".utf8), header[6...].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    let size = header[6...].reduce(0) { $0 << 7 | Int($1) }
    return size + (header[5] & 0x10 != 0 ? 20 : 10)
  }

  /// Returns the offset of the first tag at the end of a file: ID3v1, APE, Lyrics3 or ID3v2.4.
  private static func endOfAudio(in file: any ReadableFile, from start: Int) -> Int {
    var end = file.size
    for _ in 0..<8 {
      guard let size = sizeOfTag(file.bytes(at: end - 128, count: 128), end - start), size < end - start else { break }
      end -= size
    }
    return end
  }

  private static func sizeOfTag(_ tail: [UInt8], _ room: Int) -> Int? {
    guard tail.count == 128, room > 128 else { return nil }
    if tail.starts(with: "TAG".utf8) { return 128 }
    let ape = tail.suffix(32)
    if ape.starts(with: "APETAGEX".utf8) {
      let size = Int(number(ape.dropFirst(12).prefix(4).reversed()))
      let hasHeader = ape.dropFirst(23).first.map { $0 & 0x80 != 0 } ?? false
      return size >= 32 ? size + (hasHeader ? 32 : 0) : nil
    }
    let lyrics = tail.suffix(15)
    if lyrics.suffix(9).elementsEqual("LYRICS200".utf8) {
      return Int(String(decoding: lyrics.prefix(6), as: UTF8.self)).flatMap { $0 >= 0 ? $0 + 15 : nil }
    }
    let footer = tail.suffix(10)
    if footer.starts(with: "3DI".utf8) { return sizeOfID3(Array("ID3".utf8) + footer.dropFirst(3)) }
    return nil
  }

  // MARK: Containers

  /// Returns the offset of the frames of a FLAC file, after its metadata blocks.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc9639#section-8>
  private static func frames(in file: any ReadableFile, from start: Int) -> Int? {
    var offset = start
    for _ in 0..<partLimit {
      let header = file.bytes(at: offset, count: 4)
      guard header.count == 4 else { return nil }
      offset += 4 + Int(number(header[1...]))
      if header[0] & 0x80 != 0 { return offset }
    }
    return nil
  }

  /// Returns the offset of the first Ogg page after the pages of the headers, whose granule position is 0.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc3533#section-6>
  private static func firstPage(in file: any ReadableFile, from start: Int) -> Int? {
    var offset = start
    for _ in 0..<partLimit {
      let header = file.bytes(at: offset, count: 27 + 255)
      guard let sizes = sizes(ofPage: header[...]) else { return nil }
      let granule = number(header[6..<14].reversed())
      // No packet ends on a page with the largest number.
      if granule != 0, granule != .max { return offset }
      offset += sizes.header + sizes.payload
    }
    return nil
  }

  /// Returns the sizes of the header and of the payload of an Ogg page; nil if the bytes are not a page.
  private static func sizes(ofPage bytes: ArraySlice<UInt8>) -> (header: Int, payload: Int)? {
    guard bytes.count >= 27, bytes.starts(with: "OggS".utf8) else { return nil }
    let count = Int(bytes[bytes.startIndex + 26])
    let lacing = bytes.dropFirst(27).prefix(count)
    guard lacing.count == count else { return nil }
    return (27 + count, lacing.reduce(0) { $0 + Int($1) })
  }

  /// Returns the range of the samples of a WAV or AIFF file; nil for another one.
  private static func samples(in file: any ReadableFile, _ head: [UInt8], from start: Int) -> Range<Int>? {
    let form = head.dropFirst(8)
    let isWAV = (head.starts(with: "RIFF".utf8) || head.starts(with: "RF64".utf8)) && form.elementsEqual("WAVE".utf8)
    let isAIFF =
      head.starts(with: "FORM".utf8) && (form.elementsEqual("AIFF".utf8) || form.elementsEqual("AIFC".utf8))
    guard isWAV || isAIFF else { return nil }
    var offset = start + 12
    for _ in 0..<partLimit {
      let header = file.bytes(at: offset, count: 8)
      guard header.count == 8 else { return nil }
      // The size of a long file may be unknown, or too small for its field.
      let size = min(Int(number(isWAV ? Array(header[4...].reversed()) : Array(header[4...]))), file.size - offset - 8)
      if header.starts(with: (isWAV ? "data" : "SSND").utf8) { return size > 0 ? offset + 8..<offset + 8 + size : nil }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// Returns the content of the largest box `mdat` of an MP4 file.
  ///
  /// <https://www.iso.org/standard/83102.html>
  private static func mediaData(in file: any ReadableFile) -> Range<Int>? {
    var (offset, found) = (0, 0..<0)
    for _ in 0..<partLimit {
      let header = file.bytes(at: offset, count: 16)
      guard header.count >= 8 else { break }
      var (size, headerSize) = (number(header[..<4]), 8)
      if size == 1, header.count == 16 { (size, headerSize) = (number(header[8...]), 16) }
      if size == 0 { size = UInt64(file.size - offset) }
      guard let size = Int(exactly: size), size >= headerSize, size <= file.size - offset else { break }
      if header[4..<8].elementsEqual("mdat".utf8), size - headerSize > found.count {
        found = offset + headerSize..<offset + size
      }
      offset += size
    }
    return found.isEmpty ? nil : found
  }
  // GUIDs, whose first three numbers are little-endian.
  private static let objects: [UInt8] = [0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C]
  private static let headerObject = [0x30, 0x26, 0xB2, 0x75] + objects
  private static let dataObject = [0x36, 0x26, 0xB2, 0x75] + objects

  /// Returns the packets of an ASF file, such as WMA.
  ///
  /// <https://learn.microsoft.com/en-us/windows/win32/wmformat/overview-of-the-asf-format>
  private static func packets(in file: any ReadableFile, from start: Int) -> Range<Int>? {
    var offset = start
    for _ in 0..<partLimit {
      let header = file.bytes(at: offset, count: 24)
      guard header.count == 24 else { return nil }
      let size = min(Int(clamping: number(header[16...].reversed())), file.size - offset)
      if header.starts(with: dataObject) {
        // A file ID and the number of packets precede them. A live recording may have no size.
        let (first, end) = (offset + 50, size < 50 ? file.size : offset + size)
        return first < end ? first..<end : nil
      }
      guard size >= 24 else { return nil }
      offset += size
    }
    return nil
  }
}
