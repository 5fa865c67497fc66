import Playback
import TextCoding

/// The content of the ID3v2 frames that GStreamer passes on without parsing: chapters, lyrics, a rating, a play count.
///
/// Parsing is pure and bounded for any input; invalid content is skipped.
///
/// <https://id3.org/id3v2.4.0-frames>, <https://id3.org/id3v2-chapters-1.0>
struct ID3Frames: Sendable {
  /// The maximum number of lines or syllables of lyrics that are read.
  private static let lineLimit = 20_000
  /// The maximum size of a text, in bytes.
  private static let textLimit = 1 << 20

  private let decoding: TextDecoding

  /// Creates an empty content; `decoding` applies to texts that are not in UTF-16.
  init(_ decoding: TextDecoding = TextDecoding()) { self.decoding = decoding }

  /// The lyrics; those with times are in the LRC format, and precede others.
  var lyrics: String? { timedLyrics ?? texts.lyrics }
  /// The lyrics of `SYLT`.
  private var timedLyrics: String?
  /// The lyrics of `USLT`, one for each language or description, and of `TXXX`.
  private var texts = LyricsChoice()
  /// 0…1.
  private(set) var rating: Double?
  private(set) var playCount: Int?
  private var found: [(id: [UInt8], chapter: Chapter)] = []
  /// The element IDs of the chapters in the tables of contents.
  private var listed: Set<[UInt8]> = []

  /// The chapters in the order of the tag; if there is a table of contents, only the chapters in it.
  var chapters: [Chapter] {
    (listed.isEmpty ? found : found.filter { listed.contains($0.id) }).map(\.chapter)
  }

  /// Reads one frame, including its header, of a tag of version 3 or 4.
  mutating func take(_ bytes: [UInt8], version: Int) {
    var reader = ID3Reader(bytes[...], version: version, decoding)
    guard let frame = reader.frame() else { return }
    var body = ID3Reader(frame.body[...], version: version, decoding)
    switch frame.id {
    case "USLT":
      guard let encoding = body.byte(), body.bytes(3) != nil, body.text(encoding) != nil,
        let text = body.text(encoding, limit: Self.textLimit)
      else { return }
      texts.add(text)
    case "TXXX":
      guard let encoding = body.byte(), let name = body.text(encoding), LyricsChoice.isKey(name),
        let text = body.text(encoding, limit: Self.textLimit)
      else { return }
      texts.add(text)
    case "SYLT": if timedLyrics == nil { timedLyrics = Self.timedLyrics(&body) }
    case "POPM":
      guard body.terminated() != nil, let byte = body.byte() else { return }
      if rating == nil, byte > 0 { rating = Self.rating(byte) }
      if let count = body.count(), count > 0 { playCount = playCount ?? count }
    case "PCNT": if let count = body.count(), count > 0 { playCount = count }
    case "CHAP": if found.count < Chapter.readLimit { chapter(&body) }
    case "CTOC":
      // The count has one byte, so FFmpeg writes a wrong one for more than 255 chapters. No chapter has the text of a frame
      // that follows the list as its ID.
      guard body.terminated() != nil, body.bytes(2) != nil else { return }
      while listed.count < Chapter.readLimit, let id = body.terminated() { listed.insert(id) }
    default: break
    }
  }

  private mutating func chapter(_ body: inout ID3Reader) {
    guard let id = body.terminated(), let start = body.number(4), let end = body.number(4), body.bytes(8) != nil,
      start != UInt32.max
    else { return }
    var title: String?
    while title == nil, let frame = body.frame() {
      guard frame.id == "TIT2" else { continue }
      var text = ID3Reader(frame.body[...], version: body.version, decoding)
      title = text.byte().flatMap { text.text($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let duration = end > start && end != UInt32.max ? Duration.milliseconds(Int64(end - start)) : nil
    found.append((id, Chapter(start: .milliseconds(Int64(start)), duration: duration, title: title)))
  }

  /// Reads lyrics with times in milliseconds; returns them in the LRC format, a line for each line of the frame.
  ///
  /// A text is a line or a syllable. If there are syllables, the first one of a line begins with a newline.
  private static func timedLyrics(_ body: inout ID3Reader) -> String? {
    guard let encoding = body.byte(), body.bytes(3) != nil, let format = body.byte(), let kind = body.byte(),
      format == 2, kind == 1 || kind == 2, body.text(encoding) != nil
    else { return nil }
    var parts: [(text: String, time: UInt32)] = []
    var size = 0
    while parts.count < lineLimit, size < textLimit, let text = body.text(encoding), let time = body.number(4) {
      parts.append((text, time))
      size += text.utf8.count
    }
    let hasSyllables = parts.dropFirst().contains { $0.text.first?.isNewline == true }
    var result = ""
    for (index, part) in parts.enumerated() {
      let text = part.text.filter { !$0.isNewline }
      if !hasSyllables || index == 0 || part.text.first?.isNewline == true {
        result += (result.isEmpty ? "" : "\n") + "[\(stamp(part.time))]"
      }
      result += text
    }
    return result.isEmpty ? nil : result
  }

  /// Returns a time in milliseconds as `mm:ss.xxx`.
  private static func stamp(_ milliseconds: UInt32) -> String {
    func padded(_ number: UInt32, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return padded(milliseconds / 60_000, 2) + ":" + padded(milliseconds / 1000 % 60, 2) + "."
      + padded(milliseconds % 1000, 3)
  }

  /// Returns the rating for the number of stars: players write 1, 64, 128, 196 and 255 for one to five stars.
  private static func rating(_ byte: UInt8) -> Double { Double((Int(byte) + 32) / 64 + 1) / 5 }
}

/// Reads the fields of a frame in order; each method returns nil if there are too few bytes.
struct ID3Reader {
  let version: Int
  private let decoding: TextDecoding
  private var rest: ArraySlice<UInt8>

  /// Creates a reader; `decoding` applies to texts that are not in UTF-16.
  init(_ bytes: ArraySlice<UInt8>, version: Int, _ decoding: TextDecoding) {
    rest = bytes
    self.version = version
    self.decoding = decoding
  }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Reads a big-endian number of at most four bytes.
  mutating func number(_ count: Int) -> UInt32? { bytes(count).map { $0.reduce(0) { $0 << 8 | UInt32($1) } } }

  /// Reads all remaining bytes as a number; returns nil if there are none, or if the number does not fit.
  mutating func count() -> Int? {
    guard !rest.isEmpty, rest.dropLast(4).allSatisfy({ $0 == 0 }) else { return nil }
    let value = rest.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    return value <= UInt32(Int32.max) ? Int(value) : nil
  }

  /// Reads the bytes up to the next zero byte.
  mutating func terminated() -> [UInt8]? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return Array(rest[..<end])
  }

  /// Reads a text up to its terminator or the end of the frame.
  mutating func text(_ encoding: UInt8, limit: Int = 1 << 16) -> String? {
    guard encoding <= 3 else { return nil }
    let width = encoding == 1 || encoding == 2 ? 2 : 1
    let end = stride(from: rest.startIndex, through: rest.endIndex - width, by: width).first {
      rest[$0] == 0 && rest[$0 + width - 1] == 0
    }
    let text = rest[..<(end ?? rest.endIndex)]
    rest = end.map { rest[($0 + width)...] } ?? rest.suffix(0)
    switch encoding {
    // Many programs write their own code page as Latin-1.
    case 0, 3: return decoding.decode(text.prefix(limit))
    default:
      // Encoding 2, and a text of encoding 1 without its mark, has the higher byte first.
      let marked = encoding == 1 ? UTF16Bytes.decodeMarked(text.prefix(limit)) : nil
      return marked ?? UTF16Bytes.decode(text.prefix(limit), isLittleEndian: false)
    }
  }

  /// Reads the next frame; returns nil at the end, and for a compressed or encrypted frame.
  mutating func frame() -> (id: String, body: [UInt8])? {
    guard let id = bytes(4), id.first != 0, let size = number(4), let flags = number(2) else { return nil }
    var length = Int(size)
    if version >= 4 {
      // Seven bits of each byte.
      guard size & 0x8080_8080 == 0 else { return nil }
      length = (0..<4).reduce(0) { $0 | Int(size >> (8 * $1) & 0x7F) << (7 * $1) }
    }
    guard var body = bytes(min(length, rest.count)) else { return nil }
    let name = String(decoding: id, as: UTF8.self)
    if version >= 4 {
      guard flags & 0x0C == 0 else { return nil }
      if flags & 0x40 != 0 { body = body.dropFirst() }
      if flags & 0x01 != 0 { body = body.dropFirst(4) }
      return (name, flags & 0x02 != 0 ? Self.synchronized(body) : Array(body))
    }
    guard flags & 0xC0 == 0 else { return nil }
    return (name, Array(flags & 0x20 != 0 ? body.dropFirst() : body))
  }

  /// Reverses the unsynchronisation: removes the zero after each 0xFF, which keeps tags from looking like audio.
  private static func synchronized(_ body: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isGuarded = false
    for byte in body {
      if !isGuarded || byte != 0 { result.append(byte) }
      isGuarded = byte == 0xFF
    }
    return result
  }
}
