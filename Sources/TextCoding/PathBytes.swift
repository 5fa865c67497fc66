/// Paths as bytes, which need not be UTF-8.
extension [UInt8] {
  /// The bytes before the last slash; empty if there is none.
  package var folder: [UInt8] { lastIndex(of: UInt8(ascii: "/")).map { Array(self[..<$0]) } ?? [] }

  /// The bytes after the last slash; all bytes if there is none.
  package var lastComponent: [UInt8] { lastIndex(of: UInt8(ascii: "/")).map { Array(self[($0 + 1)...]) } ?? self }

  /// The bytes before the last dot; all bytes if there is none.
  package var stem: [UInt8] { lastIndex(of: UInt8(ascii: ".")).map { Array(self[..<$0]) } ?? self }

  /// The extension in lower case, without the dot; empty if there is none.
  package var fileExtension: String {
    guard let dot = lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: self[(dot + 1)...].map(\.asciiLowercased), as: UTF8.self)
  }

  /// Whether an absolute path is a folder itself or inside it; both are without `.`, `..` and a slash at the end.
  package func isInside(_ folder: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    return starts(with: folder) && (count == folder.count || folder == [slash] || self[folder.count] == slash)
  }

  /// Calls `body` with the bytes as a C string.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let text = map { CChar(bitPattern: $0) } + [0]
    return unsafe body(text)
  }
}
