public import MPRISService

/// What a player offers to be watched over the bus: one view of its state, one stream of news, observers of its time.
///
/// Whatever it tells, news and observers' notices alike, it tells one after the other and in the order in which it
/// happened, so that a boundary at the very end of a track comes before that end.
public protocol MonitoredPlayer: Sendable {
  /// Returns one consistent view of the player.
  ///
  /// Called on the message bus's thread for each read of a property, so it must be cheap and must never block.
  func monitorSnapshot() -> MonitorSnapshot

  /// Calls `tell` with all news from now on, until the token is dropped.
  func observeMonitorEvents(_ tell: @escaping @Sendable (MonitorNews) -> Void) -> any MonitorToken

  /// Calls `tell` as the observation asks, until the token is dropped.
  ///
  /// - Throws: ``CommandError`` when the player does not observe this.
  func observeTime(
    _ observation: MonitorObservation, _ tell: @escaping @Sendable (MonitorNotice) -> Void
  ) throws(CommandError) -> any MonitorToken
}

/// What an observer waits for; the values have been checked.
public enum MonitorObservation: Hashable, Sendable {
  /// Multiples of an interval of media time; also each start, stop, stall and jump.
  case interval(Duration)
  /// Positions of whatever track is current.
  case times([Duration])
  /// Fractions, 0…1, of the duration of whatever track is current.
  case fractions([Double])
}

/// What an observer of time is told.
public enum MonitorNotice: Hashable, Sendable {
  /// The position, of an observer with an interval.
  case time(TrackID?, position: Duration)
  /// A boundary was traversed: `position` is where play was when that was noticed, the instant is that of the crossing.
  case boundary(TrackID, boundary: Duration, position: Duration, monotonicMicroseconds: Int64)
}

/// Keeps an observer; when the last reference goes, the observer is called no more.
public protocol MonitorToken: AnyObject, Sendable {}

/// News of a player, and what is to follow when they have been told.
public struct MonitorNews: Sendable {
  /// What has happened.
  public let event: MonitorEvent
  /// Called on the bus's thread once the signals that the event causes have been sent: signals that must come later.
  public let afterwards: @Sendable () -> Void

  /// Creates news.
  public init(_ event: MonitorEvent, afterwards: @escaping @Sendable () -> Void = {}) {
    self.event = event
    self.afterwards = afterwards
  }
}

/// What has happened in a player.
public enum MonitorEvent: Hashable, Sendable {
  /// Something in the snapshot is different; comes last of what one transition causes.
  case changed
  /// Another track is current; nil for none.
  case trackChanged(TrackID?)
  /// The track has played to its end.
  case trackEnded(TrackID)
  /// The track failed, at its start or on its way.
  case trackFailed(TrackID, MonitorSnapshot.Failure)
  /// The media did not arrive in time.
  case stalled(TrackID, position: Duration)
  /// The position jumped.
  case jumped(TrackID, from: Duration, to: Duration)
  /// This much wall time is left of the track.
  case aboutToFinish(TrackID, remaining: Duration)
  /// Play has come into another chapter; nil for none.
  case chapterChanged(TrackID, index: Int?, title: String)
  /// Nothing follows.
  case queueEnded
  /// Nothing that is told here; news of it have their place among the rest for the sake of what follows them.
  case other
}
