import EngineProcess
import Playback
import TextCoding

extension LocalFile {
  /// Reads the lyrics in the LRC format from the file beside a local file, with its name and the extension `lrc`.
  ///
  /// `song.flac.lrc` belongs to `song.flac` alone, so it is preferred to `song.lrc`. The extension may have any case; lower
  /// case is preferred. At most 1 MiB is read. Text in UTF-8 or in marked UTF-16 is recognized; other text is in the user's code
  /// page. Blocks on the disk.
  ///
  /// - Parameters:
  ///   - uri: The media.
  ///   - leftOut: Called with a text for the log if only a part of the file is read.
  /// - Returns: The text; nil if the file is missing, or does not contain a line with a time.
  static func lyrics(beside uri: String, leftOut: (String) -> Void = { _ in }) -> String? {
    guard let path = path(of: uri) else { return nil }
    let short = path.folder + [UInt8(ascii: "/")] + path.lastComponent.stem
    for name in [path, short].flatMap({ stem in lyricsEndings.map { stem + Array(".\($0)".utf8) } }) {
      guard let file = RegularFile(name) else { continue }
      var bytes = file.bytes(limit: TagList.lyricsLimit)
      // The limit may divide a character.
      if file.size > bytes.count, let end = bytes.lastIndex(where: { $0 < 0x80 }) { bytes = Array(bytes[...end]) }
      let text = UTF16Bytes.decodeMarked(bytes[...]) ?? LegacyText.decoding.decode(bytes)
      guard LyricsLine.hasTimes(inLRC: text) else { continue }
      if file.size > TagList.lyricsLimit { leftOut("only the first MiB of the lyrics beside the file is read") }
      return text
    }
    return nil
  }

  /// The extension in all combinations of upper and lower case; a folder is not listed, because it may be large.
  private static let lyricsEndings = (0..<8).map { number in
    String("lrc".enumerated().map { number >> $0.offset & 1 == 0 ? $0.element : Character($0.element.uppercased()) })
  }
}
