import Dispatch
import GstPlayer
import Logging
import MPRISService
import Synchronization

/// Goes on with a long file where it was left, also after others were heard, and keeps these places in a file.
final class ResumeKeeper: Sendable {
  private struct State {
    var course: ResumeCourse
    /// While a long file plays.
    var ticks: PlayerObservation?
    var written: ResumePositions
    var lastWrite = SuspendingClock.now
  }

  /// How often the place is looked at while a long file plays, and how often it is written then; the session has it, too.
  private static let interval = Duration.seconds(5)
  static let pause = Duration.seconds(60)
  private static let limit = 16 << 20

  private let player: Player
  private let path: String
  private let log: Logger
  private let state: Mutex<State>
  /// It may wait for a disk, and nothing else waits for it.
  private let queue = DispatchQueue(label: "org.playerd.positions", qos: .utility)
  /// Set once, by the initialiser.
  private let observation = Mutex<PlayerObservation?>(nil)

  /// Reads the places that are kept in a folder, and follows the player.
  init(_ player: Player, folder: String, log: Logger) {
    self.player = player
    self.log = log
    path = "\(folder)/positions.json"
    let positions = Self.load(path, log)
    state = Mutex(State(course: ResumeCourse(positions), written: positions))
    let events = player.addEventObserver { [weak self] in self?.heard($0) }
    observation.withLock { $0 = events }
  }

  private static func load(_ path: String, _ log: Logger) -> ResumePositions {
    switch TextFile.bytes(of: path, limit: limit) {
    case .success(let bytes):
      if let positions = ResumePositions(bytes) { return positions }
      let renamed = TextFile.rename(path, to: "\(path).damaged")
      log.warning("\(path): it is no list of positions\(renamed ? "; it is kept as positions.json.damaged" : "")")
    case .failure(let failure):
      if !failure.isAbsence { log.warning("\(path): \(failure.message)") }
    }
    return ResumePositions()
  }

  private func heard(_ event: PlayerEvent) {
    if case .itemDidPlayToEnd(let item) = event {
      if state.withLock({ $0.course.ended(item.place) }).isWritten { write() }
    }
    look()
  }

  private func look() {
    let view = ResumeCourse.View(player.snapshot)
    let (outcome, isDue, isFollowing) = state.withLock { state in
      let outcome = state.course.look(at: view)
      return (outcome, state.lastWrite.duration(to: .now) >= Self.pause, state.course.isFollowing)
    }
    if let target = outcome.target { player.seek(to: target) }
    if outcome.isWritten || isFollowing && isDue { write() }
    follow(isFollowing)
  }

  private func follow(_ isFollowing: Bool) {
    let isFollowed = state.withLock { $0.ticks != nil }
    guard isFollowing != isFollowed else { return }
    // Nothing is wrong with five seconds.
    let ticks =
      isFollowing
      ? try? player.addPeriodicTimeObserver(forInterval: Self.interval) { [weak self] _ in self?.look() } : nil
    let old = state.withLock { state in
      defer { state.ticks = ticks }
      return state.ticks
    }
    withExtendedLifetime(old) {}
  }

  /// Writes what has not been written, and returns when it is done.
  func save() async {
    look()
    write()
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private func write() {
    let positions = state.withLock { state -> ResumePositions? in
      state.lastWrite = .now
      guard state.course.positions != state.written else { return nil }
      state.written = state.course.positions
      return state.written
    }
    guard let positions else { return }
    queue.async { [path, log] in
      if case .failure(let failure) = TextFile.replace(path, with: positions.bytes) {
        log.warning("\(path): \(failure.message)")
      }
    }
  }
}

extension PlayerItem {
  /// What positions are kept by: the URI, and for a part of the media where that is, as media fragments have it.
  ///
  /// <https://www.w3.org/TR/media-frags/#naming-time>
  fileprivate var place: String {
    guard start > .zero || end != nil else { return uri }
    return "\(uri)#t=\(start.microseconds),\(end?.microseconds ?? -1)"
  }
}

extension ResumeCourse.View {
  fileprivate init(_ snapshot: Player.Snapshot) {
    self.init()
    guard snapshot.transport != .stopped else { return }
    track = snapshot.currentItem.map { ($0.id.number, $0.place) }
    position = snapshot.position
    duration = snapshot.duration
    isPlaying = snapshot.transport == .playing
  }
}
