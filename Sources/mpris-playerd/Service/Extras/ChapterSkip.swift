import GstPlayer

/// Where the chapter keys go.
enum ChapterSkip {
  /// How far into a chapter its start counts as behind.
  static let grace = Duration.seconds(3)

  /// The start of the chapter that follows; nil when there is none.
  static func next(of chapters: [Chapter], at position: Duration) -> Duration? {
    chapters.first { $0.start > position }?.start
  }

  /// The start of the chapter, or within its first seconds that of the one before; nil without chapters.
  static func previous(of chapters: [Chapter], at position: Duration) -> Duration? {
    guard let first = chapters.first else { return nil }
    let started = chapters.last { $0.start <= position }?.start ?? first.start
    guard position - started <= grace else { return started }
    return chapters.last { $0.start < started }?.start ?? first.start
  }
}
