package import TextCoding

/// The location of an entry, relative to the playlist.
package enum PlaylistLocation: Hashable, Sendable {
  /// An absolute URI.
  case uri(String)
  /// A file path, absolute or relative to the playlist's folder, as bytes.
  case path([UInt8])
  /// A URI reference of RFC 3986, relative to the playlist's URI.
  case reference(String)

  /// Parses a line: a URI if it starts with a scheme, else a path.
  init(line: ArraySlice<UInt8>) {
    self = line.locationScheme != nil ? .uri(TextDecoding().decode(line)) : .path(Array(line))
  }

  /// Creates a URI, or a reference that must be resolved.
  init(reference: String) {
    self = reference.utf8.locationScheme != nil ? .uri(reference) : .reference(reference)
  }

  /// Whether it is a file, relative to the playlist, or on an ordinary server.
  var isUsual: Bool {
    guard case .uri(let uri) = self else { return true }
    return ["file", "http", "https"].contains(uri.utf8.locationScheme)
  }

  /// Returns the possible paths of the file.
  ///
  /// A playlist from another system contains backslashes, a drive or a server. One in an old encoding names files that
  /// have since been renamed to UTF-8. Each of these paths is an alternative if the file does not exist under the written
  /// name.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the playlist's folder.
  ///   - decoding: The decoding of names that are not UTF-8.
  ///   - isThisHost: Whether the host of a `file:` URI, in lower case, is this machine.
  /// - Returns: The paths, the likeliest first; empty if the location is not a file.
  package func paths(
    from folder: [UInt8], _ decoding: TextDecoding = TextDecoding(),
    isThisHost: (String) -> Bool = { $0 == "localhost" }
  ) -> [[UInt8]] {
    var written: [[UInt8]]
    switch self {
    case .uri(let uri):
      guard let file = FileReference(uri) else { return [] }
      written = [file.path, file.longPath].compactMap(\.self)
      // A name that begins with `#` is likelier than a folder with a fragment.
      if file.path.last == UInt8(ascii: "/") { written.reverse() }
      if !file.host.isEmpty, !isThisHost(file.host) { written = written.map { Array(#"\\server"#.utf8) + $0 } }
    case .path(let path): written = [path]
    case .reference(let reference):
      let bytes = Array(reference.utf8)
      written = [
        PercentEncoding.decode(bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }), bytes,
      ]
    }
    var paths: [[UInt8]] = []
    func add(_ path: [UInt8]) {
      let absolute = path.first == UInt8(ascii: "/") ? path : folder + [UInt8(ascii: "/")] + path
      if !paths.contains(absolute) { paths.append(absolute) }
    }
    for path in written where !path.isEmpty && !path.contains(0) {
      let slashed = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      for variant in [path, slashed, Array(decoding.decode(path).utf8)] { add(variant) }
      for end in WindowsPath(path)?.ends ?? [] { add(end) }
    }
    return paths
  }

  /// Returns the location as a URI reference, for a playlist from a server; a Windows path becomes a `file:` URI.
  package func referenceText(_ decoding: TextDecoding = TextDecoding()) -> String {
    switch self {
    case .path(let path) where WindowsPath(path) != nil: return "file:///"
    case .reference(let text) where WindowsPath(Array(text.utf8)) != nil: return "file:///"
    case .uri(let text), .reference(let text): return PlaylistText.escaped(Array(text.utf8))
    case .path(let path):
      let slashed = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      return PlaylistText.escaped(Array(decoding.decode(slashed).utf8))
    }
  }
}
