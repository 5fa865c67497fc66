/// The signs that playback does not advance although the output runs.
///
/// Invariants: `doubt` exists only between the request of a measurement and its result. `measurement` belongs to the
/// present end of the data.
struct Standstill: Codable, Equatable, Sendable {
  /// A measurement after the time limit.
  struct Measurement: Codable, Equatable, Sendable {
    var position: Duration
    var instant: MonotonicTime
  }

  /// The media time at which the data ends that has reached the output; nil as long as more is decoded.
  private(set) var dataEnd: Duration?
  /// The gap that the output has yet to pass, in time of the media; the position may advance in it.
  private(set) var gap: StreamProgress.Gap?
  /// The last gap that the output has passed.
  private var passedGap: StreamProgress.Gap?
  /// The instant at which the time limit begins at the earliest.
  private(set) var since = MonotonicTime(nanoseconds: 0)
  /// The instant at which a measurement first showed the end of the part that is to be played.
  var reached: MonotonicTime?
  /// The last measured position beyond the stated duration, in time of the item.
  var beyond = Duration.zero
  /// The first measurement after the time limit; the position stands if the next one is the same.
  var measurement: Measurement?
  /// The deadline for a requested measurement.
  var doubt: MonotonicTime?

  /// The time between two measurements, and the time in which the engine measures the position.
  static let interval = Duration.seconds(1)

  /// Lets the time limit begin again.
  mutating func begin(at now: MonotonicTime) {
    since = now
    reached = nil
    measurement = nil
    doubt = nil
  }

  /// Records the end of the data at the output; the time limit begins again if it has moved.
  mutating func note(_ progress: StreamProgress, now: MonotonicTime) {
    let gap = progress.gap == passedGap ? nil : progress.gap
    guard progress.dataEnd != dataEnd || gap != self.gap else { return }
    (dataEnd, self.gap) = (progress.dataEnd, gap)
    let doubt = doubt
    begin(at: now)
    self.doubt = doubt
  }

  /// Records that the output plays the data after the gap.
  mutating func passGap() { (passedGap, gap) = (gap, nil) }
}
