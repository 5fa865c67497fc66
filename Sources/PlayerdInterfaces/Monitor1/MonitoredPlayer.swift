package import MPRISService

/// A player that can be monitored over the bus: one view of its state, and time observers.
///
/// Its program passes the events to ``MonitorService/emit(_:_:)``, in order with the notices of the time observers. A
/// boundary at the very end of a track is therefore delivered before that end.
package protocol MonitoredPlayer: Sendable {
  /// Returns one consistent view of the player.
  ///
  /// Called on the message bus's thread for each read of a property, so it must be cheap and must never block.
  func monitorSnapshot() -> MonitorSnapshot

  /// Returns the lines of the current track's lyrics, in order of time; empty without lyrics with times.
  func lyrics() -> [MonitoredLyricsLine]

  /// Calls `deliver` for the observation until the last reference to the result is released.
  ///
  /// - Throws: ``MPRISCommandError`` if the player does not support this observation.
  func observeTime(
    _ observation: MonitorObservation, _ deliver: @escaping @Sendable (MonitorNotice) -> Void
  ) throws(MPRISCommandError) -> any AnyObject & Sendable
}

/// A request to observe time, with checked values.
package enum MonitorObservation: Hashable, Sendable {
  /// Multiples of an interval of media time; also each start, stop, stall and jump.
  case interval(Duration)
  /// Positions of each current track.
  case times([Duration])
  /// Fractions, 0…1, of the duration of each current track.
  case fractions([Double])
  /// The beginning of each line of the lyrics.
  case lyrics
}

/// A notification of a time observer.
package enum MonitorNotice: Hashable, Sendable {
  /// The position, for an observer with an interval.
  case time(MPRISTrackID?, position: Duration)
  /// A boundary was crossed: `position` is the position at the notification, and the instant is the instant of the crossing.
  case boundary(MPRISTrackID, boundary: Duration, position: Duration, monotonicMicroseconds: Int64)
  /// A line of the lyrics begins; `end` is nil if its end is unknown.
  case lyrics(start: Duration, end: Duration?, text: String)
}

/// An event of a player.
package enum MonitorEvent: Hashable, Sendable {
  /// The snapshot has changed; the last event of a transition.
  case changed
  /// Another track is current; nil for none.
  case trackChanged(MPRISTrackID?)
  /// The track has played to its end.
  case trackEnded(MPRISTrackID)
  /// The track failed, at its start or during playback.
  case trackFailed(MPRISTrackID, MonitorSnapshot.Failure)
  /// Playback stalled because the media did not arrive in time.
  case stalled(MPRISTrackID, position: Duration)
  /// The position jumped.
  case jumped(MPRISTrackID, from: Duration, to: Duration)
  /// The track ends after this wall-clock time.
  case aboutToFinish(MPRISTrackID, remaining: Duration)
  /// Playback has entered another chapter; nil for none.
  case chapterChanged(MPRISTrackID, index: Int?, title: String)
  /// The queue has ended.
  case queueEnded
}
