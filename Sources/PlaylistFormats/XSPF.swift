internal import CExpat
import TextCoding

/// XSPF, parsed by expat.
///
/// Parsing stops at an entity declaration, whatever its expansion would be. External resources are never opened.
///
/// <https://xspf.org/spec>
enum XSPF {
  /// The limit of nested elements.
  fileprivate static let depthLimit = 64
  /// The limit of one element's text in bytes.
  fileprivate static let textLimit = 1 << 16

  static func read(_ bytes: [UInt8]) -> Playlist {
    guard let parser = unsafe XML_ParserCreate(nil) else { return Playlist() }
    defer { unsafe XML_ParserFree(parser) }
    let reader = unsafe XSPFReader(parser)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let reader = unsafe XSPFReader.borrow(data), let name = unsafe name else { return }
        unsafe reader.begin(String(cString: name), base: XSPFReader.base(in: attributes))
      },
      { data, _ in unsafe XSPFReader.borrow(data)?.end() })
    unsafe XML_SetCharacterDataHandler(parser) { data, text, count in
      guard let reader = unsafe XSPFReader.borrow(data), let text = unsafe text, count > 0 else { return }
      unsafe reader.add(UnsafeRawBufferPointer(start: text, count: Int(count)))
    }
    unsafe XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
      unsafe XSPFReader.borrow(data)?.stop("entity declarations are not supported")
    }
    let status = withExtendedLifetime(reader) {
      unsafe bytes.withUnsafeBytes { unsafe XML_Parse(parser, $0.baseAddress, CInt(clamping: $0.count), 1) }
    }
    if status != XML_STATUS_OK, !reader.isStopped {
      let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
      reader.playlist.warn("not well-formed XML (\(reason ?? "unknown reason"))", line: reader.line)
    }
    return reader.playlist
  }
}

/// The state of the parser; used only during parsing, on the parsing thread.
@safe
private final class XSPFReader {
  private let parser: XML_Parser
  var playlist = Playlist()
  /// The names of the open elements, without their namespaces.
  private var path: [String] = []
  /// The base of the references in each open element; nil for the file's base.
  private var bases: [String?] = []
  private var text: [UInt8] = []
  private var entry: PlaylistEntry?
  private var entryLine = 0
  private(set) var isStopped = false

  init(_ parser: XML_Parser) { unsafe self.parser = parser }

  static func borrow(_ data: UnsafeMutableRawPointer?) -> XSPFReader? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<XSPFReader>.fromOpaque(data).takeUnretainedValue()
  }

  var line: Int { unsafe Int(clamping: cexpat_line(parser)) }

  func stop(_ reason: String? = nil) {
    guard !isStopped else { return }
    if let reason { playlist.warn(reason, line: line) }
    isStopped = true
    unsafe XML_StopParser(parser, 0)
  }

  /// Returns the value of `xml:base` in a list of names and values.
  static func base(in attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> String? {
    guard var next = unsafe attributes else { return nil }
    while let name = unsafe next[0], let value = unsafe next[1] {
      if unsafe String(cString: name) == "xml:base" { return unsafe String(cString: value) }
      unsafe next += 2
    }
    return nil
  }

  func begin(_ name: String, base: String?) {
    guard path.count < XSPF.depthLimit else { return stop("elements are nested too deeply") }
    let outer = bases.last ?? nil
    bases.append(base.map { base in outer.map { URIReference.resolve(base, against: $0) } ?? base } ?? outer)
    path.append(name.split(separator: ":").last.map(String.init) ?? name)
    text = []
    guard path == ["playlist", "trackList", "track"] else { return }
    entry = PlaylistEntry(.reference(""))
    entryLine = line
  }

  func add(_ bytes: UnsafeRawBufferPointer) {
    unsafe text.append(contentsOf: bytes.prefix(max(0, XSPF.textLimit - text.count)))
  }

  func end() {
    defer {
      _ = path.popLast()
      _ = bases.popLast()
      text = []
    }
    if path == ["playlist", "title"] { playlist.title = value }
    guard path.starts(with: ["playlist", "trackList", "track"]) else { return }
    if path.count == 3, let finished = entry {
      entry = nil
      if finished.location == .reference("") {
        playlist.warn("a track without a location", line: entryLine)
      } else if !playlist.add(finished, line: entryLine) {
        stop()
      }
    } else if path.count == 4 {
      field(path[3])
    }
  }

  /// The text of the element, which the parser has converted to UTF-8.
  private var value: String? { PlaylistText.text(text.filter { $0 >= 0x20 }[...], TextDecoding()) }

  /// Returns the location that a text means in the open element.
  private func location(_ text: String) -> PlaylistLocation {
    let base = bases.last ?? nil
    // A Windows path is not a reference, although it looks like one with a scheme.
    let isPath = WindowsPath(Array(text.utf8)) != nil
    return PlaylistLocation(reference: isPath ? text : base.map { URIReference.resolve(text, against: $0) } ?? text)
  }

  private func field(_ name: String) {
    switch name {
    // A track may have several locations for the same audio; the first one that a player usually opens is used.
    case "location":
      guard let value, let entry else { break }
      let other = location(value)
      if entry.location == .reference("") || !entry.location.isUsual && other.isUsual { self.entry?.location = other }
    case "title": entry?.title = value
    case "creator": entry?.artist = value
    case "album": entry?.album = value
    case "image": entry?.image = value.map { location($0) }
    case "trackNum": entry?.trackNumber = value.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    case "duration":
      guard let value else { break }
      guard let milliseconds = Int64(value), milliseconds >= 0 else {
        return playlist.warn("the duration is not a number of milliseconds", line: line)
      }
      entry?.duration = milliseconds > 0 && milliseconds < 1_000_000_000_000 ? .milliseconds(milliseconds) : nil
    default: break
    }
  }
}
