extension String {
  /// The last component of a URI's path, decoded, or its host; it names a track without a title.
  package var uriName: String {
    let path = Array(withoutURIUsers.utf8).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let end = path.lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? path.startIndex
    let start = path[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
    let name = PercentEncoding.decode(path[start..<end]).filter { $0 != 0 }
    return name.isEmpty ? withoutURISecrets : String(decoding: name, as: UTF8.self)
  }
}
