import Glibc

/// `file:` URIs and the paths they stand for, byte by byte: a path need not be UTF-8.
///
/// <https://www.rfc-editor.org/rfc/rfc8089>
enum FileURI {
  /// What the user named: a URI as it is, a path made absolute from the working directory.
  static func absolute(from argument: String) -> String {
    if isURI(argument) { return argument }
    if argument.hasPrefix("/") { return uri(ofPath: Array(argument.utf8)) }
    return uri(ofPath: workingDirectory + [UInt8(ascii: "/")] + Array(argument.utf8))
  }

  /// A scheme of two letters or more, and a colon; `C:` or `a:b` without one is a path.
  static func isURI(_ text: String) -> Bool { scheme(of: text) != nil }

  /// The scheme in lower case; nil when the text is no URI.
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = text[..<colon]
    guard scheme.utf8.count >= 2, let first = scheme.utf8.first, isLetter(first),
      scheme.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }),
      text[colon...].hasPrefix("://") || scheme.lowercased() == "file"
    else { return nil }
    return scheme.lowercased()
  }

  static func uri(ofPath path: [UInt8]) -> String {
    var uri = "file://"
    for byte in path {
      if isLetter(byte) || isDigit(byte) || "-._~/!$&'()*+,;=:@".utf8.contains(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        uri += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return uri
  }

  /// The path of a `file:` URI of this machine; nil for any other URI, and for a path with a NUL in it.
  static func path(of uri: String) -> [UInt8]? {
    guard scheme(of: uri) == "file" else { return nil }
    var rest = Substring(uri.dropFirst("file:".count))
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    let path = decode(rest.prefix { $0 != "?" && $0 != "#" })
    return path.first == UInt8(ascii: "/") && !path.contains(0) ? path : nil
  }

  /// The URI as a person reads it: the path of a file of this machine, any other as it is.
  static func readable(_ uri: String) -> String { path(of: uri).map { String(decoding: $0, as: UTF8.self) } ?? uri }

  /// The last part of a URI's path in readable form: what a track without a title is called.
  static func name(of uri: String) -> String {
    let withoutQuery = uri.prefix { $0 != "?" && $0 != "#" }
    let last = withoutQuery.split(separator: "/").last.map { decode($0) } ?? []
    let name = String(decoding: last, as: UTF8.self).filter { $0 != "\0" }
    return name.isEmpty ? uri : name
  }

  /// An absolute path without `.`, `..` and doubled slashes, by its words alone.
  static func normalized(_ path: [UInt8]) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.split(separator: UInt8(ascii: "/")) where part != [UInt8(ascii: ".")] {
      if part == [UInt8(ascii: "."), UInt8(ascii: ".")] { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.isEmpty ? [UInt8(ascii: "/")] : parts.flatMap { [UInt8(ascii: "/")] + $0 }
  }

  /// The path with its links followed; nil where there is nothing.
  static func resolved(_ path: [UInt8]) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let text = path.map { CChar(bitPattern: $0) } + [0]
    guard unsafe realpath(text, &buffer) != nil else { return nil }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }

  private static func decode(_ text: some StringProtocol) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static var workingDirectory: [UInt8] {
    guard let path = unsafe getcwd(nil, 0) else { return [] }
    defer { unsafe free(path) }
    return unsafe Array(UnsafeBufferPointer(start: path, count: strlen(path))).map { UInt8(bitPattern: $0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
