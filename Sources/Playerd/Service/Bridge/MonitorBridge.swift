import EventLoop
import MPRISService
import Playback
import PlayerdInterfaces
import Synchronization
import TextCoding

/// The adapter from a `Player` to Monitor1.
///
/// It receives the player's events on the executor that calls the time observers, so that their order is kept. MPRIS
/// receives the same events from here, before Monitor1 emits its PropertiesChanged.
final class MonitorBridge: MonitoredPlayer {
  private struct State {
    /// The current track according to the events delivered so far.
    var track: MPRISTrackID?
    var lastFailure: MonitorSnapshot.Failure?
    weak var listener: Listener?

    /// Returns the track of an item according to the events delivered so far.
    func track(of item: Player.Item) -> MPRISTrackID {
      let other = MPRISTrackID(item)
      return track.flatMap { $0.isSameTrack(as: other) ? $0 : nil } ?? other
    }
  }

  private let player: Player
  private let coordinator: PlaybackCoordinator
  private let extras: Extras
  private let emitOthers: @Sendable (Player.Event) -> Void
  private let state: Mutex<State>
  /// The observers that serve all clients; set once, by the initialiser.
  private let observations = Mutex<[Player.Observer]>([])

  /// The remaining time at which AboutToFinish is emitted.
  static let notice = Duration.seconds(10)

  /// Observes a player; `emitOthers` receives each event on the bus's thread, in the order of `MonitorEventHandler`.
  init(
    _ coordinator: PlaybackCoordinator, opens: OpenQueue, extras: Extras, on loop: PollLoop,
    emitOthers: @escaping @Sendable (Player.Event) -> Void
  ) {
    self.coordinator = coordinator
    player = coordinator.player
    self.extras = extras
    self.emitOthers = emitOthers
    state = Mutex(State(track: player.snapshot.track))
    let events = player.addEventObserver { [weak self] in self?.handleEvent($0, $1) }
    // Ten seconds is a valid time, so this cannot fail.
    let ends = try? player.addBoundaryTimeObserver(forTimeRemaining: Self.notice) { [weak self] in self?.nearsEnd($0) }
    observations.withLock { $0 = [events, ends].compactMap(\.self) }
    // Delivered later, because these are called while a command is carried out.
    opens.observe { [weak self, player] in
      loop.submit { [weak self, player] in self?.handleEvent(.changed, player.snapshot) }
    }
    extras.observe { [weak self] in
      loop.submit { [weak self] in self?.state.withLock { $0.listener }?.handle(.changed) {} }
    }
  }

  func monitorSnapshot() -> MonitorSnapshot {
    let playback = coordinator.snapshot
    var monitor = MonitorSnapshot(playback, lastFailure: state.withLock { $0.lastFailure })
    monitor.extras = extras.snapshot(of: playback.player)
    return monitor
  }

  // MARK: Events

  func observeMonitorEvents(_ handle: @escaping MonitorEventHandler) -> any AnyObject & Sendable {
    let listener = Listener(handle)
    state.withLock { $0.listener = listener }
    return listener
  }

  private func handleEvent(_ event: Player.Event, _ snapshot: Player.Snapshot) {
    let (monitorEvent, listener) = state.withLock { (Self.event(for: event, snapshot, &$0), $0.listener) }
    listener?.handle(monitorEvent) { [emitOthers] in emitOthers(event) }
  }

  private func nearsEnd(_ crossing: Player.BoundaryCrossing) {
    guard let remaining = crossing.timeRemaining else { return }
    let (track, listener) = state.withLock { ($0.track(of: crossing.item), $0.listener) }
    listener?.handle(.aboutToFinish(track, remaining: remaining)) {}
  }

  private static func event(for event: Player.Event, _ snapshot: Player.Snapshot, _ state: inout State) -> MonitorEvent
  {
    switch event {
    case .changed: return .changed
    case .currentItemChanged(_, let item):
      state.track = item.map { MPRISTrackID($0) }
      return .trackChanged(state.track)
    case .itemRepeated(let item, let loopCount):
      state.track = MPRISTrackID(item, loopCount: loopCount)
      return .trackChanged(state.track)
    case .timeJumped(let origin, let target):
      return state.track.map { .jumped($0, from: origin, to: target) } ?? .other
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
      return .other
    case .queueEnded: return .queueEnded
    case .playbackResumed, .warning: return .other
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
      }
    } catch {
      throw .invalid(error.message)
    }
  }

  private func report(_ crossing: Player.BoundaryCrossing, _ deliver: @Sendable (MonitorNotice) -> Void) {
    deliver(
      .boundary(
        state.withLock { $0.track(of: crossing.item) }, boundary: crossing.boundary, position: crossing.position,
        monotonicMicroseconds: crossing.monotonicNanoseconds / 1000))
  }

  /// The receiver of the events, as long as it is retained.
  private final class Listener: Sendable {
    let handle: MonitorEventHandler

    init(_ handle: @escaping MonitorEventHandler) { self.handle = handle }
  }
}
