import Glibc
import TextCoding

/// A regular file that is open for reading at any offset.
package protocol ReadableFile {
  var size: Int { get }

  /// Returns the bytes at an offset; fewer at the end of the file, and none after an error or for a negative offset.
  func bytes(at offset: Int, count: Int) -> [UInt8]
}

extension FileSystem {
  /// Opens a regular file for reading; nil for anything else.
  package func readable(_ path: [UInt8]) -> (any ReadableFile)? {
    guard case .success(let bytes) = bytes(of: path, limit: 64 << 20) else { return nil }
    return BytesInMemory(bytes: bytes)
  }
}

/// The content of a file in memory.
package struct BytesInMemory: ReadableFile {
  private let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package var size: Int { bytes.count }

  package func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < bytes.count, count > 0 else { return [] }
    return Array(bytes[offset...].prefix(count))
  }
}

/// A file of this machine; it is closed when it is released.
final class LocalFile: ReadableFile {
  private let file: CInt
  let size: Int

  /// Opens a regular file; nil for anything else.
  init?(_ path: [UInt8]) {
    file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      return nil
    }
    size = Int(status.st_size)
  }

  deinit { close(file) }

  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(count, size - offset))
    let received = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(file, $0.baseAddress, $0.count, off_t(offset))
    }
    return received == bytes.count ? bytes : Array(bytes.prefix(max(0, received)))
  }
}
