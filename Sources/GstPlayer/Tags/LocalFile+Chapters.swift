import CGst
import Glibc
import Playback

extension LocalFile {
  /// The file name extensions of formats whose chapters GStreamer does not read.
  private static let endings = ["m4a", "m4b", "mp4", "m4v", "mov"]

  /// Whether a URI is a file whose chapters GStreamer does not read, so that they must be read from the file.
  static func mayHideChapters(_ uri: String) -> Bool {
    guard Player.Item.isLocal(uri), let dot = uri.lastIndex(of: ".") else { return false }
    return endings.contains(uri[uri.index(after: dot)...].lowercased())
  }

  /// Reads the chapters of such a file; blocks on the disk.
  static func chapters(_ uri: String) -> [Chapter] {
    guard !isEndless(uri), let path = path(of: uri) else { return [] }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return MP4Chapters.read { offset, count in
      var bytes = [UInt8](repeating: 0, count: count)
      let read = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, off_t(offset)) }
      return Array(bytes.prefix(max(0, read)))
    }
  }
}
