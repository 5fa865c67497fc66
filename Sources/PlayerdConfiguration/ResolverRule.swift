import PlayerdSystem
import TextCoding

/// Which addresses the command of the key `resolver` resolves: those of a host and its subdomains, or of a scheme.
package struct ResolverRule: Equatable, Sendable {
  /// A scheme in lower case and a colon, or a host in lower case.
  package let text: String

  /// Reads an element of the key `resolver-for`; nil if it is neither a host nor a scheme.
  package init?(_ text: String) {
    let name = text.lowercased()
    if name.hasSuffix(":") || name.hasSuffix("://") {
      let scheme = String(name.prefix { $0 != ":" })
      guard FileURI.scheme(of: "\(scheme)://") == scheme, !["file", "http", "https"].contains(scheme) else {
        return nil
      }
      self.text = scheme + ":"
    } else {
      let isHost = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-.".utf8.contains($0) }
      guard isHost, let first = name.utf8.first, first.isASCIILetter || first.isASCIIDigit else { return nil }
      self.text = name.withoutRootDot
    }
  }

  /// The scheme; nil for a host.
  package var scheme: String? { text.hasSuffix(":") ? String(text.dropLast()) : nil }

  /// Whether an address is resolved.
  package func matches(_ address: String) -> Bool {
    guard let scheme = FileURI.scheme(of: address) else { return false }
    if let named = self.scheme { return named == scheme }
    guard scheme == "http" || scheme == "https", let host = Self.host(of: address) else { return false }
    return host == text || host.hasSuffix("." + text)
  }

  /// Returns the host of a URI in lower case, without user and port.
  private static func host(of uri: String) -> String? {
    guard let start = uri.firstRange(of: "://")?.upperBound else { return nil }
    let authority = uri[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    return host.prefix { $0 != ":" }.lowercased().withoutRootDot
  }
}

extension String {
  /// The name of a host without the dot of the root, which does not distinguish it.
  fileprivate var withoutRootDot: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Configuration {
  /// Which addresses the command of the key `resolver` resolves; none without a command.
  package var resolverRules: [ResolverRule] { resolver.isEmpty ? [] : resolverFor.compactMap { ResolverRule($0) } }

  /// Whether the command of the key `resolver` resolves an address.
  package func resolves(_ address: String) -> Bool { resolverRules.contains { $0.matches(address) } }

  /// The schemes that only the resolver understands.
  var resolverSchemes: [String] { resolverRules.compactMap(\.scheme) }
}
