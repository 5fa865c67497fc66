import CLinux
import Glibc

/// A regular file that is open for reading.
package final class RegularFile {
  /// The size in bytes when the file was opened.
  package let size: Int
  private let descriptor: CInt

  /// Takes a descriptor, which it closes; nil if the descriptor is negative or does not refer to a regular file.
  package init?(descriptor: CInt) {
    self.descriptor = max(-1, descriptor)
    var info = stat()
    let isRegular = unsafe fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    size = info.st_size
    // If this fails, the deinitializer closes the file.
    guard isRegular else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The size in bytes now; nil if it cannot be read.
  package var currentSize: Int? {
    var info = stat()
    return unsafe fstat(descriptor, &info) == 0 ? info.st_size : nil
  }

  /// Reads from an offset until the buffer is full or the file ends; nil after an error.
  ///
  /// - Returns: The number of bytes.
  package func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int? {
    var count = 0
    while count < buffer.count {
      let received = unsafe pread(
        descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count, offset + count)
      if received < 0, errno == EINTR { continue }
      guard received >= 0 else { return nil }
      if received == 0 { break }
      count += received
    }
    return count
  }

  /// Returns at most `limit` bytes from an offset; fewer at the end of the file or after an error.
  package func bytes(from offset: Int = 0, limit: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, min(limit, size - offset)))
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(into: $0, from: offset) }
    return Array(bytes.prefix(count ?? 0))
  }
}
