import CMd

/// The hash function SHA-256 of libmd.
package enum SHA256 {
  /// Returns the hash of bytes in hexadecimal digits.
  ///
  /// <https://man.archlinux.org/man/SHA256Data.3>
  @Sendable package static func text(of bytes: [UInt8]) -> String {
    // The digits, and a zero byte.
    var text = [CChar](repeating: 0, count: 65)
    _ = unsafe SHA256Data(bytes, bytes.count, &text)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
