import MPRISService

/// Which URIs the clients of the message bus may have opened.
struct URIPolicy: Sendable, Equatable {
  /// The schemes, in lower case.
  var schemes = MediaTypes.uriSchemes
  /// The folders, by their absolute paths, in which files must be; nil for anywhere.
  var roots: [[UInt8]]?

  /// Why a client's URI is not opened; nil when it may be.
  ///
  /// Decided by the words of the path alone, so that it never waits for a disk; ``allows(_:)`` follows the links.
  func refusal(of uri: String) -> CommandError? {
    let scheme = uri.prefix { $0 != ":" }.lowercased()
    guard MediaTypes.uriSchemes.contains(scheme) else {
      return .notSupported("nothing here plays \(scheme.excerpt): URIs")
    }
    guard FileURI.isURI(uri) else { return .invalid("“\(uri.excerpt)” is not an absolute URI") }
    guard schemes.contains(scheme) else { return .accessDenied("\(scheme): URIs are not allowed here") }
    guard scheme == "file", let roots else { return nil }
    guard let path = FileURI.path(of: uri) else { return .invalid("“\(uri.excerpt)” names no file of this machine") }
    let isInside = roots.contains { Self.isInside($0, FileURI.normalized(path)) }
    return isInside ? nil : .accessDenied("\(FileURI.readable(uri).excerpt) is outside of the allowed folders")
  }

  /// Whether an item may be played, wherever the links in its path lead.
  func allows(_ uri: String) -> Bool {
    guard refusal(of: uri) == nil else { return false }
    guard let roots, let path = FileURI.path(of: uri) else { return true }
    // What is not there is no secret: it fails like any other missing file.
    guard let real = FileURI.resolved(path) else { return true }
    return roots.contains { Self.isInside(FileURI.resolved($0) ?? $0, real) }
  }

  private static func isInside(_ root: [UInt8], _ path: [UInt8]) -> Bool {
    let root = FileURI.normalized(root)
    return path == root || root == [UInt8(ascii: "/")] || path.starts(with: root + [UInt8(ascii: "/")])
  }
}

extension Configuration {
  var uriPolicy: URIPolicy {
    URIPolicy(
      schemes: allowedSchemes, roots: allowedRoots.isEmpty ? nil : allowedRoots.map { Array($0.utf8) })
  }
}
