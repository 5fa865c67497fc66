import DBus
import EventLoop
import MPRISService
import Playback
import PlayerdInterfaces
import Synchronization

/// Publishes the changes of the player on the bus.
///
/// It publishes the values that are passed to it, in order: the snapshot of each event, and the pending requests after
/// each of their changes. So a client sees each transition once, even if later commands were already sent. All
/// work runs on the thread of the bus, on which the player calls its observers.
actor BusPublisher {
  private let loop: PollLoop
  private let player: PlayerBridge
  nonisolated let monitor: MonitorBridge
  private let extras: Extras
  /// The last state, and the requests that it was combined with.
  private var playback: PlaybackCoordinator.Snapshot
  private var pending: PendingOpens
  private var extrasSnapshot: ExtrasSnapshot
  /// The revision of the queue and the index of the current track when MPRIS was last published.
  private var trackList: (revision: UInt64, current: Int?)?
  /// The objects of MPRIS on the connected buses.
  private var exported: [MPRISExportedPlayer] = []
  /// The object of Monitor1; nil while the session bus is not connected.
  private var service: MonitorService?
  private let observers = Mutex<[Player.Observer]>([])

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(
    _ player: PlayerBridge, _ monitor: MonitorBridge, _ extras: Extras, opens: OpenQueue, on loop: PollLoop
  ) {
    self.loop = loop
    self.player = player
    self.monitor = monitor
    self.extras = extras
    let state = player.player.snapshot
    pending = PendingOpens()
    playback = PlaybackCoordinator.Snapshot(state, pending)
    extrasSnapshot = extras.snapshot(of: state)
    let events = player.player.addEventObserver { [weak self] event, state in
      self?.assumeIsolated { $0.publish(event, state) }
    }
    // Ten seconds is a valid time, so this cannot fail.
    let ends = try? player.player.addBoundaryTimeObserver(forTimeRemaining: MonitorBridge.notice) {
      [weak self] crossing in
      self?.assumeIsolated { $0.emit($0.monitor.aboutToFinish(crossing)) }
    }
    observers.withLock { $0 = [events, ends].compactMap(\.self) }
    // Published later, because these are called while a command is carried out.
    opens.observe { [weak self] change in
      loop.submit { [weak self] in self?.assumeIsolated { $0.publish(change) } }
    }
    extras.observe { [weak self] in
      loop.submit { [weak self] in self?.assumeIsolated { $0.publishExtras() } }
    }
    // The player may have changed before it was observed.
    loop.submit { [weak self] in self?.assumeIsolated { $0.publish(.changed, $0.player.player.snapshot) } }
  }

  // MARK: Connections

  /// Publishes the object of Monitor1 from now on.
  func attach(_ service: MonitorService) {
    self.service = service
    let snapshot = monitorSnapshot
    service.assumeIsolated { $0.begin(showing: snapshot) }
  }

  /// Publishes both objects on a connection until it is closed or the task is cancelled.
  func run(_ mpris: MPRISExportedPlayer, until connection: DBusConnection) async {
    await publish(mpris, until: connection)
    service = nil
  }

  /// Publishes MPRIS alone on another connection until it is closed or the task is cancelled.
  func publish(_ mpris: MPRISExportedPlayer, until connection: DBusConnection) async {
    exported.append(mpris)
    await mpris.run(until: connection) { self.assumeIsolated { $0.player.snapshot(of: $0.playback) } }
    exported.removeAll { $0 === mpris }
  }

  // MARK: Changes

  /// Publishes an event of the player: its signals, then the changed properties.
  private func publish(_ event: Player.Event, _ state: Player.Snapshot) {
    let old = playback.player
    pending.follow(PendingOpens.PlayerView(state))
    playback = PlaybackCoordinator.Snapshot(state, pending)
    if old.currentItem != state.currentItem || old.actionAtItemEnd != state.actionAtItemEnd
      || old.audioOutput != state.audioOutput || old.crossfade != state.crossfade
    {
      extrasSnapshot = extras.snapshot(of: state)
    }
    switch event {
    // Seeked precedes TimeJumped, because more clients wait for it.
    case .timeJumped(_, let position), .playbackResumed(_, let position):
      let snapshot = player.snapshot(of: playback)
      for mpris in exported { mpris.assumeIsolated { $0.publish(.seeked(to: position), snapshot) } }
    default: break
    }
    if let signal = monitor.monitorEvent(event, state) { emit(signal) }
    if event == .changed { publishProperties() }
  }

  /// Publishes the changed properties, in the order MPRIS, Monitor1, Extras1: more clients wait for MPRIS.
  private func publishProperties() {
    let snapshot = player.snapshot(of: playback)
    let list = (playback.player.queueRevision, playback.player.currentIndex)
    let isListChanged = trackList.map { $0 != list } ?? true
    trackList = list
    for mpris in exported {
      mpris.assumeIsolated { mpris in
        // MPRIS lacks a property for a change of the buffer, for example.
        if isListChanged || !mpris.isUnchanged(in: snapshot) { mpris.publish(.changed, snapshot) }
      }
    }
    publishMonitor()
  }

  /// Publishes the object of Monitor1, then of Extras1.
  private func publishMonitor() {
    let snapshot = monitorSnapshot
    service?.assumeIsolated { $0.publish(snapshot) }
  }

  /// Publishes a change of the requests, together with the events of its command.
  private func publish(_ change: OpenQueue.Change) {
    switch change {
    case .begun(let pending): self.pending = pending
    case .ended:
      playback = PlaybackCoordinator.Snapshot(playback.player, pending)
      publishProperties()
    }
  }

  private func publishExtras() {
    extrasSnapshot = extras.snapshot(of: playback.player)
    publishMonitor()
  }

  private func emit(_ event: MonitorEvent) {
    let snapshot = monitorSnapshot
    service?.assumeIsolated { $0.emit(event, snapshot) }
  }

  private var monitorSnapshot: MonitorSnapshot { monitor.snapshot(of: playback, extrasSnapshot) }
}
