import EngineProcess
import Playback
import TextCoding

/// Reads the lyrics of an APE tag at the end of a file, as in WavPack, Musepack and Monkey's Audio; GStreamer drops them.
///
/// Reading is pure and bounded for any file.
///
/// <https://wiki.hydrogenaud.io/index.php?title=APEv2_specification>
enum APELyrics {
  /// The maximum size of a tag that is read, in bytes: pictures may precede the lyrics.
  private static let sizeLimit = 32 << 20
  private static let itemLimit = 1_000
  private static let footer = 32
  /// The size of a tag of ID3v1, which may follow.
  private static let id3 = 128

  /// Returns the lyrics of a file; nil if there are none.
  ///
  /// - Parameters:
  ///   - size: The size of the file.
  ///   - bytes: Returns a number of bytes of the file from an offset, or fewer at its end.
  /// - Returns: The first lyrics with times, else the first.
  static func read(_ size: Int, _ bytes: (_ offset: Int, _ count: Int) -> [UInt8]) -> String? {
    for end in [size, size - id3] where end >= footer {
      let foot = bytes(end - footer, footer)[...]
      guard foot.starts(with: Array("APETAGEX".utf8)), let length = foot.number(4, at: 12, isLittleEndian: true),
        let count = foot.number(4, at: 16, isLittleEndian: true), (footer...min(end, sizeLimit)).contains(length)
      else { continue }
      return lyrics(count: min(count, itemLimit), in: bytes(end - length, length - footer)[...])
    }
    return nil
  }

  /// Each item has the size of its value, flags, a key that ends at a zero, and the value.
  private static func lyrics(count: Int, in items: ArraySlice<UInt8>) -> String? {
    var rest = items
    var choice = LyricsChoice()
    for _ in 0..<count {
      guard let size = rest.number(4, isLittleEndian: true), let flags = rest.number(4, at: 4, isLittleEndian: true),
        let end = rest.dropFirst(8).firstIndex(of: 0), size <= rest.endIndex - end - 1
      else { break }
      let key = String(decoding: rest.dropFirst(8)[..<end], as: UTF8.self)
      let value = rest[(end + 1)...].prefix(size)
      // Bits 1 and 2 are zero for text, which is in UTF-8.
      if flags & 6 == 0, LyricsChoice.isKey(key) {
        choice.add(String(decoding: value.prefix(TagList.lyricsLimit), as: UTF8.self))
      }
      rest = rest[(end + 1)...].dropFirst(size)
    }
    return choice.lyrics
  }
}

extension LocalFile {
  /// The file name extensions of formats that may end with an APE tag.
  private static let apeEndings: Set = ["ape", "mp3", "mp+", "mpc", "ofr", "tak", "tta", "wv"]

  /// Reads the lyrics in the APE tag of a local file; blocks on the disk.
  static func apeLyrics(_ uri: String) -> String? {
    guard let path = path(of: uri), apeEndings.contains(path.fileExtension), let file = RegularFile(path) else {
      return nil
    }
    return APELyrics.read(file.size) { file.bytes(from: $0, limit: $1) }
  }
}
