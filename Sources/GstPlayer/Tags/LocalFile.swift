import CGst
import EngineProcess
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

extension RegularFile {
  /// Opens a file; nil if it is not a regular file or cannot be opened.
  convenience init?(_ path: [UInt8]) { self.init(descriptor: FileAccess.open(path)) }
}
