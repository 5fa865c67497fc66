/// The observers of timed metadata, the oldest first, each with its tracker.
struct TimedMetadataObservers: Sendable {
  private var trackers: [(observer: UInt64, tracker: TimedMetadataTracker)] = []

  /// Adds an observer to which metadata is delivered early by a media time of up to one day.
  mutating func add(_ observer: UInt64, advance: Duration) {
    trackers.append((observer, TimedMetadataTracker(advance: min(max(.zero, advance), .seconds(86_400)))))
  }

  mutating func remove(_ observer: UInt64) { trackers.removeAll { $0.observer == observer } }

  /// Returns the metadata to deliver to each observer.
  mutating func follow(_ playhead: Playhead) -> [(observer: UInt64, metadata: Player.TimedMetadata)] {
    trackers.indices.flatMap { index in
      trackers[index].tracker.follow(playhead).map { (trackers[index].observer, $0) }
    }
  }

  /// Returns the position at which playback next delivers metadata.
  func nextDue(_ playhead: Playhead) -> Duration? { trackers.compactMap { $0.tracker.nextDue(playhead) }.min() }
}
