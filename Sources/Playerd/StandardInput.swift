import Glibc
import PlayerdSystem
import PlaylistFormats
import TextCoding

/// The items on standard input: paths and URLs, one a line, or separated by NUL.
enum StandardInput {
  /// The reason why an input is not a list of items.
  enum Fault: Error, Equatable {
    case notText, tooManyItems, tooLong

    var message: String {
      switch self {
      case .notText:
        """
        standard input takes a list of files and URLs, one a line, and this is not text; save media in a file and play \
        that, or give its URL instead of “-”
        """
      case .tooManyItems: "standard input has more than a million items"
      case .tooLong: "standard input has more than 64 MiB"
      }
    }
  }

  /// Reads all items; empty items are left out.
  ///
  /// Reading ends with the first byte that is in no list, so that the data of a station is rejected at once.
  static func items() throws(Fault) -> [String] {
    var (check, bytes) = (ListCheck(), [UInt8]())
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      try check.add(chunk[..<count])
      bytes += chunk[..<count]
    }
    return try items(ofChecked: bytes, LocalFileSystem())
  }

  /// Returns the items of an input, which are separated by NUL if it contains one, as `find -print0` writes them.
  static func items(in bytes: [UInt8], _ files: some FileSystem) throws(Fault) -> [String] {
    var check = ListCheck()
    try check.add(bytes[...])
    return try items(ofChecked: bytes, files)
  }

  private static func items(ofChecked bytes: [UInt8], _ files: some FileSystem) throws(Fault) -> [String] {
    let isWide = UTF16Bytes.isMarked(bytes[...])
    let bytes = PlaylistText.withoutMark(bytes)
    if isWide {
      var check = ListCheck()
      try check.add(bytes[...])
    }
    let isNull = bytes.contains(0)
    let parts = bytes.split(separator: isNull ? 0 : UInt8(ascii: "\n"))
    if isNull, areLetters(parts, files) { throw .notText }
    return parts.compactMap { part in
      let item = !isNull && part.last == UInt8(ascii: "\r") ? part.dropLast() : part
      return item.isEmpty ? nil : ProgramArguments.text(of: Array(item), in: files)
    }
  }

  /// Whether the parts are the letters of UTF-16 without a mark, and not the names of files with one letter.
  private static func areLetters(_ parts: [ArraySlice<UInt8>], _ files: some FileSystem) -> Bool {
    let letters = parts.filter { $0.count == 1 }
    guard letters.count * 2 > parts.count else { return false }
    return !letters.allSatisfy { files.kind(of: FileURI.workingDirectory + [UInt8(ascii: "/")] + $0) != nil }
  }

  /// Checks that an input is a list, byte by byte.
  private struct ListCheck {
    private static let mostBytes = 64 << 20
    private static let mostItems = 1_000_000
    /// The longest item; longer than each path and each URL of a server.
    private static let longestItem = 1 << 16

    private var (count, items, item) = (0, 0, 0)
    private var last: UInt8?
    /// Whether the text is UTF-16, which is checked again when it has been decoded.
    private var isWide = false

    mutating func add(_ bytes: ArraySlice<UInt8>) throws(Fault) {
      for byte in bytes { try add(byte) }
    }

    private mutating func add(_ byte: UInt8) throws(Fault) {
      defer { (count, last) = (count + 1, byte) }
      if count == 1, let last { isWide = UTF16Bytes.isMarked([last, byte]) }
      let isSeparator = byte == 0 || byte == UInt8(ascii: "\n")
      (items, item) = isSeparator ? (items + 1, 0) : (items, item + 1)
      // An empty item between two NULs is in no list of file names.
      let isEmpty = byte == 0 && (last ?? 0) == 0
      guard isWide || item <= Self.longestItem && !isEmpty && !Self.isControl(byte) else { throw .notText }
      guard isWide || items <= Self.mostItems else { throw .tooManyItems }
      guard count < Self.mostBytes else { throw .tooLong }
    }

    /// Whether a byte is a control character that no encoding of file names has; ISO 2022 has SO, SI and ESC.
    private static func isControl(_ byte: UInt8) -> Bool {
      switch byte {
      case 0, UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0E, 0x0F, 0x1B: false
      case ..<0x20, 0x7F: true
      default: false
      }
    }
  }
}
