import CGst
import Playback

/// Chapters in the comments of Ogg, Opus and FLAC files: `CHAPTER001=00:01:02.500` and `CHAPTER001NAME=Title`.
///
/// More than 1,000 chapters have numbers with four digits. FFmpeg 5 writes the first three of them alone.
///
/// <https://wiki.xiph.org/Chapter_Extension>
enum CommentChapters {
  private static let prefix = Array("CHAPTER".utf8)

  /// Whether a comment may belong to a chapter.
  static func isKey(_ key: String) -> Bool {
    key.utf8.count > prefix.count && zip(key.utf8, prefix).allSatisfy { $0 & 0xDF == $1 }
  }

  /// Returns the chapters in the order of their numbers, without invalid ones.
  ///
  /// A number that begins again at another time is another chapter.
  static func read(_ comments: some Sequence<(key: String, value: String)>) -> [Chapter] {
    var chapters: [Int: [Chapter]] = [:]
    var titles: [Int: String] = [:]
    for (key, value) in comments where isKey(key) {
      let place = key.utf8.dropFirst(prefix.count)
      let digits = place.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let number = Int(Substring(digits)) else { continue }
      let last = chapters[number]?.indices.last
      switch Substring(place[digits.endIndex...]).uppercased() {
      case "":
        guard let start = time(value), chapters[number]?.last?.start != start else { continue }
        chapters[number, default: []].append(Chapter(start: start, title: titles.removeValue(forKey: number)))
      case "NAME":
        guard !value.isEmpty else { continue }
        if let last, chapters[number]?[last].title == nil {
          chapters[number]?[last].title = value
        } else if last == nil {
          titles[number] = titles[number] ?? value
        }
      default: break
      }
    }
    return chapters.sorted { $0.key < $1.key }.flatMap(\.value)
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
