/// The part of the queue that clients see as the track list.
///
/// A queue up to the window's size is shown completely. Of a longer one, the window contains at least a quarter of its
/// size on either side of the current track, unless the queue ends there. The window moves by half its size, so it
/// moves rarely.
enum TrackWindow {
  /// The limit of visible tracks.
  static let size = 200

  /// Returns the indices of the visible tracks, or of another window that moves in the same way.
  static func range(count: Int, current: Int?, size: Int = size) -> Range<Int> {
    guard count > size else { return 0..<max(0, count) }
    let half = size / 2
    let start = (current ?? 0) / half * half - half / 2
    let clamped = min(max(0, start), count - size)
    return clamped..<clamped + size
  }
}
