/// A certificate that is accepted for one host although it cannot be verified, such as a self-signed one.
package struct AcceptedCertificate: Hashable, Sendable {
  /// The name or address in lower case; an IPv6 address without brackets.
  package let host: String
  /// The SHA-256 of the certificate: 64 hexadecimal digits in lower case.
  package let fingerprint: String

  /// Creates a certificate from a fingerprint with or without colons; nil if it is not one, or the host is empty.
  package init?(host: String, fingerprint: String) {
    let digits = fingerprint.lowercased().filter { $0 != ":" }
    let name = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
    guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit), digits.utf8.count == digits.count, !name.isEmpty
    else { return nil }
    (self.host, self.fingerprint) = (name.lowercased(), digits)
  }

  /// Parses `host=sha256:fingerprint`; nil for another text.
  package init?(_ text: String) {
    let prefix = "sha256:"
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].lowercased().hasPrefix(prefix) else { return nil }
    self.init(host: String(parts[0]), fingerprint: String(parts[1].dropFirst(prefix.count)))
  }

  /// The form that is parsed, and encoded.
  package var text: String { "\(host)=sha256:\(fingerprint)" }
}

extension AcceptedCertificate: Codable {
  /// Decodes a certificate from its text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let certificate = Self(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a certificate: \(text)")
    }
    self = certificate
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
