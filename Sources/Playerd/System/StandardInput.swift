import Glibc

/// The items on standard input: paths and URLs, one a line, or separated by NUL.
enum StandardInput {
  /// The limit of bytes that are read.
  private static let limit = 64 << 20

  /// Reads all items; empty ones are left out.
  static func items() -> [String] { items(in: read(), LocalFileSystem()) }

  /// Returns the items of an input, which are separated by NUL if it contains one, as `find -print0` writes them.
  static func items(in bytes: [UInt8], _ files: some FileSystem) -> [String] {
    let isNull = bytes.contains(0)
    return bytes.split(separator: isNull ? 0 : UInt8(ascii: "\n")).compactMap { part in
      let item = !isNull && part.last == UInt8(ascii: "\r") ? part.dropLast() : part
      return item.isEmpty ? nil : ProgramArguments.text(of: Array(item), in: files)
    }
  }

  private static func read() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
