import MPRISService

/// The policy that determines which URIs clients of the message bus may open.
struct URIPolicy: Sendable, Equatable {
  /// The schemes, in lower case.
  var schemes = MediaTypes.uriSchemes
  /// The absolute paths of the folders that must contain the files; nil to allow all folders.
  var roots: [[UInt8]]?

  /// Returns the reason for refusing a client's URI; nil if it is allowed.
  ///
  /// The decision uses only the text of the path, so that it never waits for a disk; ``allows(_:)`` resolves links.
  func refusal(of uri: String) -> MPRISCommandError? {
    let scheme = uri.prefix { $0 != ":" }.lowercased()
    guard MediaTypes.uriSchemes.contains(scheme) else {
      return .notSupported("\(scheme.excerpt): URIs are not supported")
    }
    guard FileURI.isURI(uri) else { return .invalid("“\(uri.excerpt)” is not an absolute URI") }
    guard schemes.contains(scheme) else {
      return .accessDenied("\(scheme): URIs are not allowed by the configuration")
    }
    guard scheme == "file", let roots else { return nil }
    guard let path = FileURI.path(of: uri) else { return .invalid("“\(uri.excerpt)” is not a local file") }
    let isInside = roots.contains { Self.isInside($0, FileURI.normalized(path)) }
    return isInside ? nil : .accessDenied("\(FileURI.readable(uri).excerpt) is outside the allowed folders")
  }

  /// Whether an item is allowed after the links in its path have been resolved.
  func allows(_ uri: String) -> Bool {
    guard refusal(of: uri) == nil else { return false }
    guard let roots, let path = FileURI.path(of: uri) else { return true }
    // A missing file is allowed: it fails like any other missing file and reveals nothing.
    guard let real = LocalFileSystem().resolved(path) else { return true }
    return roots.contains { Self.isInside(LocalFileSystem().resolved($0) ?? $0, real) }
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
