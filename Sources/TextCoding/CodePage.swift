import Glibc

/// An encoding that is a superset of ASCII, converted by the system's iconv.
struct CodePage: Sendable {
  /// The name for iconv.
  private let name: String
  /// The character of each byte, nil for an undefined one; empty if characters have several bytes.
  private var table: [Unicode.Scalar?] = []

  /// Creates the encoding; nil if iconv does not know it, if ASCII text differs in it, or if it has only ASCII bytes.
  init?(_ name: String) {
    // A slash separates options of iconv, and a NUL byte would end the name.
    guard !name.isEmpty, name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-_.:+()".utf8.contains($0) })
    else { return nil }
    self.name = name
    // The backslash and the tilde are other characters in some encodings.
    let ascii = (UInt8(ascii: " ")..<UInt8(ascii: "~")).filter { $0 != UInt8(ascii: "\\") }
    guard Self.convert(ascii, from: name) == .text(String(decoding: ascii, as: UTF8.self)) else { return nil }
    let characters = (0...UInt8.max).map { Self.convert([$0], from: name) }
    guard characters[0x80...].contains(where: { $0 != .undefined }) else { return nil }
    let isTable = characters.allSatisfy { character in
      if case .text(let text) = character { text.unicodeScalars.count == 1 } else { character == .undefined }
    }
    guard isTable else { return }
    table = characters.map { if case .text(let text) = $0 { text.unicodeScalars.first } else { nil } }
  }

  /// Decodes text; nil if it is not in this encoding.
  func decode(_ bytes: [UInt8]) -> String? {
    guard !table.isEmpty else {
      if case .text(let text) = Self.convert(bytes, from: name) { return text }
      return nil
    }
    let characters = bytes.compactMap { table[Int($0)] }
    return characters.count == bytes.count ? String(String.UnicodeScalarView(characters)) : nil
  }

  /// Returns the character of a byte; nil if it is undefined, or only a part of a character.
  func character(_ byte: UInt8) -> Unicode.Scalar? { table.isEmpty ? nil : table[Int(byte)] }

  private enum Conversion: Equatable {
    case text(String)
    /// A byte does not map to a character.
    case undefined
    /// The last character is not complete, or the encoding is unknown.
    case failed
  }

  /// Converts text by iconv.
  ///
  /// <https://man7.org/linux/man-pages/man3/iconv.3.html>
  private static func convert(_ bytes: [UInt8], from name: String) -> Conversion {
    guard let converter = unsafe iconv_open("UTF-8", name), unsafe converter != iconv_t(bitPattern: -1) else {
      return .failed
    }
    defer { unsafe iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // A character of one byte has at most four bytes in UTF-8, or is a sequence of a few characters.
    var output = [CChar](repeating: 0, count: bytes.count * 8 + 16)
    var (inputLeft, outputLeft) = (input.count, output.count)
    let failed = -1
    var (result, reason) = (0, Int32(0))
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        var (source, target) = (input.baseAddress, output.baseAddress)
        result = unsafe iconv(converter, &source, &inputLeft, &target, &outputLeft)
        if result == failed { reason = errno }
        // Some encodings keep the last character until the end.
        if result != failed { result = unsafe iconv(converter, nil, nil, &target, &outputLeft) }
      }
    }
    guard result != failed else { return reason == EILSEQ ? .undefined : .failed }
    let converted = output.dropLast(outputLeft).map { UInt8(bitPattern: $0) }
    return String(validating: converted, as: UTF8.self).map { .text($0) } ?? .failed
  }
}
