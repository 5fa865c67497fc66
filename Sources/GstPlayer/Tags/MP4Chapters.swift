import Playback
import TextCoding

/// Reads the chapters of MP4 files such as audio books, from the text track that the audio track refers to, else from
/// Nero's list.
///
/// Reading is pure and bounded for any file; invalid content is skipped.
///
/// <https://developer.apple.com/documentation/quicktime-file-format>
struct MP4Chapters {
  /// The maximum size of one table, in bytes.
  private static let tableLimit = 4 << 20
  private static let titleLimit = 2 << 10

  /// The range in the file of an atom's content.
  private typealias ByteRange = Range<Int>

  /// Returns `count` bytes of the file from an offset, or fewer at its end.
  private let bytes: (_ offset: Int, _ count: Int) -> [UInt8]

  /// Returns the chapters of a file; empty if it does not have chapters or is not an MP4 file.
  static func read(_ bytes: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) -> [Chapter] {
    let head = bytes(0, 8)
    guard head.count == 8, Array(head[4...]) == Array("ftyp".utf8) else { return [] }
    let file = MP4Chapters(bytes: bytes)
    guard let movie = file.atoms(in: 0..<Int.max)["moov"]?.first else { return [] }
    let parts = file.atoms(in: movie)
    let tracks = (parts["trak"] ?? []).map { file.atoms(in: $0) }
    let chapters = file.textTrack(of: tracks).map { file.chapters(in: $0) } ?? []
    return chapters.isEmpty ? file.list(in: parts["udta"]?.first) : chapters
  }

  // MARK: Atoms

  /// Returns the atoms directly inside a range, by name; at most 1000, so that a malicious file cannot cost much time.
  private func atoms(in range: ByteRange) -> [String: [ByteRange]] {
    var atoms: [String: [ByteRange]] = [:]
    var offset = range.lowerBound
    for _ in 0..<1000 where offset < range.upperBound - 8 {
      let head = bytes(offset, 16)
      guard head.count >= 8 else { break }
      var (size, start) = (Self.number(head[..<4]), offset + 8)
      if size == 1 {
        guard head.count == 16, head[8] < 0x40 else { break }
        (size, start) = (Self.number(head[8...]), offset + 16)
      }
      let (end, overflow) = offset.addingReportingOverflow(size == 0 ? range.upperBound - offset : size)
      guard !overflow, end >= start, end <= range.upperBound else { break }
      atoms[String(decoding: head[4..<8], as: UTF8.self), default: []].append(start..<end)
      offset = end
    }
    return atoms
  }

  private func atom(_ path: String..., in range: ByteRange?) -> ByteRange? {
    path.reduce(range) { range, name in range.flatMap { atoms(in: $0)[name]?.first } }
  }

  private func table(_ range: ByteRange?) -> [UInt8] {
    range.map { bytes($0.lowerBound, min($0.count, Self.tableLimit)) } ?? []
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(clamping: bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Returns the entries of a table: numbers of `width` bytes, from an offset.
  private func entries(_ range: ByteRange?, from offset: Int = 8, width: Int = 4) -> [Int] {
    let table = table(range)
    return stride(from: offset, through: table.count - width, by: width).map { Self.number(table[$0..<$0 + width]) }
  }

  // MARK: Text track

  private func textTrack(of tracks: [[String: [ByteRange]]]) -> [String: [ByteRange]]? {
    let references = tracks.lazy.compactMap { self.atom("chap", in: $0["tref"]?.first) }
    guard let wanted = entries(references.first, from: 0).first else { return nil }
    return tracks.first { track in
      let head = table(track["tkhd"]?.first)
      guard let version = head.first else { return false }
      let offset = version == 1 ? 20 : 12
      return head.count >= offset + 4 && Self.number(head[offset..<offset + 4]) == wanted
    }
  }

  private func chapters(in track: [String: [ByteRange]]) -> [Chapter] {
    let media = track["mdia"]?.first
    let head = table(atom("mdhd", in: media))
    guard let version = head.first, head.count >= (version == 1 ? 24 : 16) else { return [] }
    let scale = Self.number(version == 1 ? head[20..<24] : head[12..<16])
    let tables = atom("minf", "stbl", in: media).map { atoms(in: $0) } ?? [:]
    guard scale > 0 else { return [] }
    let ranges = samples(tables)
    var chapters: [Chapter] = []
    var time = 0
    let times = entries(tables["stts"]?.first)
    for run in stride(from: 0, to: times.count - 1, by: 2) {
      for _ in 0..<min(times[run], Chapter.readLimit) where chapters.count < ranges.count {
        let (end, overflow) = time.addingReportingOverflow(times[run + 1])
        guard !overflow else { return chapters }
        chapters.append(
          Chapter(
            start: Self.duration(time, scale), duration: Self.duration(end, scale) - Self.duration(time, scale),
            title: text(at: ranges[chapters.count])))
        time = end
      }
    }
    return chapters
  }

  private static func duration(_ time: Int, _ scale: Int) -> Duration {
    .seconds(time / scale) + .nanoseconds(Int64(time % scale) * 1_000_000_000 / Int64(scale))
  }

  /// Returns the ranges of a track's samples in the file.
  private func samples(_ tables: [String: [ByteRange]]) -> [ByteRange] {
    // The common size or 0, the number of samples, and their sizes.
    let head = entries(tables["stsz"]?.first, from: 4)
    guard head.count >= 2 else { return [] }
    let sizes = head[0] > 0 ? Array(repeating: head[0], count: min(head[1], Chapter.readLimit)) : Array(head[2...])
    let wide = entries(tables["co64"]?.first, width: 8)
    let chunks = wide.isEmpty ? entries(tables["stco"]?.first) : wide
    let runs = entries(tables["stsc"]?.first)
    var ranges: [ByteRange] = []
    var run = 0
    for (index, chunk) in chunks.enumerated() where ranges.count < min(sizes.count, Chapter.readLimit) {
      while run + 3 < runs.count, runs[run + 3] <= index + 1 { run += 3 }
      guard run + 1 < runs.count else { break }
      var offset = chunk
      for _ in 0..<min(runs[run + 1], Chapter.readLimit) where ranges.count < min(sizes.count, Chapter.readLimit) {
        let (end, overflow) = offset.addingReportingOverflow(sizes[ranges.count])
        guard !overflow else { return ranges }
        ranges.append(offset..<end)
        offset = end
      }
    }
    return ranges
  }

  /// Reads a text sample: a length of two bytes and the text, in UTF-16 if it starts with a byte order mark, else in
  /// UTF-8.
  private func text(at range: ByteRange) -> String? {
    let sample = bytes(range.lowerBound, min(range.count, Self.titleLimit))
    guard sample.count > 2 else { return nil }
    let text = sample.dropFirst(2).prefix(Self.number(sample[..<2]))
    let title = UTF16Bytes.decodeMarked(text) ?? String(decoding: text, as: UTF8.self)
    return title.isEmpty ? nil : title
  }

  // MARK: Nero's list

  /// Reads the list: a count, and for each chapter its start in units of 100 ns, the length of its title and the title.
  ///
  /// The count has one byte in version 0. In version 1 it has four, after a reserved one, as mp4v2 writes it; FFmpeg uses the
  /// last of them alone.
  private func list(in userData: ByteRange?) -> [Chapter] {
    let table = table(atom("chpl", in: userData))
    guard let version = table.first else { return [] }
    let (offset, width) = version == 0 ? (4, 1) : (5, 4)
    guard table.count >= offset + width else { return [] }
    let count = min(Self.number(table[offset..<offset + width]), Chapter.readLimit)
    var rest = table.dropFirst(offset + width)
    var chapters: [Chapter] = []
    for _ in 0..<count {
      // A start of 200 years or more is invalid, and its nanoseconds do not fit 64 bits.
      guard rest.count >= 9, rest[rest.startIndex] == 0 else { break }
      let time = Self.number(rest.prefix(8))
      let length = Int(rest[rest.startIndex + 8])
      let title = String(decoding: rest.dropFirst(9).prefix(length), as: UTF8.self)
      chapters.append(Chapter(start: .nanoseconds(Int64(time) * 100), title: title.isEmpty ? nil : title))
      rest = rest.dropFirst(9 + length)
    }
    return chapters
  }
}
