import Logging
import MPRISService
import Playback
import PlayerdStorage
import PlayerdSystem
import Synchronization

/// Saves the positions of a player's long files, and reads them back from their file.
///
/// Long files resume at their last position, also after other files were played.
final class ResumeKeeper: Sendable {
  private struct State {
    var policy: ResumePolicy
    /// The periodic observer while a long file plays.
    var ticks: Player.Observer?
    /// The content of the file; nil after a failed write.
    var written: ResumePositions?
    var writes: WriteLog
    var lastWrite: SuspendingClock.Instant
  }

  /// The intervals of reading the position of a long file, and of writing it; the session contains the position too.
  private static let interval = Duration.seconds(5)
  static let pause = Duration.seconds(60)
  private static let limit = 16 << 20

  private let player: Player
  private let path: String
  private let log: Logger
  private let state: Mutex<State>
  /// A separate queue, because a write may block on the disk.
  private let queue: any SerialQueue
  private let files: any FileSystem
  private let hasStart: @Sendable (Player.Item.ID) -> Bool
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Loads the positions from a folder and observes the player.
  ///
  /// `hasStart` returns whether the start position of an item was requested.
  init(
    _ player: Player, folder: String, files: any FileSystem, on queue: any SerialQueue, log: Logger,
    hasStart: @escaping @Sendable (Player.Item.ID) -> Bool = { _ in false }
  ) {
    self.queue = queue
    self.hasStart = hasStart
    self.files = files
    self.player = player
    self.log = log
    path = "\(folder)/positions.json"
    let positions = Self.load(path, files, log)
    state = Mutex(
      State(policy: ResumePolicy(positions), written: positions, writes: WriteLog(log), lastWrite: queue.now))
    _ = observation.storeIfNil(player.addEventObserver { [weak self] event, _ in self?.handleEvent(event) })
  }

  /// Loads the positions, none without a file; an unreadable file is renamed.
  private static func load(_ path: String, _ files: any FileSystem, _ log: Logger) -> ResumePositions {
    do throws(FileFailure) {
      return try ResumePositions(files.bytes(of: path, limit: limit).get())
    } catch {
      guard !error.isAbsence else { return ResumePositions() }
      let renamed = files.rename(path, to: "\(path).damaged")
      log.warning("\(path): \(error.message)\(renamed ? "; renamed to positions.json.damaged" : "")")
      return ResumePositions()
    }
  }

  private func handleEvent(_ event: Player.Event) {
    if case .itemDidPlayToEnd(let item) = event {
      if state.withLock({ $0.policy.ended(item.place) }).isWritten { write() }
    }
    update()
  }

  private func update(isTick: Bool = false) {
    // The present state, because a seek to the saved position applies to that.
    let snapshot = player.snapshot
    var view = ResumePolicy.View(snapshot)
    view.hasStart = snapshot.currentItem.map { hasStart($0.id) } ?? false
    let (outcome, isDue, isFollowing) = state.withLock { state in
      let outcome = state.policy.update(with: view, isTick: isTick)
      return (outcome, state.lastWrite.duration(to: queue.now) >= Self.pause, state.policy.isFollowing)
    }
    if let target = outcome.target { player.seek(to: target) }
    if outcome.isWritten || isFollowing && isDue { write() }
    follow(isFollowing)
  }

  private func follow(_ isFollowing: Bool) {
    let isFollowed = state.withLock { $0.ticks != nil }
    guard isFollowing != isFollowed else { return }
    // Five seconds is a valid interval, so this cannot fail.
    let ticks =
      isFollowing
      ? try? player.addPeriodicTimeObserver(forInterval: Self.interval) { [weak self] _ in self?.update(isTick: true) }
      : nil
    state.withLock { $0.ticks = ticks }
  }

  /// Writes unsaved positions, and returns when they are written.
  func save() async {
    update()
    write()
    await withCheckedContinuation { continuation in queue.run { continuation.resume() } }
  }

  private func write() {
    let positions = state.withLock { state -> ResumePositions? in
      state.lastWrite = queue.now
      guard state.policy.positions != state.written else { return nil }
      state.written = state.policy.positions
      return state.written
    }
    guard let positions else { return }
    queue.run { [self] in
      let outcome = files.replace(path, with: positions.bytes, hasFixedDraft: true, permissions: .secret)
      state.withLock { if !$0.writes.note(outcome, of: path) { $0.written = nil } }
    }
  }
}

extension Player.Item {
  /// The key of a saved position: the URI, with a media fragment if the item is a clip.
  ///
  /// <https://www.w3.org/TR/media-frags/#naming-time>
  fileprivate var place: String {
    guard start > .zero || end != nil else { return uri }
    return "\(uri)#t=\(start.microseconds),\(end?.microseconds ?? -1)"
  }
}

extension ResumePolicy.View {
  fileprivate init(_ snapshot: Player.Snapshot) {
    self.init()
    guard snapshot.transport != .stopped else { return }
    track = snapshot.currentItem.map { ($0.id.number, $0.place) }
    position = snapshot.position
    duration = snapshot.duration
    isPlaying = snapshot.transport == .playing
  }
}
