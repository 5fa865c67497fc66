/// The parts of a `file:` URI, in each form of RFC 8089 and its appendices.
///
/// <https://www.rfc-editor.org/rfc/rfc8089>
package struct FileReference {
  /// The host in lower case; empty if there is none.
  package let host: String
  /// The decoded path, without a query and a fragment.
  package let path: [UInt8]
  /// The decoded path with the query and the fragment as a part of the name; nil without them.
  ///
  /// Some programs do not encode `#` and `?` in names.
  package let longPath: [UInt8]?

  /// Reads a URI; nil if its scheme is another one.
  package init?(_ uri: String) {
    guard uri.utf8.locationScheme == "file" else { return nil }
    // Programs of Windows write backslashes.
    var rest = uri.utf8.dropFirst("file:".utf8.count).map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }[...]
    var host: ArraySlice<UInt8> = []
    if rest.starts(with: "//".utf8) {
      let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
      // In `file://C:/a`, the drive is not a host.
      if !Self.isDrive(authority) {
        host = authority
        rest = rest[authority.endIndex...]
      } else {
        rest = rest.dropFirst(2)
      }
    }
    self.host = String(decoding: host.map(\.asciiLowercased), as: UTF8.self)
    let short = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    path = PercentEncoding.decode(short)
    longPath = short.count < rest.count ? PercentEncoding.decode(rest) : nil
  }

  /// Whether a text is a drive of Windows: a letter, and a colon or a vertical bar.
  package static func isDrive(_ text: ArraySlice<UInt8>) -> Bool {
    text.count == 2 && text.first?.isASCIILetter == true && text.last.map { ":|".utf8.contains($0) } == true
  }
}
