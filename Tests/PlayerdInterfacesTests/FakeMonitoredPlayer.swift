import DBus
import MPRISService
import PlayerdInterfaces
import Synchronization
import TestSupport

/// A player that is watched: it shows and tells what a test wants, and remembers who observes it.
final class FakeMonitoredPlayer: MonitoredPlayer {
  /// One call of ``observeTime(_:_:)``.
  struct Observer: Sendable {
    let observation: MonitorObservation
    let tell: @Sendable (MonitorNotice) -> Void
    let isKept: @Sendable () -> Bool
  }

  private struct State {
    var snapshot = MonitorSnapshot()
    var refusal: CommandError?
    var listeners: [@Sendable (MonitorNews) -> Void] = []
  }
  private let state = Mutex(State())

  /// One entry for each call of ``observeMonitorEvents(_:)``, and for each of ``observeTime(_:_:)``.
  let listeners = EventLog<Void>()
  let observers = EventLog<Observer>()
  /// The observations whose token was released, in that order.
  let released = EventLog<MonitorObservation>()

  func monitorSnapshot() -> MonitorSnapshot { state.withLock { $0.snapshot } }

  func observeMonitorEvents(_ tell: @escaping @Sendable (MonitorNews) -> Void) -> any MonitorToken {
    state.withLock { $0.listeners.append(tell) }
    listeners.append(())
    return Token {}
  }

  func observeTime(
    _ observation: MonitorObservation, _ tell: @escaping @Sendable (MonitorNotice) -> Void
  ) throws(CommandError) -> any MonitorToken {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    let token = Token { [released] in released.append(observation) }
    observers.append(Observer(observation: observation, tell: tell) { [weak token] in token != nil })
    return token
  }

  private final class Token: MonitorToken {
    private let release: @Sendable () -> Void
    init(release: @escaping @Sendable () -> Void) { self.release = release }
    deinit { release() }
  }
}

// MARK: - Script

extension FakeMonitoredPlayer {
  /// Shows something else from now on, without saying so.
  func show(_ change: (inout MonitorSnapshot) -> Void) { state.withLock { change(&$0.snapshot) } }

  /// Shows something else from now on and says so.
  func change(_ change: (inout MonitorSnapshot) -> Void) {
    show(change)
    send(.changed)
  }

  func send(_ event: MonitorEvent, afterwards: @escaping @Sendable () -> Void = {}) {
    for tell in state.withLock({ $0.listeners }) { tell(MonitorNews(event, afterwards: afterwards)) }
  }

  /// Refuses every observation from now on.
  func refuse(with error: CommandError) { state.withLock { $0.refusal = error } }
}

extension TrackPathPrefix {
  static let example: TrackPathPrefix = "/org/example/track"
}

extension MonitorSnapshot {
  /// A track of three minutes that plays, from a local file.
  static func playing(_ number: UInt64 = 7, since instant: Int64 = 5_000_000) -> MonitorSnapshot {
    var snapshot = MonitorSnapshot()
    snapshot.track = TrackID(number, in: .example)
    (snapshot.itemStatus, snapshot.timeControlStatus) = (.readyToPlay, .playing)
    (snapshot.isPlaybackBufferFull, snapshot.isPlaybackLikelyToKeepUp) = (true, true)
    snapshot.duration = .seconds(180)
    snapshot.seekableTimeRanges = [.zero..<(.seconds(180))]
    snapshot.loadedTimeRanges = snapshot.seekableTimeRanges
    (snapshot.anchor.monotonicMicroseconds, snapshot.anchor.rate) = (instant, 1)
    return snapshot
  }
}
