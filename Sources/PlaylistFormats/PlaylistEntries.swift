/// The entries of a playlist, in little more memory than their texts.
///
/// An entry as a value takes 300 bytes beside its texts, so a playlist of a million lines would take hundreds of
/// megabytes. The entries are read from the bytes one by one.
package struct PlaylistEntries: Hashable, Sendable, RandomAccessCollection {
  private var bytes: [UInt8] = []
  /// The offset of each entry in the bytes.
  private var starts: [UInt32] = []

  package init() {}

  /// The size in bytes.
  var size: Int { bytes.count + starts.count * MemoryLayout<UInt32>.stride }

  package var startIndex: Int { 0 }
  package var endIndex: Int { starts.count }

  package subscript(position: Int) -> PlaylistEntry {
    var reader = Reader(bytes: bytes, place: Int(starts[position]))
    return reader.entry()
  }

  mutating func append(_ entry: PlaylistEntry) {
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
    var writer = Writer(bytes: [])
    swap(&writer.bytes, &bytes)
    writer.add(entry)
    swap(&writer.bytes, &bytes)
  }
}

/// The kinds of locations; 0 is none.
private enum LocationKind {
  static let (uri, path, reference): (UInt8, UInt8, UInt8) = (1, 2, 3)
  /// The entry has nothing but its location.
  static let isPlain: UInt8 = 4
}

private struct Writer {
  var bytes: [UInt8]

  mutating func add(_ entry: PlaylistEntry) {
    let isPlain = entry == PlaylistEntry(entry.location)
    add(entry.location, flags: isPlain ? LocationKind.isPlain : 0)
    if isPlain { return }
    if let image = entry.image { add(image) } else { bytes.append(0) }
    for text in [
      entry.title, entry.artist, entry.album, entry.albumArtist, entry.genre, entry.date, entry.isrc, entry.userAgent,
      entry.referrer,
    ] {
      if let text { add(Array(text.utf8)) } else { bytes.append(0) }
    }
    add(entry.trackNumber.map { UInt64(bitPattern: Int64($0)) })
    for time in [entry.duration, entry.start, entry.end] {
      add(time.map { UInt64(bitPattern: $0.components.seconds) })
      if let time { add(number: UInt64(bitPattern: time.components.attoseconds)) }
    }
  }

  private mutating func add(_ location: PlaylistLocation, flags: UInt8 = 0) {
    let (kind, content): (UInt8, [UInt8]) =
      switch location {
      case .uri(let text): (LocationKind.uri, Array(text.utf8))
      case .path(let path): (LocationKind.path, path)
      case .reference(let text): (LocationKind.reference, Array(text.utf8))
      }
    bytes.append(kind | flags)
    add(content)
  }

  /// Adds the length and one, because 0 stands for no text, and the bytes.
  private mutating func add(_ content: [UInt8]) {
    add(number: UInt64(content.count) + 1)
    bytes += content
  }

  private mutating func add(_ number: UInt64?) {
    bytes.append(number == nil ? 0 : 1)
    if let number { add(number: number) }
  }

  /// Adds a number in groups of seven bits, the lowest first.
  private mutating func add(number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

private struct Reader {
  let bytes: [UInt8]
  var place: Int

  mutating func entry() -> PlaylistEntry {
    let flags = byte()
    var entry = PlaylistEntry(location(flags & ~LocationKind.isPlain) ?? .path([]))
    if flags & LocationKind.isPlain != 0 { return entry }
    entry.image = location(byte())
    (entry.title, entry.artist, entry.album) = (text(), text(), text())
    (entry.albumArtist, entry.genre, entry.date) = (text(), text(), text())
    (entry.isrc, entry.userAgent, entry.referrer) = (text(), text(), text())
    entry.trackNumber = optionalNumber().map { Int(truncatingIfNeeded: $0) }
    (entry.duration, entry.start, entry.end) = (time(), time(), time())
    return entry
  }

  private mutating func location(_ kind: UInt8) -> PlaylistLocation? {
    switch kind {
    case LocationKind.uri: text().map { .uri($0) }
    case LocationKind.path: content().map { .path(Array($0)) }
    case LocationKind.reference: text().map { .reference($0) }
    default: nil
    }
  }

  private mutating func text() -> String? { content().map { String(decoding: $0, as: UTF8.self) } }

  private mutating func content() -> ArraySlice<UInt8>? {
    let length = Int(truncatingIfNeeded: number())
    guard length > 0 else { return nil }
    let content = bytes[place...].prefix(length - 1)
    place = content.endIndex
    return content
  }

  private mutating func time() -> Duration? {
    guard let seconds = optionalNumber() else { return nil }
    return Duration(
      secondsComponent: Int64(bitPattern: seconds), attosecondsComponent: Int64(bitPattern: number()))
  }

  private mutating func optionalNumber() -> UInt64? { byte() == 0 ? nil : number() }

  private mutating func number() -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let next = byte()
      number |= UInt64(next & 0x7F) << shift
      guard next & 0x80 != 0 else { return number }
      shift += 7
    }
  }

  private mutating func byte() -> UInt8 {
    defer { place += 1 }
    return place < bytes.count ? bytes[place] : 0
  }
}
