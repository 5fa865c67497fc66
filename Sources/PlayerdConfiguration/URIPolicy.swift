package import MPRISService
import PlayerdSystem
import TextCoding

/// Decides which URIs may be opened, whatever names them: the command line, a client of the message bus, a playlist or
/// a saved session.
package struct URIPolicy: Sendable, Equatable {
  /// The schemes, in lower case.
  var schemes = MediaTypes.uriSchemes
  /// The absolute paths of the folders that must contain the files; nil to allow all folders.
  var roots: [[UInt8]]?

  /// The schemes that only the user's resolver understands.
  var resolverSchemes: [String] = []

  package init(schemes: [String] = MediaTypes.uriSchemes, roots: [[UInt8]]? = nil, resolverSchemes: [String] = []) {
    (self.schemes, self.roots, self.resolverSchemes) = (schemes + resolverSchemes, roots, resolverSchemes)
  }

  /// The schemes that the content of a server may name: all but files, so that a server cannot learn of local paths, and
  /// those of the resolver.
  package var serverSchemes: Set<String> { Set(schemes).subtracting(["file"] + resolverSchemes) }

  /// Returns the error for a client's URI; nil if it is allowed.
  ///
  /// The decision uses only the text of the path, so that it never waits for a disk; ``objection(to:)`` resolves links.
  package func refusal(of uri: String) -> MPRISCommandError? {
    guard let scheme = FileURI.scheme(of: uri) else {
      let scheme = uri.prefix { $0 != ":" }.lowercased()
      return MediaTypes.uriSchemes.contains(scheme)
        ? .invalid("“\(uri.excerpt)” is not an absolute URI")
        : .notSupported("\(scheme.excerpt): URIs are not supported")
    }
    guard schemes.contains(scheme) else {
      return MediaTypes.uriSchemes.contains(scheme)
        ? .accessDenied("\(scheme): URIs are not allowed by the configuration")
        : .notSupported("\(scheme.excerpt): URIs are not supported")
    }
    guard scheme == "file", let roots else { return nil }
    guard let path = FileURI.path(of: uri) else { return .invalid("“\(uri.excerpt)” is not a local file") }
    let isInside = roots.contains { Self.isInside($0, FileURI.normalized(path)) }
    return isInside ? nil : .accessDenied("\(FileURI.readable(uri).excerpt) is outside the allowed folders")
  }

  /// Returns the reason why a URI may not be opened, after the links in its path have been resolved; nil if it may.
  package func objection(to uri: String) -> String? {
    guard let scheme = FileURI.scheme(of: uri), schemes.contains(scheme) else {
      return "not a URI with one of the schemes in allowed-schemes: \(schemes.joined(separator: ", "))"
    }
    guard scheme == "file", let roots else { return nil }
    let reason = "not in one of the folders in allowed-roots"
    guard refusal(of: uri) == nil, let path = FileURI.path(of: uri) else { return reason }
    // A missing file is allowed: it fails like any other missing file and reveals nothing.
    guard let real = LocalFileSystem().resolved(path) else { return nil }
    return roots.contains { Self.isInside(LocalFileSystem().resolved($0) ?? $0, real) } ? nil : reason
  }

  private static func isInside(_ root: [UInt8], _ path: [UInt8]) -> Bool {
    path.isInside(FileURI.normalized(root))
  }
}

extension Configuration {
  /// The policy of the keys `allowed-schemes` and `allowed-roots`; the playlist folder is always allowed.
  package var uriPolicy: URIPolicy {
    let roots = allowedRoots.map { Array($0.utf8) } + [playlistFolder].compactMap(\.self)
    return URIPolicy(
      schemes: allowedSchemes, roots: allowedRoots.isEmpty ? nil : roots, resolverSchemes: resolverSchemes)
  }
}
