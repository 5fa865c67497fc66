/// A URI or a relative reference in its five components.
///
/// <https://www.rfc-editor.org/rfc/rfc3986#section-5>
package struct URIReference {
  private var scheme: Substring.UTF8View?
  private var authority: Substring.UTF8View?
  private var path: [UInt8]
  private var query: Substring.UTF8View?
  private var fragment: Substring.UTF8View?

  private init(_ text: String) {
    var rest = Substring(text).utf8
    if let colon = rest.firstIndex(where: { ":/?#".utf8.contains($0) }), rest[colon] == UInt8(ascii: ":"),
      rest.uriScheme != nil
    {
      scheme = rest[..<colon]
      rest = rest[rest.index(after: colon)...]
    }
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = rest[rest.index(after: hash)...]
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if rest.starts(with: "//".utf8) {
      let place = rest.dropFirst(2)
      let end = place.firstIndex(of: UInt8(ascii: "/")) ?? place.endIndex
      authority = place[..<end]
      rest = place[end...]
    }
    path = Array(rest)
  }

  /// Resolves a reference against a base, which may be a relative reference itself.
  package static func resolve(_ reference: String, against base: String) -> String {
    var target = URIReference(reference)
    let base = URIReference(base)
    if target.scheme == nil {
      target.scheme = base.scheme
      if target.authority == nil {
        target.authority = base.authority
        if target.path.isEmpty {
          target.path = base.path
          target.query = target.query ?? base.query
        } else if target.path.first != UInt8(ascii: "/") {
          target.path = base.merged(with: target.path)
        }
      }
    }
    target.path = withoutDots(target.path)
    return target.text
  }

  /// Returns this reference's path with its last segment replaced by the path of a relative reference.
  private func merged(with other: [UInt8]) -> [UInt8] {
    if authority != nil, path.isEmpty { return [UInt8(ascii: "/")] + other }
    let end = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return path[..<end] + other
  }

  /// Removes the segments `.` and `..`; those at the beginning of a relative path stay.
  private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
    let isAbsolute = path.first == UInt8(ascii: "/")
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let (dot, dots) = ([UInt8(ascii: ".")][...], Array("..".utf8)[...])
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case dot: if isLast { kept.append([]) }
      case dots:
        if let last = kept.last, last != dots, !(isAbsolute && kept.count == 1) {
          kept.removeLast()
        } else if !isAbsolute {
          kept.append(segment)
        }
        if isLast { kept.append([]) }
      default: kept.append(segment)
      }
    }
    return Array(kept.joined(separator: [UInt8(ascii: "/")]))
  }

  private var text: String {
    var bytes: [UInt8] = []
    if let scheme { bytes += Array(scheme) + [UInt8(ascii: ":")] }
    if let authority { bytes += Array("//".utf8) + Array(authority) }
    bytes += path
    if let query { bytes += [UInt8(ascii: "?")] + Array(query) }
    if let fragment { bytes += [UInt8(ascii: "#")] + Array(fragment) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
