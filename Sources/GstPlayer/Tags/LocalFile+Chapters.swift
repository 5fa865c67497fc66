import EngineProcess
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
    guard let file = path(of: uri).flatMap({ RegularFile($0) }) else { return [] }
    return MP4Chapters.read { file.bytes(from: $0, limit: $1) }
  }
}
