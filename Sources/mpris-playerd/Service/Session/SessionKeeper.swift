import Dispatch
import GstPlayer
import MPRISService

/// Writes the session while the player plays, and once more when it ends; sleeps while nothing changes.
actor SessionKeeper {
  private let player: Player
  private var store: SessionStore
  private let executor = SessionExecutor()
  private var schedule = SessionSchedule()
  private var timer: (any DispatchSourceTimer)?
  /// What the last writing of the whole held, the place in it apart.
  private var written: Fingerprint?
  private var isStarted = false
  /// Whether the queue is still being opened, so that nothing replaces the last session yet.
  private var awaitsQueue: Bool
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Makes a keeper; one that awaits the queue writes nothing before it has an item.
  init(player: Player, store: SessionStore, awaitsQueue: Bool) {
    self.awaitsQueue = awaitsQueue
    self.player = player
    self.store = store
  }

  /// What tells that another session is to be written.
  private struct Fingerprint: Equatable {
    var queue: UInt64
    var loop: LoopMode
    var isShuffled: Bool
    var volume: Double
    var rate: Double

    init(_ snapshot: Player.Snapshot) {
      queue = snapshot.queueRevision
      loop = snapshot.loop
      isShuffled = snapshot.isShuffled
      volume = snapshot.volume
      rate = snapshot.rate
    }
  }

  /// Follows the player until its events end or the task is cancelled.
  func run() async {
    isStarted = true
    let events = player.events()
    var last: (place: PlayerItem?, transport: Player.Transport)?
    for await event in events {
      let snapshot = player.snapshot
      let isJump =
        switch event {
        case .timeJumped, .itemRepeated: true
        default: false
        }
      let isNew = last.map { $0.place != snapshot.currentItem || $0.transport != snapshot.transport } ?? true
      last = (snapshot.currentItem, snapshot.transport)
      // Tags and buffers change, too; they are none of the session's.
      if isJump || isNew || written != Fingerprint(snapshot) { schedule.changed(at: .now) }
      setTimer(isPlaying: snapshot.transport == .playing)
    }
  }

  /// Writes now.
  func save() { if isStarted { write() } }

  /// Writes what has not been written, for good.
  func close() {
    if isStarted { write() }
    isClosed = true
    timer?.cancel()
    timer = nil
  }

  private func timerFired() {
    write()
    setTimer(isPlaying: player.snapshot.transport == .playing)
  }

  private func write() {
    guard !isClosed else { return }
    let snapshot = player.snapshot
    if awaitsQueue, snapshot.itemCount == 0 { return }
    awaitsQueue = false
    let place = Session.Place(snapshot)
    let fingerprint = Fingerprint(snapshot)
    if fingerprint != written || snapshot.itemCount <= SessionStore.shortQueue {
      store.save(Session(player, snapshot, place))
      written = fingerprint
    } else {
      store.save(place)
    }
    schedule.wrote(at: .now)
  }

  private func setTimer(isPlaying: Bool) {
    guard !isClosed else { return }
    timer?.cancel()
    timer = nil
    let now = SuspendingClock.Instant.now
    guard let due = schedule.due(isPlaying: isPlaying, now: now) else { return }
    let timer = DispatchSource.makeTimerSource(queue: executor.queue)
    let wait = max(.zero, now.duration(to: due))
    timer.schedule(deadline: .now() + .microseconds(Int(wait.microseconds)), leeway: .milliseconds(50))
    timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.timerFired() } }
    timer.activate()
    self.timer = timer
  }
}

/// The keeper's queue; it may wait for a disk, and nothing else waits for it.
private final class SessionExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "org.playerd.session", qos: .utility)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

extension Session {
  fileprivate init(_ player: Player, _ snapshot: Player.Snapshot, _ place: Place) {
    let items = player.items
    queue = items.map(\.uri)
    details = items.enumerated().compactMap { Detail($1, at: $0) }
    order = player.playOrder
    self.place = place
    loop = Loop(rawValue: snapshot.loop.rawValue) ?? .none
    volume = snapshot.volume
    rate = snapshot.rate
  }
}

extension Session.Place {
  fileprivate init(_ snapshot: Player.Snapshot) {
    current = snapshot.currentIndex ?? 0
    position = Double(snapshot.position.microseconds) / 1e6
    state =
      switch snapshot.transport {
      case .stopped: .stopped
      case .paused: .paused
      case .playing: .playing
      }
  }
}
