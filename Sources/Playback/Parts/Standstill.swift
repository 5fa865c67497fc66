/// The signs that playback does not advance although the output runs.
///
/// When the time limit has passed, two measurements a second apart decide. Invariants: `doubt` exists only between the request of
/// a measurement and its result. `measurement` belongs to the present end of the data.
struct Standstill: Codable, Equatable, Sendable {
  /// A measurement after the time limit.
  private struct Measurement: Codable, Equatable, Sendable {
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
  private var since = MonotonicTime(nanoseconds: 0)
  /// The instant at which a measurement first showed the end of the part that is to be played.
  private var reached: MonotonicTime?
  /// The last measured position beyond the stated duration, in time of the item.
  private(set) var beyond = Duration.zero
  /// The first measurement after the time limit; the position stands if the next one is the same.
  private var measurement: Measurement?
  /// The deadline for a requested measurement.
  private var doubt: MonotonicTime?

  /// The time between two measurements, and the time in which the engine measures the position.
  private static let interval = Duration.seconds(1)

  /// Whether a measurement was requested.
  var isInDoubt: Bool { doubt != nil }

  /// The instant at which a doubt is decided, or measured again; nil without one.
  var nextCheck: MonotonicTime? { doubt ?? measurement.map { $0.instant + Self.interval } }

  /// Returns the end of a time limit that begins at the end of the data, which is reached at an instant.
  func deadline(after limit: Duration, reaching end: MonotonicTime) -> MonotonicTime {
    max(reached ?? end, since) + limit
  }

  /// Returns the end of a time limit while the end of the data is unknown.
  func deadline(after limit: Duration) -> MonotonicTime { since + limit }

  /// Lets the time limit begin again.
  mutating func begin(at now: MonotonicTime) { (since, reached, measurement, doubt) = (now, nil, nil, nil) }

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

  /// Requests a measurement at a check that was due at an instant; returns false if the limit begins again instead.
  ///
  /// A check that is late shows that the process did not run for some time.
  mutating func doubts(since due: MonotonicTime, now: MonotonicTime) -> Bool {
    guard due + Self.interval >= now else {
      begin(at: now)
      return false
    }
    doubt = now + Self.interval
    return true
  }

  /// Records a measurement; returns whether it was requested.
  mutating func takeMeasurement() -> Bool { doubt.take() != nil }

  /// Records the instant at which the end of the part that is to be played was reached; nil if a measurement is before it.
  mutating func reaches(_ instant: MonotonicTime?) { reached = instant.map { reached ?? $0 } }

  /// Evaluates a requested measurement at the end of the data, or in a gap; returns whether the position stands.
  mutating func judge(_ position: Duration, isAtEnd: Bool, isInGap: Bool, now: MonotonicTime) -> Bool {
    guard let first = measurement else {
      measurement = Measurement(position: position, instant: now)
      return false
    }
    if isInGap || first.position == position && isAtEnd { return true }
    begin(at: now)
    // The media is longer than stated.
    if isAtEnd { beyond = position }
    return false
  }
}
