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
  /// A GStreamer thread that reads from a pipe cannot be stopped, and would block the pipeline without limit.
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
    // Without O_NONBLOCK, opening a FIFO would wait for its writer.
    descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    var info = stat()
    let isRegular = unsafe fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    size = info.st_size
    // If this fails, the deinitializer closes the file.
    guard isRegular else { return nil }
  }

  deinit { close(descriptor) }

  /// Returns at most `limit` bytes from an offset; fewer at the end of the file or after an error.
  func bytes(from offset: Int = 0, limit: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, min(limit, size - offset)))
    var count = 0
    while count < bytes.count {
      let received = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        return unsafe pread(descriptor, rest.baseAddress, rest.count, offset + count)
      }
      guard received > 0 else { break }
      count += received
    }
    return Array(bytes.prefix(count))
  }
}
