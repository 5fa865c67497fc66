import CGst
import Playback

/// Chapters in the comments of Ogg, Opus and FLAC files: `CHAPTER001=00:01:02.500` and `CHAPTER001NAME=Title`.
///
/// <https://wiki.xiph.org/Chapter_Extension>
enum CommentChapters {
  /// Returns the chapters in the order of their numbers, without invalid ones.
  static func read(_ comments: some Sequence<String>) -> [Chapter] {
    var starts: [Int: Duration] = [:]
    var titles: [Int: String] = [:]
    for comment in comments {
      guard comment.utf8.count > 10, comment.prefix(7).uppercased() == "CHAPTER",
        let equals = comment.firstIndex(of: "=")
      else { continue }
      let key = comment[..<equals].dropFirst(7)
      guard key.utf8.count >= 3, let number = Int(key.prefix(3)), number >= 0 else { continue }
      let value = String(comment[comment.index(after: equals)...])
      switch key.dropFirst(3).uppercased() {
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
  /// The maximum number of comments that are read.
  private static let commentLimit: UInt32 = 4_096

  /// The chapters in the comments.
  var commentChapters: [Chapter] {
    let first = strings(GST_TAG_EXTENDED_COMMENT, size: 128, limit: Self.valueLimit)
    guard first.contains(where: { $0.prefix(7).uppercased() == "CHAPTER" }) else { return [] }
    return CommentChapters.read(strings(GST_TAG_EXTENDED_COMMENT, size: 4096, limit: Self.commentLimit, total: 1 << 20))
  }
}
