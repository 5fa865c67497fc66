import EventLoop
import MPRISService
import Playback
import PlayerdStorage
import PlayerdSystem

/// Saves the session during playback and at the end, and is idle while nothing changes.
actor SessionKeeper {
  private let player: Player
  private var store: SessionStore
  /// A separate queue, because a write may block on the disk.
  private let queue: any SerialQueue
  private var schedule = SessionSchedule()
  /// The content of the last full save, without the playback position.
  private var written: Fingerprint?
  /// The number of items in the last full save.
  private var writtenCount = 0
  private var isStarted = false
  /// Whether the queue is still being opened; the last session is not replaced until then.
  private var awaitsQueue: Bool
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  /// Creates a keeper; if it awaits the queue, it writes nothing before the queue has an item.
  init(player: Player, store: SessionStore, on queue: any SerialQueue, awaitsQueue: Bool) {
    self.queue = queue
    self.awaitsQueue = awaitsQueue
    self.player = player
    self.store = store
  }

  /// The values that require a full save when they change.
  private struct Fingerprint: Equatable {
    var queue: UInt64
    var loop: Player.LoopMode
    var shuffle: Player.ShuffleMode
    var volume: Double
    var rate: Double

    init(_ snapshot: Player.Snapshot) {
      queue = snapshot.queueRevision
      loop = snapshot.loop
      shuffle = snapshot.shuffleMode
      volume = snapshot.volume
      rate = snapshot.rate
    }
  }

  /// Observes the player until its events end or the task is cancelled.
  func run() async {
    isStarted = true
    let events = player.events()
    store.makeDurable()
    // A stream waits on the caller's queue otherwise, which a slow folder may block.
    await withTaskExecutorPreference(queue) { await follow(events) }
  }

  private func follow(_ events: some AsyncSequence<Player.Event, Never>) async {
    var last: (place: Player.Item?, transport: Player.Transport)?
    for await event in events {
      let snapshot = player.snapshot
      let isJump =
        switch event {
        case .timeJumped, .itemRepeated: true
        default: false
        }
      let isNew = last.map { $0.place != snapshot.currentItem || $0.transport != snapshot.transport } ?? true
      last = (snapshot.currentItem, snapshot.transport)
      // Changes of tags and buffers are ignored, because the session does not contain them.
      if isJump || isNew || written != Fingerprint(snapshot) { schedule.changed(at: queue.now) }
      setTimer(isPlaying: snapshot.transport == .playing)
    }
  }

  /// Saves the session now.
  func save() { if isStarted { write() } }

  /// Saves the session for the last time.
  func close() {
    if isStarted { write() }
    isClosed = true
    queue.setTimer(at: nil) {}
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
    let place = SavedSession.Playback(snapshot)
    let fingerprint = Fingerprint(snapshot)
    if fingerprint != written || snapshot.itemCount <= SessionStore.shortQueue {
      // After a failure, the position alone would belong to no saved queue.
      written = store.save(SavedSession(player, snapshot, place)) ? fingerprint : nil
      // The content of the file, and the queue before, are free memory now.
      if max(snapshot.itemCount, writtenCount) > SessionStore.shortQueue { AllocatedMemory.trim() }
      writtenCount = snapshot.itemCount
    } else {
      store.save(place)
    }
    schedule.wrote(at: queue.now)
  }

  private func setTimer(isPlaying: Bool) {
    guard !isClosed else { return }
    let due = schedule.due(isPlaying: isPlaying, now: queue.now)
    queue.setTimer(at: due) { [weak self] in self?.assumeIsolated { $0.timerFired() } }
  }
}
