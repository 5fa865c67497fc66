import DBus
import MPRISService

/// Checks the observers' arguments; invalid values throw `InvalidArgs`.
extension MonitorObservation {
  static let shortestInterval = Duration.milliseconds(10)

  /// The number of boundaries that counts against the limits.
  var boundaries: Int {
    switch self {
    case .interval, .lyrics: 0
    case .times(let times): times.count
    case .fractions(let fractions): fractions.count
    }
  }

  static func interval(microseconds: Int64) throws(DBusError) -> MonitorObservation {
    guard .microseconds(microseconds) >= shortestInterval else {
      throw .invalidArguments("an interval of \(microseconds) µs is shorter than \(shortestInterval.microseconds)")
    }
    return .interval(.microseconds(microseconds))
  }

  static func times(microseconds times: [Int64]) throws(DBusError) -> MonitorObservation {
    guard !times.isEmpty else { throw .invalidArguments("the list of times is empty") }
    if let negative = times.first(where: { $0 < 0 }) { throw .invalidArguments("the time \(negative) is negative") }
    return .times(times.map { .microseconds($0) })
  }

  static func fractions(checking fractions: [Double]) throws(DBusError) -> MonitorObservation {
    guard !fractions.isEmpty else { throw .invalidArguments("the list of fractions is empty") }
    if let wrong = fractions.first(where: { !(0...1).contains($0) }) {
      throw .invalidArguments("the fraction \(wrong) is not between 0 and 1")
    }
    return .fractions(fractions)
  }
}

/// Decides when to emit TrackBoundary: at the first sample of a track, whatever made the track current.
///
/// A track that was skipped before its first sample is ignored. A pause or a stop between two tracks changes nothing.
struct TrackBoundaryDetector: Equatable {
  /// The values of the signal TrackBoundary.
  struct Boundary: Equatable {
    var ended: MPRISTrackID
    var started: MPRISTrackID
    /// Nil for the current time.
    var monotonicMicroseconds: Int64?
  }

  private var audibleTrack: MPRISTrackID?

  /// Creates the state for a player that may already play.
  init(_ snapshot: MonitorSnapshot) { audibleTrack = snapshot.anchor.rate > 0 ? snapshot.track : nil }

  /// Records the end of playback; returns its boundary.
  mutating func ended() -> Boundary? {
    defer { audibleTrack = nil }
    return audibleTrack.map { Boundary(ended: $0, started: .noTrack) }
  }

  /// Returns the boundary if a track plays for the first time, or if the player no longer has a track.
  mutating func follow(_ snapshot: MonitorSnapshot) -> Boundary? {
    guard let track = snapshot.track else { return ended() }
    guard track != audibleTrack, snapshot.anchor.rate > 0 else { return nil }
    defer { audibleTrack = track }
    return Boundary(
      ended: audibleTrack ?? .noTrack, started: track, monotonicMicroseconds: snapshot.anchor.monotonicMicroseconds)
  }
}

/// Passes changes of time ranges at most four times a second, and all other changes at once.
struct RangeThrottle {
  static let pause = Duration.milliseconds(250)

  private var published: (track: MPRISTrackID?, loaded: [Range<Duration>], seekable: [Range<Duration>])?
  private var opens: SuspendingClock.Instant?

  /// Returns the snapshot that clients can read.
  mutating func pass(_ snapshot: MonitorSnapshot, at now: SuspendingClock.Instant) -> MonitorSnapshot {
    guard differs(snapshot) else { return snapshot }
    guard let published, published.track == snapshot.track, let opens, now < opens else {
      published = (snapshot.track, snapshot.loadedTimeRanges, snapshot.seekableTimeRanges)
      opens = now.advanced(by: Self.pause)
      return snapshot
    }
    var held = snapshot
    (held.loadedTimeRanges, held.seekableTimeRanges) = (published.loaded, published.seekable)
    return held
  }

  /// Returns how long the ranges are delayed from now on; nil if none are delayed.
  func wait(for snapshot: MonitorSnapshot, at now: SuspendingClock.Instant) -> Duration? {
    guard let opens, differs(snapshot) else { return nil }
    return max(.milliseconds(1), now.duration(to: opens))
  }

  private func differs(_ snapshot: MonitorSnapshot) -> Bool {
    guard let published else { return true }
    return published.track != snapshot.track || published.loaded != snapshot.loadedTimeRanges
      || published.seekable != snapshot.seekableTimeRanges
  }
}
