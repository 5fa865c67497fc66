import Playback
import TextCoding

extension LocalFile {
  /// Reads the lyrics in the LRC format from the file beside a local file, with its name and the extension `lrc`.
  ///
  /// The extension may have any case; lower case is preferred. At most 1 MiB is read. Blocks on the disk.
  ///
  /// - Returns: The text; nil if the file is missing, or has no line with a time.
  static func lyrics(beside uri: String) -> String? {
    guard let path = path(of: uri) else { return nil }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    let end = path[folder...].utf8.lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
    for ending in lyricsEndings {
      guard let file = RegularFile("\(path[..<end]).\(ending)") else { continue }
      let bytes = file.bytes(limit: TagList.lyricsLimit)
      let text = UTF16Bytes.decodeMarked(bytes[...]) ?? String(decoding: bytes, as: UTF8.self)
      return LyricsLine.lines(ofLRC: text).isEmpty ? nil : text
    }
    return nil
  }

  /// The extension in all combinations of upper and lower case; a folder is not listed, because it may be large.
  private static let lyricsEndings = (0..<8).map { number in
    String("lrc".enumerated().map { number >> $0.offset & 1 == 0 ? $0.element : Character($0.element.uppercased()) })
  }
}
