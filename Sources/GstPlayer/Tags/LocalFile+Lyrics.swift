import Playback
import TextCoding

extension LocalFile {
  /// Reads the lyrics in the LRC format from the file beside a local file, with its name and the extension `lrc`.
  ///
  /// The extension may have any case; lower case is preferred. At most 1 MiB is read. Text that is neither UTF-8 nor
  /// marked UTF-16 is in the user's code page. Blocks on the disk.
  ///
  /// - Returns: The text; nil if the file is missing, or has no line with a time.
  static func lyrics(beside uri: String) -> String? {
    guard let path = path(of: uri) else { return nil }
    let stem = path.folder + [UInt8(ascii: "/")] + path.lastComponent.stem
    for ending in lyricsEndings {
      guard let file = RegularFile(stem + Array(".\(ending)".utf8)) else { continue }
      var bytes = file.bytes(limit: TagList.lyricsLimit)
      // The limit may divide a character.
      if file.size > bytes.count, let end = bytes.lastIndex(where: { $0 < 0x80 }) { bytes = Array(bytes[...end]) }
      let text = UTF16Bytes.decodeMarked(bytes[...]) ?? LegacyText.decoding.decode(bytes)
      return LyricsLine.lines(ofLRC: text).isEmpty ? nil : text
    }
    return nil
  }

  /// The extension in all combinations of upper and lower case; a folder is not listed, because it may be large.
  private static let lyricsEndings = (0..<8).map { number in
    String("lrc".enumerated().map { number >> $0.offset & 1 == 0 ? $0.element : Character($0.element.uppercased()) })
  }
}
