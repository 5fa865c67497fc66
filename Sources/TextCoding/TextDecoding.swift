/// Decodes text whose encoding is not declared, such as the name of a station or the titles of a cue sheet.
///
/// Valid UTF-8 is read as UTF-8. Other text is read in the user's code page if each byte has a character in it, and
/// else in Windows-1252; the bytes that Windows-1252 leaves undefined are read as Latin-1.
package struct TextDecoding: Sendable {
  private let codePage: CodePage?

  /// Creates the decoding without a code page.
  package init() { codePage = nil }

  /// Creates the decoding with a code page of iconv, such as `windows-1251` or `Shift_JIS`.
  ///
  /// Returns nil if the system does not know the name, or if ASCII text differs in this encoding, as in UTF-16.
  package init?(codePage name: String) {
    guard let codePage = CodePage(name) else { return nil }
    self.codePage = codePage
  }

  package func decode(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(validating: bytes, as: UTF8.self) ?? codePage?.decode(bytes) ?? Self.windows1252(bytes)
  }

  private static let latin = CodePage("WINDOWS-1252")

  private static func windows1252(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { latin?.character($0) ?? Unicode.Scalar($0) }))
  }
}
