import CGst
import Glibc

/// What a `file:` URI leads to.
enum LocalFile {
  /// Whether a reader could wait for ever: a FIFO, a socket or a device, behind links too.
  ///
  /// A thread of GStreamer that reads from such a file cannot be stopped, and would keep the pipeline for ever.
  static func isEndless(_ uri: String) -> Bool {
    guard uri.hasPrefix("file:"), let path = unsafe GLib.take(g_filename_from_uri(uri, nil, nil)) else { return false }
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return false }
    return info.st_mode & S_IFMT != S_IFREG && info.st_mode & S_IFMT != S_IFDIR
  }
}
