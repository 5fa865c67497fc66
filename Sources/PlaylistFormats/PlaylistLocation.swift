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

  /// Returns the possible paths of the file.
  ///
  /// A playlist from another system contains backslashes, and one in an old encoding names files that have since been
  /// renamed to UTF-8. Each of these paths is an alternative if the file does not exist under the written name.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the playlist's folder.
  ///   - decoding: The decoding of names that are not UTF-8.
  /// - Returns: The paths, the likeliest first; empty if the location is not a file.
  package func paths(from folder: [UInt8], _ decoding: TextDecoding = TextDecoding()) -> [[UInt8]] {
    let written: [[UInt8]]
    switch self {
    case .uri: return []
    case .path(let path): written = [path]
    case .reference(let reference):
      let bytes = Array(reference.utf8)
      written = [
        PercentEncoding.decode(bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }), bytes,
      ]
    }
    var paths: [[UInt8]] = []
    for path in written where !path.isEmpty && !path.contains(0) {
      let slashed = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      for variant in [path, slashed, Array(decoding.decode(path).utf8)] {
        let absolute = variant.first == UInt8(ascii: "/") ? variant : folder + [UInt8(ascii: "/")] + variant
        if !paths.contains(absolute) { paths.append(absolute) }
      }
    }
    return paths
  }

  /// The location as a URI reference, for a playlist from a server.
  package func referenceText(_ decoding: TextDecoding = TextDecoding()) -> String {
    switch self {
    case .uri(let text), .reference(let text): return PlaylistText.escaped(Array(text.utf8))
    case .path(let path):
      let slashed = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      return PlaylistText.escaped(Array(decoding.decode(slashed).utf8))
    }
  }
}
