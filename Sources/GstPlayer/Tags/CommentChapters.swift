import CGst
import Playback

/// Chapters in the comments of Ogg, Opus and FLAC files: `CHAPTER001=00:01:02.500` and `CHAPTER001NAME=Title`.
///
/// FFmpeg numbers more than 1,000 chapters with four digits.
///
/// <https://wiki.xiph.org/Chapter_Extension>
enum CommentChapters {
  private static let prefix = Array("CHAPTER".utf8)

  /// Whether a comment may belong to a chapter.
  static func isKey(_ key: String) -> Bool {
    key.utf8.count > prefix.count && zip(key.utf8, prefix).allSatisfy { $0 & 0xDF == $1 }
  }

  /// Returns the chapters in the order of their numbers, without invalid ones.
  static func read(_ comments: some Sequence<(key: String, value: String)>) -> [Chapter] {
    var starts: [Int: Duration] = [:]
    var titles: [Int: String] = [:]
    for (key, value) in comments where isKey(key) {
      let place = key.utf8.dropFirst(prefix.count)
      let digits = place.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let number = Int(Substring(digits)) else { continue }
      switch Substring(place[digits.endIndex...]).uppercased() {
      case "": starts[number] = starts[number] ?? time(value)
      case "NAME": if !value.isEmpty { titles[number] = titles[number] ?? value }
      default: break
      }
    }
    return starts.sorted { $0.key < $1.key }.map { Chapter(start: $0.value, title: titles[$0.key]) }
  }

  /// Parses `hh:mm:ss`, with or without a fraction.
  private static func time(_ text: String) -> Duration? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { "0123456789.".utf8.contains($0) } }),
      let hours = Int(parts[0]), let minutes = Int(parts[1]), let seconds = Double(parts[2]),
      hours < 10_000, minutes < 60, seconds < 60
    else { return nil }
    return .seconds(hours * 3600 + minutes * 60) + .milliseconds(Int64((seconds * 1000).rounded()))
  }
}

extension TagList {
  /// The maximum size of the titles of all chapters, in bytes.
  private static let titlesLimit = 4 << 20

  /// The chapters in the comments.
  var commentChapters: [Chapter] {
    CommentChapters.read(comments(size: 4096, total: Self.titlesLimit, where: CommentChapters.isKey))
  }
}
