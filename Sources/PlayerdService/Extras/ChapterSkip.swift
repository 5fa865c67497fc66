import Playback

/// Computes the targets of the chapter commands.
package enum ChapterSkip {
  /// The time into a chapter within which the previous chapter is the target.
  package static let grace = Duration.seconds(3)

  /// Returns the start of the next chapter; nil if there is none.
  static func next(of chapters: [Chapter], at position: Duration) -> Duration? {
    chapters.first { $0.start > position }?.start
  }

  /// Returns the start of the chapter, or of the previous chapter in its first seconds; nil before the first chapter.
  static func previous(of chapters: [Chapter], at position: Duration) -> Duration? {
    guard let started = chapters.last(where: { $0.start <= position })?.start else { return nil }
    guard position - started <= grace else { return started }
    return chapters.last { $0.start < started }?.start ?? started
  }
}
