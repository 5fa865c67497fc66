import GstPlayer
import MPRISService
import PlayerdInterfaces
import Synchronization

/// A `GstPlayer.Player` as one that is watched over the bus.
///
/// It hears the player's events where the time observers are called, so that all of them keep their order; MPRIS gets
/// the same events from here, after Monitor1 has told them.
final class MonitorBridge: MonitoredPlayer {
  private struct State {
    /// The current item and its loop count according to the events delivered so far.
    var item: PlayerItem?
    var loopCount = 0
    var lastFailure: MonitorSnapshot.Failure?
    var tell: (@Sendable (MonitorNews) -> Void)?
    var listener: UInt64 = 0

    var track: TrackID? { item.map { TrackID($0, loopCount: loopCount) } }

    /// Returns the track of an item according to the events delivered so far.
    func track(of other: PlayerItem) -> TrackID {
      TrackID(other, loopCount: other.id == item?.id ? loopCount : 0)
    }
  }

  private let player: Player
  private let coordinator: PlaybackCoordinator
  private let extras: Extras
  private let afterwards: @Sendable (PlayerEvent) -> Void
  private let state: Mutex<State>
  /// What is heard for everybody; set once, by the initialiser.
  private let observations = Mutex<[PlayerObservation]>([])

  /// How long before its end a track is about to finish.
  static let notice = Duration.seconds(10)

  /// Watches a player; `afterwards` gets each event on the bus's thread when it has been told.
  init(
    _ coordinator: PlaybackCoordinator, opens: OpenQueue, extras: Extras,
    afterwards: @escaping @Sendable (PlayerEvent) -> Void
  ) {
    self.coordinator = coordinator
    player = coordinator.player
    self.extras = extras
    self.afterwards = afterwards
    let snapshot = player.snapshot
    state = Mutex(State(item: snapshot.currentItem, loopCount: snapshot.loopCount))
    let events = player.addEventObserver { [weak self] in self?.heard($0) }
    // Nothing is wrong with ten seconds.
    let ends = try? player.addBoundaryTimeObserver(forTimeRemaining: Self.notice) { [weak self] in self?.nearsEnd($0) }
    observations.withLock { $0 = [events, ends].compactMap(\.self) }
    opens.observe { [weak self] in self?.heard(.changed) }
    extras.observe { [weak self] in self?.state.withLock { $0.tell }?(MonitorNews(.changed)) }
  }

  func monitorSnapshot() -> MonitorSnapshot {
    let playback = coordinator.snapshot
    var monitor = MonitorSnapshot(playback, lastFailure: state.withLock { $0.lastFailure })
    monitor.extras = extras.snapshot(of: playback.player)
    return monitor
  }

  // MARK: Events

  func observeMonitorEvents(_ tell: @escaping @Sendable (MonitorNews) -> Void) -> any MonitorToken {
    let number = state.withLock { state in
      state.listener += 1
      state.tell = tell
      return state.listener
    }
    return Token { [weak self] in self?.forget(number) }
  }

  private func forget(_ listener: UInt64) {
    state.withLock { state in
      if state.listener == listener { state.tell = nil }
    }
  }

  private func heard(_ event: PlayerEvent) {
    let (events, tell) = state.withLock { state in (Self.events(for: event, player, &state), state.tell) }
    for monitorEvent in events.dropLast() { tell?(MonitorNews(monitorEvent)) }
    tell?(MonitorNews(events.last ?? .other) { [afterwards] in afterwards(event) })
  }

  private func nearsEnd(_ crossing: BoundaryCrossing) {
    let snapshot = player.snapshot
    guard let duration = snapshot.duration, snapshot.currentItem == crossing.item else { return }
    let remaining = max(.zero, duration - crossing.position) / snapshot.rate
    let (track, tell) = state.withLock { ($0.track(of: crossing.item), $0.tell) }
    tell?(MonitorNews(.aboutToFinish(track, remaining: remaining)))
  }

  private static func events(for event: PlayerEvent, _ player: Player, _ state: inout State) -> [MonitorEvent] {
    switch event {
    case .changed: return [.changed]
    case .currentItemChanged(_, let item):
      (state.item, state.loopCount) = (item, 0)
      return [.trackChanged(state.track)]
    case .itemRepeated(let item, let loopCount):
      (state.item, state.loopCount) = (item, loopCount)
      return [.trackChanged(state.track)]
    case .timeJumped(let origin, let target):
      return state.track.map { [.jumped($0, from: origin, to: target)] } ?? []
    case .itemDidPlayToEnd(let item): return [.trackEnded(state.track(of: item))]
    case .chapterChanged(let item, let index, let chapter):
      return [.chapterChanged(state.track(of: item), index: index, title: chapter?.title ?? "")]
    case .itemFailed(let item, let error):
      let failure = MonitorSnapshot.Failure(error, uri: item.uri)
      state.lastFailure = failure
      return [.trackFailed(state.track(of: item), failure)]
    case .playbackStalled(let item): return [.stalled(state.track(of: item), position: player.snapshot.position)]
    case .outputFailed(let error):
      state.lastFailure = MonitorSnapshot.Failure(error)
      return []
    case .queueEnded: return [.queueEnded]
    case .playbackResumed, .warning: return []
    }
  }

  // MARK: Observers

  func observeTime(
    _ observation: MonitorObservation, _ tell: @escaping @Sendable (MonitorNotice) -> Void
  ) throws(CommandError) -> any MonitorToken {
    do {
      switch observation {
      case .interval(let interval):
        return Token(
          try player.addPeriodicTimeObserver(forInterval: interval) { [weak self] position in
            tell(.time(self?.state.withLock { $0.track }, position: position))
          })
      case .times(let times):
        return Token(try player.addBoundaryTimeObserver(forTimes: times) { [weak self] in self?.report($0, tell) })
      case .fractions(let fractions):
        return Token(
          try player.addBoundaryTimeObserver(forFractions: fractions) { [weak self] in self?.report($0, tell) })
      }
    } catch {
      throw .invalid(error.message)
    }
  }

  private func report(_ crossing: BoundaryCrossing, _ tell: @Sendable (MonitorNotice) -> Void) {
    tell(MonitorNotice(crossing, of: state.withLock { $0.track(of: crossing.item) }))
  }

  /// Ends what it stands for when it goes.
  private final class Token: MonitorToken {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    convenience init(_ observation: PlayerObservation) { self.init { observation.cancel() } }

    deinit { end() }
  }
}
