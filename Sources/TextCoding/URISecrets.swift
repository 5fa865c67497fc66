/// Removes the parts that may be secrets from the URIs in a text.
///
/// A URI begins at `scheme://` and ends at a blank, a control character, an angle bracket or a quotation mark.
extension String {
  /// The text without the user information of its URIs and without the values of their queries and fragments.
  ///
  /// For logs, errors and reports: `https://user:password@host/a?token=1` becomes `https://host/a?token=…`.
  package var withoutURISecrets: String {
    utf8.contains(UInt8(ascii: ":")) ? rewritingURIs { URIBody($0).withoutSecrets } : self
  }

  /// The text without the user information of its URIs, which still identify the same resources.
  package var withoutURIUsers: String {
    utf8.contains(UInt8(ascii: "@")) ? rewritingURIs { URIBody($0).withoutUser } : self
  }

  /// Whether one of its URIs has a part that may be a secret.
  package var hasURISecrets: Bool { withoutURISecrets != self }

  private func rewritingURIs(_ rewrite: (ArraySlice<UInt8>) -> [UInt8]) -> String {
    let separator = Array("://".utf8)
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    while let colon = rest.indices.first(where: { rest[$0...].starts(with: separator) }) {
      let start = colon + separator.count
      result += rest[..<start]
      let isURI = colon > rest.startIndex && URIBody.isSchemeByte(rest[colon - 1])
      rest = rest[start...]
      guard isURI else { continue }
      let body = rest.prefix(URIBody.count(in: rest))
      result += rewrite(body)
      rest = rest[body.endIndex...]
    }
    return String(decoding: result + rest, as: UTF8.self)
  }
}

/// The part of a URI after `scheme://`.
private struct URIBody {
  /// The host, the port and the path.
  private let place: ArraySlice<UInt8>
  /// The query and the fragment, with the characters before them.
  private let parameters: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    let authority = bytes[..<end].prefix { $0 != UInt8(ascii: "/") }
    // A password may contain a slash that is not encoded; the rest of such an authority is not a port.
    let port = authority.lastIndex(of: UInt8(ascii: ":")).map { authority[$0...].dropFirst() } ?? []
    let isPort = port.allSatisfy(\.isASCIIDigit) || authority.first == UInt8(ascii: "[")
    let hasUser = authority.contains(UInt8(ascii: "@"))
    let range = hasUser || isPort ? authority : bytes[..<end]
    let start = range.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? bytes.startIndex
    (place, parameters) = (bytes[start..<end], bytes[end...])
  }

  var withoutUser: [UInt8] { Array(place + parameters) }

  var withoutSecrets: [UInt8] {
    var result = Array(place)
    var rest = parameters
    while let mark = rest.first {
      let part = rest.dropFirst().prefix { Self.separators.contains($0) == false }
      result.append(mark)
      let name = part.firstIndex(of: UInt8(ascii: "=")).map { part[...$0] } ?? []
      result += name
      if part.count > name.count { result += Array("…".utf8) }
      rest = rest[part.endIndex...]
    }
    return result
  }

  /// The characters before a parameter.
  private static let separators = Array("?#&;".utf8)

  static func isSchemeByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte)
  }

  /// Returns the number of bytes that belong to a URI at the beginning of a text.
  static func count(in text: ArraySlice<UInt8>) -> Int {
    var end = text.startIndex
    while end < text.endIndex {
      let byte = text[end]
      if byte <= 0x20 || byte == 0x7F || "\"<>`".utf8.contains(byte) { break }
      if marks.contains(where: { text[end...].starts(with: $0) }) { break }
      end += 1
    }
    // Punctuation at the end belongs to the sentence.
    while end > text.startIndex, ".,:;!)".utf8.contains(text[end - 1]) { end -= 1 }
    return end - text.startIndex
  }

  private static let marks = ["“", "”", "„", "«", "»"].map { Array($0.utf8) }
}
