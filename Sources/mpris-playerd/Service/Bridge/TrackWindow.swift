/// Which part of the queue clients see as the track list.
///
/// A queue up to the window's size is seen whole. Of a longer one clients see a part that has at least a quarter of its
/// tracks on either side of the current one, as far as the queue goes, and that moves half its size at a time: seldom.
enum TrackWindow {
  /// The most tracks that are seen.
  static let size = 200

  /// The places of the tracks that are seen.
  static func range(count: Int, current: Int?) -> Range<Int> {
    guard count > size else { return 0..<max(0, count) }
    let half = size / 2
    let start = (current ?? 0) / half * half - half / 2
    let clamped = min(max(0, start), count - size)
    return clamped..<clamped + size
  }
}
