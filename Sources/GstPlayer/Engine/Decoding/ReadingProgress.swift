import Playback

/// The progress of a demuxer or parser that reads a file to find a position.
///
/// Only data behind all that was read before is progress: of a truncated file, some demuxers read the same part again and
/// again.
struct ReadingProgress {
  /// The time between two reports.
  static let interval = Duration.seconds(1)

  private var furthest: Int64 = 0
  /// The instant of the first data, or of the last report.
  private var since: MonotonicTime?

  /// Records that the file was read up to an offset; returns whether progress is to be reported.
  mutating func advances(to end: Int64, at now: MonotonicTime) -> Bool {
    guard end > furthest else { return false }
    furthest = end
    guard let since else {
      since = now
      return false
    }
    guard now - since >= Self.interval else { return false }
    self.since = now
    return true
  }
}
