import DBus
import MPRISService
import PlayerdInterfaces
import Synchronization
import TestSupport

/// A monitored player whose snapshot and events a test sets, and that records its observers.
final class FakeMonitoredPlayer: MonitoredPlayer {
  /// A call of ``observeTime(_:_:)``.
  struct Observer: Sendable {
    let observation: MonitorObservation
    let deliver: @Sendable (MonitorNotice) -> Void
    let isKept: @Sendable () -> Bool
  }

  private struct State {
    var snapshot = MonitorSnapshot()
    var lyrics: [MonitoredLyricsLine] = []
    var refusal: MPRISCommandError?
    var publish: [@Sendable (MonitorEvent, MonitorSnapshot) -> Void] = []
    /// The number of reads of the snapshot.
    var snapshotReads = 0
  }
  private let state = Mutex(State())

  /// A log with one entry for each call of ``observeTime(_:_:)``.
  let observers = EventLog<Observer>()
  /// The observations whose token was released, in order of release.
  let released = EventLog<MonitorObservation>()

  func monitorSnapshot() -> MonitorSnapshot {
    state.withLock { state in
      state.snapshotReads += 1
      return state.snapshot
    }
  }

  func lyrics() -> [MonitoredLyricsLine] { state.withLock { $0.lyrics } }

  func observeTime(
    _ observation: MonitorObservation, _ deliver: @escaping @Sendable (MonitorNotice) -> Void
  ) throws(MPRISCommandError) -> any AnyObject & Sendable {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    let token = Token { [released] in released.append(observation) }
    observers.append(Observer(observation: observation, deliver: deliver) { [weak token] in token != nil })
    return token
  }

  private final class Token: Sendable {
    private let release: @Sendable () -> Void
    init(release: @escaping @Sendable () -> Void) { self.release = release }
    deinit { release() }
  }
}

// MARK: - Script

extension FakeMonitoredPlayer {
  var snapshotReads: Int { state.withLock { $0.snapshotReads } }

  /// Changes the snapshot without sending an event.
  func show(_ change: (inout MonitorSnapshot) -> Void) { state.withLock { change(&$0.snapshot) } }

  /// Changes the snapshot and sends `changed`.
  func change(_ change: (inout MonitorSnapshot) -> Void) {
    show(change)
    send(.changed)
  }

  /// Starts the publication by a service.
  func attach(to service: MonitorService, on connection: DBusConnection) async {
    let publish: @Sendable (MonitorEvent, MonitorSnapshot) -> Void = { [weak service, connection] event, snapshot in
      connection.enqueue { [weak service] _ in
        service?.assumeIsolated { service in
          service.emit(event, snapshot)
          if event == .changed { service.publish(snapshot) }
        }
      }
    }
    state.withLock { $0.publish.append(publish) }
    await service.begin(showing: monitorSnapshot())
  }

  /// Sends an event with the present snapshot.
  func send(_ event: MonitorEvent) {
    let (snapshot, publish) = state.withLock { ($0.snapshot, $0.publish) }
    for publish in publish { publish(event, snapshot) }
  }

  /// Sets the lines of the lyrics.
  func sing(_ lines: [MonitoredLyricsLine]) { state.withLock { $0.lyrics = lines } }

  /// Rejects every observation from now on.
  func refuse(with error: MPRISCommandError) { state.withLock { $0.refusal = error } }
}

extension MPRISTrackPathPrefix {
  static let example: MPRISTrackPathPrefix = "/org/example/track"
}

extension MonitorSnapshot {
  /// Returns a playing track of three minutes from a local file.
  static func playing(_ number: UInt64 = 7, since instant: Int64 = 5_000_000) -> MonitorSnapshot {
    var snapshot = MonitorSnapshot()
    snapshot.track = MPRISTrackID(number, in: .example)
    (snapshot.itemStatus, snapshot.timeControlStatus) = (.readyToPlay, .playing)
    (snapshot.isPlaybackBufferFull, snapshot.isPlaybackLikelyToKeepUp) = (true, true)
    snapshot.duration = .seconds(180)
    snapshot.seekableTimeRanges = [.zero..<(.seconds(180))]
    snapshot.loadedTimeRanges = snapshot.seekableTimeRanges
    (snapshot.anchor.monotonicMicroseconds, snapshot.anchor.rate) = (instant, 1)
    return snapshot
  }
}
