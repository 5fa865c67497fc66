import Playback

/// What the frames of an ID3v2 tag say that GStreamer hands on as they are: chapters, lyrics, a rating, a count of plays.
///
/// Pure and bounded: whatever the bytes are, what makes no sense is left out.
///
/// <https://id3.org/id3v2.4.0-frames>, <https://id3.org/id3v2-chapters-1.0>
struct ID3Frames: Equatable, Sendable {
  /// More chapters than this are not read.
  private static let chapterLimit = 10_000
  /// The most bytes of a text.
  private static let textLimit = 1 << 20

  private(set) var lyrics: String?
  /// 0…1.
  private(set) var rating: Double?
  private(set) var playCount: Int?
  private var found: [(id: [UInt8], chapter: Chapter)] = []
  /// The chapters that tables of contents name.
  private var listed: Set<[UInt8]> = []

  /// The chapters as they stand in the tag; where there is a table of contents, those that it shows.
  var chapters: [Chapter] {
    (listed.isEmpty ? found : found.filter { listed.contains($0.id) }).map(\.chapter)
  }

  static func == (left: ID3Frames, right: ID3Frames) -> Bool {
    left.lyrics == right.lyrics && left.rating == right.rating && left.playCount == right.playCount
      && left.chapters == right.chapters
  }

  /// Takes a frame with its header, of a tag of version 3 or 4.
  mutating func take(_ bytes: [UInt8], version: Int) {
    var reader = ID3Reader(bytes[...], version: version)
    guard let frame = reader.frame() else { return }
    var body = ID3Reader(frame.body[...], version: version)
    switch frame.id {
    case "USLT":
      guard lyrics == nil, let encoding = body.byte(), body.bytes(3) != nil, body.text(encoding) != nil,
        let text = body.text(encoding, limit: Self.textLimit), !text.isEmpty
      else { return }
      lyrics = text
    case "POPM":
      guard body.terminated() != nil, let byte = body.byte() else { return }
      if rating == nil, byte > 0 { rating = Self.rating(byte) }
      if let count = body.count(), count > 0 { playCount = playCount ?? count }
    case "PCNT": if let count = body.count(), count > 0 { playCount = count }
    case "CHAP": if found.count < Self.chapterLimit { chapter(&body) }
    case "CTOC":
      guard body.terminated() != nil, body.byte() != nil, let count = body.byte() else { return }
      for _ in 0..<count {
        guard let id = body.terminated(), listed.count < Self.chapterLimit else { return }
        listed.insert(id)
      }
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
      var text = ID3Reader(frame.body[...], version: body.version)
      title = text.byte().flatMap { text.text($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let duration = end > start && end != UInt32.max ? Duration.milliseconds(Int64(end - start)) : nil
    found.append((id, Chapter(start: .milliseconds(Int64(start)), duration: duration, title: title)))
  }

  /// The stars that are meant: players write 1, 64, 128, 196 and 255 for one to five.
  private static func rating(_ byte: UInt8) -> Double {
    switch byte {
    case ..<32: 0.2
    case ..<96: 0.4
    case ..<160: 0.6
    case ..<224: 0.8
    default: 1
    }
  }
}

/// Reads the parts of a frame in their order; nil where there is not enough.
private struct ID3Reader {
  let version: Int
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>, version: Int) {
    rest = bytes
    self.version = version
  }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// A number of four bytes at the most, the highest first.
  mutating func number(_ count: Int) -> UInt32? { bytes(count).map { $0.reduce(0) { $0 << 8 | UInt32($1) } } }

  /// All that is left, as a number; nil for none, and for what is beyond all counting.
  mutating func count() -> Int? {
    guard !rest.isEmpty, rest.dropLast(4).allSatisfy({ $0 == 0 }) else { return nil }
    let value = rest.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    return value <= UInt32(Int32.max) ? Int(value) : nil
  }

  /// What stands before the next zero byte.
  mutating func terminated() -> [UInt8]? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return Array(rest[..<end])
  }

  /// A text up to its end or that of the frame.
  mutating func text(_ encoding: UInt8, limit: Int = 1 << 16) -> String? {
    let isWide = encoding == 1 || encoding == 2
    guard encoding <= 3 else { return nil }
    let text: ArraySlice<UInt8>
    if isWide {
      let end = stride(from: rest.startIndex, to: rest.endIndex - 1, by: 2).first { rest[$0] == 0 && rest[$0 + 1] == 0 }
      text = rest[..<(end ?? rest.endIndex)]
      rest = end.map { rest[($0 + 2)...] } ?? rest.suffix(0)
    } else {
      let end = rest.firstIndex(of: 0)
      text = rest[..<(end ?? rest.endIndex)]
      rest = end.map { rest[($0 + 1)...] } ?? rest.suffix(0)
    }
    switch encoding {
    case 0: return String(String.UnicodeScalarView(text.prefix(limit).map { Unicode.Scalar($0) }))
    case 3: return String(decoding: text.prefix(limit), as: UTF8.self)
    default: return Self.wide(text.prefix(limit), isMarked: encoding == 1)
    }
  }

  /// UTF-16, the higher byte first unless a mark at its beginning says otherwise.
  private static func wide(_ bytes: ArraySlice<UInt8>, isMarked: Bool) -> String {
    var isLittle = false
    var rest = bytes
    if isMarked, rest.starts(with: [0xFF, 0xFE]) || rest.starts(with: [0xFE, 0xFF]) {
      isLittle = rest.first == 0xFF
      rest = rest.dropFirst(2)
    }
    let units = stride(from: rest.startIndex, to: rest.endIndex - 1, by: 2).map { place in
      let (first, second) = (UInt16(rest[place]), UInt16(rest[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The next frame; nil at the end, and for one that is compressed or encrypted.
  mutating func frame() -> (id: String, body: [UInt8])? {
    guard let id = bytes(4), id.first != 0, let size = number(4), let flags = number(2) else { return nil }
    var length = Int(size)
    if version >= 4 {
      guard size & 0x8080_8080 == 0 else { return nil }
      length = Int(size & 0x7F | (size & 0x7F00) >> 1 | (size & 0x7F_0000) >> 2 | (size & 0x7F00_0000) >> 3)
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

  /// Without the zero after each 0xFF, which keeps tags from looking like sound.
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
