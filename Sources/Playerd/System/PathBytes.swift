/// Paths as bytes, which need not be UTF-8.
extension [UInt8] {
  /// Calls `body` with the bytes as a C string.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let text = map { CChar(bitPattern: $0) } + [0]
    return unsafe text.withUnsafeBufferPointer { buffer in
      // The buffer is never empty: it ends with a NUL.
      unsafe buffer.baseAddress.map { unsafe body($0) } ?? body("")
    }
  }
}
