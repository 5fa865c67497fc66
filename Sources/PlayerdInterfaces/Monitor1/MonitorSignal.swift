import DBus
import MPRISService

/// A signal of Monitor1 with its values.
struct MonitorSignal {
  let name: MemberName
  let values: [DBusValue]

  private init(_ signal: DBusSignal, _ values: DBusValue...) {
    name = signal.name
    self.values = values
  }

  /// Creates the signal of an event; nil if there is none or if it depends on more than the event.
  init?(_ event: MonitorEvent) {
    switch event {
    case .changed, .trackChanged, .queueEnded, .other: return nil
    case .trackEnded(let track): self.init(MonitorInterface.itemDidPlayToEnd, .track(track))
    case .trackFailed(let track, let failure):
      self.init(MonitorInterface.itemFailedToPlayToEnd, .track(track), .string(failure.code), .string(failure.message))
    case .stalled(let track, let position): self.init(MonitorInterface.playbackStalled, .track(track), .time(position))
    case .jumped(let track, let from, let to):
      self.init(MonitorInterface.timeJumped, .track(track), .time(from), .time(to))
    case .aboutToFinish(let track, let remaining):
      self.init(MonitorInterface.aboutToFinish, .track(track), .time(remaining))
    case .chapterChanged(let track, let index, let title):
      self.init(MonitorInterface.chapterChanged, .track(track), .int32(Int32(clamping: index ?? -1)), .string(title))
    }
  }

  init(_ boundary: TrackBoundaryDetector.Boundary, now: Int64) {
    self.init(
      MonitorInterface.trackBoundary, .track(boundary.ended), .track(boundary.started),
      .int64(boundary.monotonicMicroseconds ?? now))
  }

  init(_ notice: MonitorNotice, of observer: UInt32) {
    switch notice {
    case .time(let track, let position):
      self.init(MonitorInterface.periodicTime, .uint32(observer), .track(track ?? .noTrack), .time(position))
    case .boundary(let track, let boundary, let position, let instant):
      self.init(
        MonitorInterface.boundaryReached, .uint32(observer), .track(track), .time(boundary), .time(position),
        .int64(instant))
    }
  }
}

extension DBusValue {
  static func track(_ track: MPRISTrackID) -> DBusValue { .objectPath(track.path) }
  fileprivate static func time(_ time: Duration) -> DBusValue { .int64(time.microseconds) }
}
