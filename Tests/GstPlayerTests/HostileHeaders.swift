@testable import GstPlayer

/// Headers that no program writes, near the limits at which they are refused.
enum HostileHeaders {
  /// Headers, the syntax that checks them, and a part of the reason for which they are refused; nil if they are read.
  struct Sample: Sendable, CustomStringConvertible {
    let description: String
    let bytes: [UInt8]
    let syntax: any HeaderSyntax
    let reason: String?

    init(_ description: String, _ syntax: any HeaderSyntax, _ bytes: [UInt8], _ reason: String? = nil) {
      (self.description, self.bytes, self.syntax, self.reason) = (description, bytes, syntax, reason)
    }
  }

  static let all = mp4 + matroska + id3 + flac + chunks + others

  // MARK: Bytes

  static func big(_ value: Int, _ width: Int = 4) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
  }

  static func little(_ value: Int, _ width: Int = 4) -> [UInt8] { big(value, width).reversed() }

  static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  static func join(_ parts: [UInt8]...) -> [UInt8] { parts.reduce(into: []) { $0 += $1 } }

  /// Returns nested objects; the head of each names the size of the object with its content.
  static func nested(_ depth: Int, _ width: Int, _ head: (Int) -> [UInt8]) -> [UInt8] {
    (0..<depth).reduce(into: []) { $0 += head((depth - $1) * width) }
  }

  static func repeated(_ count: Int, _ object: [UInt8]) -> [UInt8] {
    (0..<count).reduce(into: []) { bytes, _ in bytes += object }
  }

  // MARK: MP4

  static func box(_ name: String, _ content: [UInt8] = []) -> [UInt8] {
    join(big(8 + content.count), Array(name.utf8), content)
  }

  /// Returns boxes inside each other, with a number of bytes before each inner box.
  static func boxes(_ name: String, _ depth: Int, fields: Int = 0) -> [UInt8] {
    nested(depth, 8 + fields) { join(big($0), Array(name.utf8), zeros(fields)) }
  }

  private static let mp4 = [
    Sample("64 nested boxes", MP4Header(), boxes("moov", 64)),
    Sample("65 nested boxes", MP4Header(), boxes("moov", 65), "64 nested boxes"),
    Sample("boxes behind media", MP4Header(), join(box("mdat", [1, 2, 3]), boxes("moov", 65)), "nested boxes"),
    Sample("nested metadata", MP4Header(), box("moov", boxes("meta", 65, fields: 4)), "nested boxes"),
    Sample("nested audio formats", MP4Header(), box("moov", boxes("mp4a", 65, fields: 28)), "nested boxes"),
    Sample("nested video formats", MP4Header(), box("moov", boxes("avc1", 65, fields: 78)), "nested boxes"),
    Sample("nested lists of formats", MP4Header(), box("moov", boxes("stsd", 65, fields: 8)), "nested boxes"),
    Sample("a nested fragment", MP4Header(), join(box("moov"), boxes("moof", 65)), "nested boxes"),
    Sample("many boxes", MP4Header(), box("moov", repeated(10_000, box("free"))), "10000 boxes"),
    Sample("a table like boxes", MP4Header(), box("moov", box("stsz", boxes("abcd", 100)))),
    Sample("the start of a large box", MP4Header(), join(big(100 << 20), Array("moov".utf8)), "64 MiB"),
    Sample("many frames in a box", MP4Header(), box("moov", box("ID32", join(zeros(6), frames(10_001)))), "ID3 frames"),
  ]

  // MARK: Matroska

  /// Returns an element with an ID of a width and a size of eight bytes.
  static func element(_ id: Int, _ width: Int, _ content: [UInt8] = []) -> [UInt8] {
    join(big(id, width), [1], big(content.count, 7), content)
  }

  static func elements(_ id: Int, _ width: Int, _ depth: Int) -> [UInt8] {
    nested(depth, width + 8) { join(big(id, width), [1], big($0 - width - 8, 7)) }
  }

  /// The start of a file whose segment has an unknown size, as in a stream.
  static let segment = join(element(0x1A45_DFA3, 4), big(0x1853_8067), [1], Array(repeating: 0xFF, count: 7))

  /// Returns a file with many tracks of 16-bit samples, without a sample.
  static func tracks(_ count: Int) -> [UInt8] {
    let audio = element(0xE1, 1, join(element(0x9F, 1, [1]), element(0x6264, 2, [16])))
    let format = join(element(0x83, 1, [2]), element(0x86, 1, Array("A_PCM/INT/LIT".utf8)), audio)
    let entries = (1...count).map { number in
      element(0xAE, 1, join(element(0xD7, 1, big(number)), element(0x73C5, 2, big(number)), format))
    }
    return join(
      segment, element(0x1654_AE6B, 4, Array(entries.joined())), element(0x1F43_B675, 4, element(0xE7, 1, [0])))
  }

  private static func chapters(_ content: [UInt8]) -> [UInt8] { join(segment, element(0x1043_A770, 4, content)) }

  private static let matroska = [
    Sample("60 nested chapters", MatroskaHeader(), chapters(element(0x45B9, 2, elements(0xB6, 1, 60)))),
    Sample("65 nested chapters", MatroskaHeader(), chapters(elements(0xB6, 1, 65)), "nested chapters"),
    Sample(
      "nested tags behind media", MatroskaHeader(),
      join(segment, element(0x1F43_B675, 4, [1, 2, 3]), element(0x1254_C367, 4, elements(0x67C8, 2, 65))),
      "nested chapters or tags"),
    Sample("10 000 chapters", MatroskaHeader(), chapters(repeated(10_000, [0xB6, 0x80]))),
    Sample("10 001 chapters", MatroskaHeader(), chapters(repeated(10_001, [0xB6, 0x80])), "10000 chapters"),
    Sample(
      "many elements of chapters", MatroskaHeader(), chapters(repeated(160_001, [0x80, 0x80])), "160000 elements"),
  ]

  // MARK: ID3

  static func tag(_ content: [UInt8], version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
    join(Array("ID3".utf8), [version, 0, flags], ID3.size(content.count, 4), content)
  }

  /// Returns a tag with many frames.
  static func frames(_ count: Int) -> [UInt8] { tag(repeated(count, ID3.frame("PRIV", [1], 4))) }

  /// A frame that does not count a zero after 0xFF, so that its end looks like the end of the tag.
  private static let protected = join(Array("ABCD".utf8), big(2), zeros(2), [0xFF, 0, 0xFF, 0])

  private static let id3 = [
    Sample("many ID3 frames", ID3Header(), frames(10_000)),
    Sample("too many ID3 frames", ID3Header(), frames(10_001), "10000 ID3 frames"),
    Sample("a tag before MP3 frames", ID3Header(), join(frames(10), Array(repeating: 0xFF, count: 200))),
    Sample("a long text", ID3Header(), tag(ID3.frame("TPE1", zeros(65_537), 4)), "ID3 text"),
    Sample("a long comment", ID3Header(), tag(ID3.frame("TXXX", zeros(65_537), 4))),
    Sample(
      "protected frames", ID3Header(),
      tag(join(protected, repeated(10_001, ID3.frame("PRIV", [1], 3))), version: 3, flags: 0x80), "ID3 frames"),
    Sample("a frame that grows", ID3Header(), tag(ID3.frame("TIT2", [8, 0, 0, 1, 0], 4, flags: 9)), "compressed"),
    Sample("a large tag", ID3Header(), join(Array("ID3".utf8), [4, 0, 0, 0x7F], zeros(7)), "64 MiB"),
  ]

  // MARK: FLAC, WAV and AIFF

  static func block(_ type: UInt8, _ content: [UInt8]) -> [UInt8] { join([type], big(content.count, 3), content) }

  static let magic = Array("fLaC".utf8)
  private static let comments = block(4, join(little(1), [0x78], little(65_537)))

  private static let flac = [
    Sample("FLAC", FLACHeader(), join(magic, block(0, zeros(34)), block(4, join(little(0), little(1), little(0))))),
    Sample("many comments", FLACHeader(), join(magic, block(0, zeros(34)), comments), "65536 comments"),
    Sample("many blocks", FLACHeader(), join(magic, repeated(10_001, block(1, []))), "metadata blocks"),
    Sample("frames like blocks", FLACHeader(), join(magic, [0xFF, 0xF8, 0, 0], comments)),
    Sample("no FLAC", FLACHeader(), comments),
  ]

  static func chunk(_ name: String, _ content: [UInt8], isLittleEndian: Bool) -> [UInt8] {
    join(
      Array(name.utf8), isLittleEndian ? little(content.count) : big(content.count), content, zeros(content.count % 2))
  }

  static func wav(_ chunk: [UInt8]) -> [UInt8] {
    self.chunk(
      "RIFF", join(Array("WAVE".utf8), self.chunk("odd ", [1], isLittleEndian: true), chunk), isLittleEndian: true)
  }

  static func aiff(_ chunk: [UInt8]) -> [UInt8] {
    self.chunk("FORM", join(Array("AIFF".utf8), chunk), isLittleEndian: false)
  }

  private static func labels(_ count: Int) -> [UInt8] {
    let label = chunk("labl", little(1) + [0x61, 0], isLittleEndian: true)
    return chunk("LIST", Array("adtl".utf8) + repeated(count, label), isLittleEndian: true)
  }

  private static let chunks = [
    Sample(
      "cue points", ChunkHeader(isLittleEndian: true), wav(chunk("cue ", little(10_000), isLittleEndian: true))),
    Sample(
      "many cue points", ChunkHeader(isLittleEndian: true), wav(chunk("cue ", little(10_001), isLittleEndian: true)),
      "10000 cue points"),
    Sample("labels", ChunkHeader(isLittleEndian: true), wav(labels(20_000))),
    Sample("many labels", ChunkHeader(isLittleEndian: true), wav(labels(20_001)), "20000 labels"),
    Sample(
      "many frames in AIFF", ChunkHeader(isLittleEndian: false),
      aiff(chunk("ID3 ", frames(10_001), isLittleEndian: false)), "ID3 frames"),
  ]

  // MARK: ASF, FLV and MXF

  private static let asfHeader: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C,
  ]

  static func asf(_ depth: Int) -> [UInt8] { nested(depth, 30) { join(asfHeader, little($0, 8), zeros(6)) } }

  /// Returns a file with a script tag of nested objects.
  static func script(_ depth: Int, _ kind: [UInt8] = [3]) -> [UInt8] {
    let objects = join([2], big(1, 2), [0x78], kind, repeated(depth - 1, join([0, 1, 0x61], kind)))
    let tag = join([18], big(objects.count, 3), zeros(7), objects, zeros(4))
    return join(Array("FLV".utf8), [1, 4], big(9), zeros(4), tag)
  }

  static func sets(_ count: Int) -> [UInt8] {
    let key: [UInt8] = [6, 0xE, 0x2B, 0x34, 2, 0x53, 1, 1, 0xD, 1, 1, 1, 1, 1, 0x44, 0]
    return join(zeros(50), repeated(count, join(key, [0x83], big(2, 3), zeros(2))))
  }

  private static let others = [
    Sample("64 nested ASF objects", ASFHeader(), asf(64)),
    Sample("65 nested ASF objects", ASFHeader(), asf(65), "nested ASF objects"),
    Sample("another ASF header", ASFHeader(), join(asf(1), zeros(99), asf(65)), "nested ASF objects"),
    Sample("64 nested script objects", FLVHeader(), script(64)),
    Sample("65 nested script objects", FLVHeader(), script(65), "nested script objects"),
    Sample("nested script lists", FLVHeader(), script(65, [8, 0, 0, 0, 1]), "nested script objects"),
    Sample("10 000 sets", MXFHeader(), sets(10_000)),
    Sample("10 001 sets", MXFHeader(), sets(10_001), "10000 sets of metadata"),
  ]
}
