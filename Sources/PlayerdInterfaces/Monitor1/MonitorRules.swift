import DBus
import MPRISService

/// The values that observers may be asked for with; what is wrong is `InvalidArgs`.
extension MonitorObservation {
  static let shortestInterval = Duration.milliseconds(10)

  /// The boundaries that count for the limits.
  var boundaries: Int {
    switch self {
    case .interval: 0
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
    guard !times.isEmpty else { throw .invalidArguments("there is no time in the list") }
    if let negative = times.first(where: { $0 < 0 }) { throw .invalidArguments("the time \(negative) is negative") }
    return .times(times.map { .microseconds($0) })
  }

  static func fractions(checking fractions: [Double]) throws(DBusError) -> MonitorObservation {
    guard !fractions.isEmpty else { throw .invalidArguments("there is no fraction in the list") }
    if let wrong = fractions.first(where: { !(0...1).contains($0) }) {
      throw .invalidArguments("the fraction \(wrong) is not between 0 and 1")
    }
    return .fractions(fractions)
  }
}

/// Decides when another track is heard: at its first sample, whoever made it current.
///
/// A track that was skipped before anything of it was heard is passed over; a pause or a stop between two tracks changes
/// nothing.
struct HeardTrack: Equatable {
  /// What clients are told.
  struct Boundary: Equatable {
    var ended: TrackID
    var started: TrackID
    /// Nil for the present.
    var monotonicMicroseconds: Int64?
  }

  private var heard: TrackID?
  private var current: TrackID?

  /// Begins with a player that plays already.
  init(_ snapshot: MonitorSnapshot) {
    current = snapshot.track
    heard = snapshot.anchor.rate > 0 ? snapshot.track : nil
  }

  /// Whether a snapshot is of the track that was told as current; if not, news of another one are on their way.
  func isCurrent(_ snapshot: MonitorSnapshot) -> Bool { snapshot.track == current }

  /// Another track is current.
  mutating func changed(to track: TrackID?) -> Boundary? {
    current = track
    return track == nil ? ended() : nil
  }

  /// Nothing follows.
  mutating func ended() -> Boundary? {
    defer { heard = nil }
    return heard.map { Boundary(ended: $0, started: .noTrack) }
  }

  /// Whether the current track is heard for the first time.
  mutating func look(at snapshot: MonitorSnapshot) -> Boundary? {
    guard let current, snapshot.track == current, heard != current, snapshot.anchor.rate > 0 else { return nil }
    defer { heard = current }
    return Boundary(
      ended: heard ?? .noTrack, started: current, monotonicMicroseconds: snapshot.anchor.monotonicMicroseconds)
  }
}

/// Lets ranges through four times a second at the most; all else passes at once.
struct RangeGate {
  static let pause = Duration.milliseconds(250)

  private var told: (track: TrackID?, loaded: [Range<Duration>], seekable: [Range<Duration>])?
  private var opens = Duration.zero

  /// What is seen of a snapshot at a time, counted from whenever.
  mutating func pass(_ snapshot: MonitorSnapshot, at now: Duration) -> MonitorSnapshot {
    guard differs(snapshot) else { return snapshot }
    guard let told, told.track == snapshot.track, now < opens else {
      told = (snapshot.track, snapshot.loadedTimeRanges, snapshot.seekableTimeRanges)
      opens = now + Self.pause
      return snapshot
    }
    var held = snapshot
    (held.loadedTimeRanges, held.seekableTimeRanges) = (told.loaded, told.seekable)
    return held
  }

  /// How long ranges are held back from now on; nil when none are.
  func wait(for snapshot: MonitorSnapshot, at now: Duration) -> Duration? {
    differs(snapshot) ? max(.milliseconds(1), opens - now) : nil
  }

  private func differs(_ snapshot: MonitorSnapshot) -> Bool {
    guard let told else { return true }
    return told.track != snapshot.track || told.loaded != snapshot.loadedTimeRanges
      || told.seekable != snapshot.seekableTimeRanges
  }
}
