import CGst
import Glibc
import Playback
import TextCoding

/// Checks the file behind a `file:` URI.
///
/// Paths are bytes, which need not be UTF-8.
enum LocalFile {
  /// Returns the path of a `file:` URI; nil for another one.
  static func path(of uri: String) -> [UInt8]? {
    Player.Item.isLocal(uri) ? unsafe GLib.takeBytes(g_filename_from_uri(uri, nil, nil)) : nil
  }

  /// Returns the error for a `file:` URI that cannot be played; nil if only opening the file can show that.
  ///
  /// A GStreamer thread that reads from a pipe cannot be stopped, and would block its pipeline without limit.
  static func failure(of uri: String) -> PlayerError? {
    var host: UnsafeMutablePointer<CChar>?
    var error: UnsafeMutablePointer<GError>?
    guard let path = unsafe GLib.takeBytes(g_filename_from_uri(uri, &host, &error)) else {
      let reason = unsafe GLib.take(error)?.message ?? "unknown reason"
      return PlayerError(code: .invalidArgument, message: "the URI does not contain a file path", detail: reason)
    }
    if let host = unsafe GLib.take(host), !host.isEmpty, host.lowercased() != "localhost" {
      return PlayerError(code: .invalidArgument, message: "the file is on another host, “\(host)”")
    }
    return switch kind(ofFileAt: path) {
    case nil, S_IFREG: nil
    case S_IFDIR: PlayerError(code: .notMedia, message: "a directory, not a file")
    default: PlayerError(code: .notMedia, message: "a device or a pipe, not a file")
    }
  }

  /// Whether a `file:` URI refers to a file that does not exist.
  static func isMissing(_ uri: String) -> Bool {
    guard let path = path(of: uri) else { return false }
    return unsafe path.withCString { unsafe access($0, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) }
  }

  /// Returns the file type bits after symbolic links; nil if the file cannot be examined.
  private static func kind(ofFileAt path: [UInt8]) -> mode_t? {
    var info = stat()
    return unsafe path.withCString({ unsafe stat($0, &info) }) == 0 ? info.st_mode & S_IFMT : nil
  }
}

/// A regular file that is open for reading.
final class RegularFile {
  /// The size in bytes when the file was opened.
  let size: Int
  private let descriptor: Int32

  /// Opens a file; nil if it is not a regular file or cannot be opened.
  init?(_ path: [UInt8]) {
    descriptor = max(-1, FileAccess.open(path))
    var info = stat()
    let isRegular = unsafe fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    size = info.st_size
    // If this fails, the deinitializer closes the file.
    guard isRegular else { return nil }
  }

  deinit { close(descriptor) }

  /// The size in bytes now; nil if it cannot be read.
  var currentSize: Int? {
    var info = stat()
    return unsafe fstat(descriptor, &info) == 0 ? info.st_size : nil
  }

  /// Reads from an offset until the buffer is full or the file ends; nil after an error.
  ///
  /// - Returns: The number of bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int? {
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
  func bytes(from offset: Int = 0, limit: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, min(limit, size - offset)))
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(into: $0, from: offset) }
    return Array(bytes.prefix(count ?? 0))
  }
}
