import CGst
import Glibc
import Playback

/// What a `file:` URI leads to.
enum LocalFile {
  /// Whether a reader could wait for ever: a FIFO, a socket or a device, behind links too.
  ///
  /// A thread of GStreamer that reads from such a file cannot be stopped, and would keep the pipeline for ever.
  static func isEndless(_ uri: String) -> Bool {
    guard PlayerItem.isLocal(uri), let path = unsafe GLib.take(g_filename_from_uri(uri, nil, nil)) else { return false }
    guard let kind = kind(ofFileAt: path) else { return false }
    return kind != S_IFREG && kind != S_IFDIR
  }

  /// Returns why a `file:` URI cannot be played; nil if only opening the file can show that.
  static func failure(of uri: String) -> PlayerError? {
    var host: UnsafeMutablePointer<CChar>?
    var error: UnsafeMutablePointer<GError>?
    guard let path = unsafe GLib.take(g_filename_from_uri(uri, &host, &error)) else {
      let reason = unsafe GLib.take(error)?.message ?? "unknown reason"
      return PlayerError(.invalidArgument, "the URI names no file", detail: reason)
    }
    if let host = unsafe GLib.take(host), !host.isEmpty, host.lowercased() != "localhost" {
      return PlayerError(.invalidArgument, "the file is on another host, “\(host)”")
    }
    return switch kind(ofFileAt: path) {
    case nil, S_IFREG: nil
    case S_IFDIR: PlayerError(.notMedia, "a directory, not a file")
    default: PlayerError(.notMedia, "a device or a pipe, not a file")
    }
  }

  /// Returns the file type bits, behind links; nil when the file cannot be examined.
  private static func kind(ofFileAt path: String) -> mode_t? {
    var info = stat()
    return unsafe stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
  }
}
