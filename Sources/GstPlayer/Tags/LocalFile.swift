import CGst
import Glibc
import Playback

/// The checks and the content of the file behind a `file:` URI.
enum LocalFile {
  /// Whether a read could block without limit: the file, after symbolic links, is a FIFO, a socket or a device.
  ///
  /// A GStreamer thread that reads from such a file cannot be stopped, and would block the pipeline without limit.
  static func isEndless(_ uri: String) -> Bool {
    guard let path = path(of: uri), let kind = kind(ofFileAt: path) else { return false }
    return kind != S_IFREG && kind != S_IFDIR
  }

  /// Returns the path of a `file:` URI; nil for another one.
  static func path(of uri: String) -> String? {
    Player.Item.isLocal(uri) ? unsafe GLib.take(g_filename_from_uri(uri, nil, nil)) : nil
  }

  /// Returns the error for a `file:` URI that cannot be played; nil if only opening the file can show that.
  static func failure(of uri: String) -> PlayerError? {
    var host: UnsafeMutablePointer<CChar>?
    var error: UnsafeMutablePointer<GError>?
    guard let path = unsafe GLib.take(g_filename_from_uri(uri, &host, &error)) else {
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

  /// Returns the first bytes of a regular file; nil if it cannot be read.
  static func content(ofFileAt path: String, limit: Int) -> [UInt8]? {
    // Without O_NONBLOCK, opening a FIFO would wait for its writer.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var info = stat()
    guard unsafe fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: min(limit, max(0, Int(info.st_size))))
    var count = 0
    while count < bytes.count {
      let received = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        return unsafe read(file, rest.baseAddress, rest.count)
      }
      guard received > 0 else { break }
      count += received
    }
    return Array(bytes.prefix(count))
  }

  /// Returns the file type bits after symbolic links; nil if the file cannot be examined.
  private static func kind(ofFileAt path: String) -> mode_t? {
    var info = stat()
    return unsafe stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
  }
}
