/// Where a playlist says that something is: to be understood from where the playlist itself is.
public enum PlaylistLocation: Hashable, Sendable {
  /// An absolute URI.
  case uri(String)
  /// A path of a file, absolute or from the playlist's folder, byte by byte.
  case path([UInt8])
  /// A URI reference in the sense of RFC 3986, from the playlist's own URI.
  case reference(String)

  /// What a line without further rules means: a URI where it begins with a scheme, else a path.
  init(line: ArraySlice<UInt8>) {
    self = Self.hasScheme(line) ? .uri(PlaylistText.decode(line)) : .path(Array(line))
  }

  /// A URI, or a reference that has to be resolved.
  init(reference: String) {
    self = Self.hasScheme(Array(reference.utf8)[...]) ? .uri(reference) : .reference(reference)
  }

  /// Two characters or more and `://`, or `file:`; `C:\` is a drive.
  static func hasScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let colon = text.prefix(32).firstIndex(of: UInt8(ascii: ":")), let first = text.first,
      PlaylistText.isLetter(first)
    else { return false }
    let scheme = text[text.startIndex..<colon]
    guard scheme.count >= 2,
      scheme.allSatisfy({ PlaylistText.isLetter($0) || PlaylistText.isDigit($0) || "+-.".utf8.contains($0) })
    else { return false }
    return text[colon...].starts(with: "://".utf8) || PlaylistText.decode(scheme).lowercased() == "file"
  }

  /// The paths that a file of this location may have.
  ///
  /// A playlist from another system writes backslashes, and one in an old encoding names files that have since been
  /// renamed to UTF-8: each is tried where there is no file of the name as it is written.
  ///
  /// - Parameter folder: The absolute path of the playlist's folder.
  /// - Returns: The likeliest first; none for anything but a file.
  public func paths(from folder: [UInt8]) -> [[UInt8]] {
    let written: [[UInt8]]
    switch self {
    case .uri: return []
    case .path(let path): written = [path]
    case .reference(let reference):
      let bytes = Array(reference.utf8)
      written = [
        PlaylistText.percentDecoded(bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }), bytes,
      ]
    }
    var paths: [[UInt8]] = []
    for path in written where !path.isEmpty && !path.contains(0) {
      let slashed = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      for variant in [path, slashed, Array(PlaylistText.decode(path[...]).utf8)] {
        let absolute = variant.first == UInt8(ascii: "/") ? variant : folder + [UInt8(ascii: "/")] + variant
        if !paths.contains(absolute) { paths.append(absolute) }
      }
    }
    return paths
  }

  /// The location as a URI reference, for a playlist that came from a server.
  public var referenceText: String {
    switch self {
    case .uri(let text), .reference(let text): return PlaylistText.escaped(Array(text.utf8))
    case .path(let path):
      let slashed = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      return PlaylistText.escaped(Array(PlaylistText.decode(slashed[...]).utf8))
    }
  }
}
