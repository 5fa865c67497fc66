import EventLoop
import MPRISService
import Playback
import PlayerdInterfaces
import Synchronization
import TextCoding

/// Adapts a `Player` to Monitor1: converts its state, its events and its time observers.
final class MonitorBridge: MonitoredPlayer {
  private struct State {
    /// The current track according to the events delivered so far; one decision may report several tracks.
    var track: MPRISTrackID?
    var lastFailure: MonitorSnapshot.Failure?

    /// Returns the track of an item according to the events delivered so far.
    func track(of item: Player.Item) -> MPRISTrackID {
      let other = MPRISTrackID(item)
      return track.flatMap { $0.isSameTrack(as: other) ? $0 : nil } ?? other
    }
  }

  private let player: Player
  private let coordinator: PlaybackCoordinator
  private let extras: Extras
  private let state: Mutex<State>

  /// The remaining time at which AboutToFinish is emitted.
  static let notice = Duration.seconds(10)

  init(_ coordinator: PlaybackCoordinator, extras: Extras) {
    self.coordinator = coordinator
    player = coordinator.player
    self.extras = extras
    state = Mutex(State(track: player.snapshot.track))
  }

  func monitorSnapshot() -> MonitorSnapshot {
    let playback = coordinator.snapshot
    return snapshot(of: playback, extras.snapshot(of: playback.player))
  }

  func snapshot(of playback: PlaybackCoordinator.Snapshot, _ extras: ExtrasSnapshot) -> MonitorSnapshot {
    var monitor = MonitorSnapshot(playback, lastFailure: state.withLock { $0.lastFailure })
    monitor.extras = extras
    return monitor
  }

  // MARK: Events

  /// Converts an event, and the report that a track nears its end; returns nil for one without a signal.
  func monitorEvent(_ event: Player.Event, _ snapshot: Player.Snapshot) -> MonitorEvent? {
    state.withLock { Self.monitorEvent(event, snapshot, &$0) }
  }

  func aboutToFinish(_ crossing: Player.BoundaryCrossing) -> MonitorEvent {
    .aboutToFinish(state.withLock { $0.track(of: crossing.item) }, remaining: crossing.timeRemaining ?? .zero)
  }

  private static func monitorEvent(
    _ event: Player.Event, _ snapshot: Player.Snapshot, _ state: inout State
  ) -> MonitorEvent? {
    switch event {
    case .changed: return .changed
    case .currentItemChanged(_, let item):
      state.track = item.map { MPRISTrackID($0) }
      return .trackChanged(state.track)
    case .itemRepeated(let item, let loopCount):
      state.track = MPRISTrackID(item, loopCount: loopCount)
      return .trackChanged(state.track)
    case .timeJumped(let origin, let target): return state.track.map { .jumped($0, from: origin, to: target) }
    case .itemDidPlayToEnd(let item): return .trackEnded(state.track(of: item))
    case .chapterChanged(let item, let index, let chapter):
      return .chapterChanged(state.track(of: item), index: index, title: chapter?.title ?? "")
    case .itemFailed(let item, let error):
      let failure = MonitorSnapshot.Failure(error, uri: item.uri.withoutURISecrets)
      state.lastFailure = failure
      return .trackFailed(state.track(of: item), failure)
    case .playbackStalled(let item): return .stalled(state.track(of: item), position: snapshot.position)
    case .outputFailed(let error):
      state.lastFailure = MonitorSnapshot.Failure(error)
      return nil
    case .queueEnded: return .queueEnded
    case .playbackResumed, .warning: return nil
    }
  }

  // MARK: Observers

  func observeTime(
    _ observation: MonitorObservation, _ deliver: @escaping @Sendable (MonitorNotice) -> Void
  ) throws(MPRISCommandError) -> any AnyObject & Sendable {
    do {
      switch observation {
      case .interval(let interval):
        return try player.addPeriodicTimeObserver(forInterval: interval) { [weak self] position in
          deliver(.time(self?.state.withLock { $0.track }, position: position))
        }
      case .times(let times):
        return try player.addBoundaryTimeObserver(forTimes: times) { [weak self] in self?.report($0, deliver) }
      case .fractions(let fractions):
        return try player.addBoundaryTimeObserver(forFractions: fractions) { [weak self] in self?.report($0, deliver) }
      case .lyrics:
        return player.addTimedMetadataObserver { [weak self] in self?.report($0, deliver) }
      }
    } catch {
      throw .invalid(error.message)
    }
  }

  func lyrics() -> [MonitoredLyricsLine] {
    player.snapshot.lyrics.map { MonitoredLyricsLine(start: $0.start.microseconds, text: $0.text) }
  }

  private func report(_ metadata: Player.TimedMetadata, _ deliver: @Sendable (MonitorNotice) -> Void) {
    guard case .lyrics(let text) = metadata.content else { return }
    let end = metadata.duration.map { metadata.time + $0 }
    let snapshot = player.snapshot
    deliver(
      .lyrics(
        start: metadata.time, end: end ?? (snapshot.currentItem == metadata.item ? snapshot.duration : nil), text: text)
    )
  }

  private func report(_ crossing: Player.BoundaryCrossing, _ deliver: @Sendable (MonitorNotice) -> Void) {
    deliver(
      .boundary(
        state.withLock { $0.track(of: crossing.item) }, boundary: crossing.boundary, position: crossing.position,
        monotonicMicroseconds: crossing.monotonicNanoseconds / 1000))
  }
}
