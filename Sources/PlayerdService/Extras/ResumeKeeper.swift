import Logging
import MPRISService
import Playback
import PlayerdInterfaces
import PlayerdStorage
import PlayerdSystem
import Synchronization
import TextCoding

/// Saves the places in a player's long files and books, and reads them back from their file.
///
/// Long files resume at their last position, also after other files were played. Books resume at the file that played last.
final class ResumeKeeper: Sendable {
  /// What the keeper needs to know of other parts.
  struct Sources: Sendable {
    /// Whether the start position of an item was requested.
    var hasStart: @Sendable (Player.Item.ID) -> Bool = { _ in false }
    /// The paths of the folders whose files are books.
    var bookFolders: @Sendable () -> [String] = { [] }
    /// Whether all of some items are long files; it reads their lengths.
    var areLong: @Sendable ([Player.Item]) async -> Bool = { _ in false }
    /// Reads the identity of the audio in a file; nil if it cannot be read in time.
    var audio: @Sendable (_ path: [UInt8]) async -> AudioContent? = { _ in nil }
  }

  /// A question whose answer needs a disk.
  private enum Question: Sendable {
    case audio(Player.Item, path: [UInt8])
    case lengths([Player.Item], folder: [UInt8])
  }

  private struct State {
    var policy: ResumePolicy
    var rule: BookRule
    /// The folders whose lengths are being read.
    var measured: Set<[UInt8]> = []
    /// The URI of the book that was reported last.
    var book: String?
    /// The periodic observer while a long file or a book plays.
    var ticks: Player.Observer?
    /// The content of the file; nil after a failed write.
    var written: ResumePositions?
    var writes: WriteLog
    var lastWrite: SuspendingClock.Instant
  }

  /// The intervals of reading the position of a long file, and of writing it; the session contains the position too.
  private static let interval = Duration.seconds(5)
  static let pause = Duration.seconds(60)
  /// The limits of files in a book that the lengths of its files show, and of files that are compared with a renamed one.
  private static let fileLimit = 200
  private static let queueLimit = 10_000
  private static let comparedFileLimit = 512
  /// The time for finding a renamed file when its folder is opened.
  private static let comparisonTime = Duration.seconds(1)

  private let player: Player
  private let path: String
  private let log: Logger
  private let state: Mutex<State>
  /// A separate queue, because a write may block on the disk.
  private let queue: any SerialQueue
  private let files: any FileSystem
  private let sources: Sources
  private let bookChanged: @Sendable (String?) -> Void
  private let questions: AsyncStream<Question>
  private let question: AsyncStream<Question>.Continuation
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Loads the positions from a folder and observes the player.
  ///
  /// `bookChanged` is called with the folder of the book that plays or is paused, as a URI, or with nil.
  init(
    _ player: Player, folder: String, files: any FileSystem, on queue: any SerialQueue, log: Logger,
    sources: Sources = Sources(), bookChanged: @escaping @Sendable (String?) -> Void = { _ in }
  ) {
    self.queue = queue
    self.sources = sources
    self.bookChanged = bookChanged
    self.files = files
    self.player = player
    self.log = log
    path = ResumePositions.path(in: folder)
    (questions, question) = AsyncStream.makeStream(of: Question.self, bufferingPolicy: .bufferingNewest(100))
    let positions = Self.load(from: folder, files, log)
    state = Mutex(
      State(
        policy: ResumePolicy(positions), rule: BookRule(positions.places), written: positions, writes: WriteLog(log),
        lastWrite: queue.now))
    _ = observation.storeIfNil(player.addEventObserver { [weak self] event, _ in self?.handleEvent(event) })
  }

  /// Loads the positions, none without a file; an unreadable file is renamed.
  private static func load(from folder: String, _ files: any FileSystem, _ log: Logger) -> ResumePositions {
    do throws(FileFailure) {
      return try ResumePositions.read(from: folder, files)
    } catch {
      guard !error.isAbsence else { return ResumePositions() }
      let path = ResumePositions.path(in: folder)
      let renamed = files.rename(path, to: "\(path).damaged")
      log.warning("\(path): \(error.message)\(renamed ? "; renamed to positions.json.damaged" : "")")
      return ResumePositions()
    }
  }

  // MARK: Playback

  private func handleEvent(_ event: Player.Event) {
    if case .itemDidPlayToEnd(let item) = event {
      let isBook = state.withLock { $0.policy.positions.place(of: item.place)?.folder != nil }
      let next = isBook ? follower(of: item)?.place : nil
      if state.withLock({ $0.policy.ended(item.place, followedBy: next, at: files.now) }).isWritten { write() }
    }
    update()
  }

  /// Returns the item after another in list order, or the current one if that has left the queue.
  private func follower(of item: Player.Item) -> Player.Item? {
    let (items, current) = player.queue
    guard let index = items.firstIndex(of: item) else { return current.map { items[$0] } }
    return index + 1 < items.count ? items[index + 1] : nil
  }

  private func update(isTick: Bool = false) {
    // The present state, because a seek to the saved position applies to that.
    let snapshot = player.snapshot
    let (view, isAsked) = view(of: snapshot)
    let (outcome, isDue, isFollowing, book) = state.withLock { state in
      let outcome = state.policy.update(with: view, isTick: isTick)
      let isDue = state.lastWrite.duration(to: queue.now) >= Self.pause
      let book: String?? = state.policy.book == state.book ? nil : .some(state.policy.book)
      state.book = state.policy.book
      return (outcome, isDue, state.policy.isFollowing, book)
    }
    carryOut(outcome, at: snapshot.currentItem)
    if isFollowing, isDue { write() }
    if let book { bookChanged(book) }
    if let folder = isAsked { measure(folder) }
    follow(isFollowing)
  }

  private func carryOut(_ outcome: ResumePolicy.Outcome, at item: Player.Item?) {
    if let target = outcome.target { player.seek(to: target) { id, _ in id == item?.id } }
    if outcome.isWritten { write() }
    if outcome.isIdentified, let item, let path = item.wholeFile { question.yield(.audio(item, path: path)) }
  }

  /// Returns the state that the decisions depend on, and the folder whose lengths must be known for it.
  private func view(of snapshot: Player.Snapshot) -> (view: ResumePolicy.View, unknownLengths: [UInt8]?) {
    var view = ResumePolicy.View()
    guard snapshot.transport != .stopped, let item = snapshot.currentItem else { return (view, nil) }
    view.track = (item.id.number, item.place)
    view.hasStart = sources.hasStart(item.id)
    view.isFile = item.wholeFile != nil
    view.position = snapshot.position
    view.duration = snapshot.duration
    view.isPlaying = snapshot.transport == .playing
    view.date = files.now
    guard let path = item.path else { return (view, nil) }
    let isKnown = snapshot.isSettled && snapshot.itemStatus == .readyToPlay
    let genres = snapshot.metadata.genres + [item.externalMetadata?.genre].compactMap(\.self)
    let track = BookRule.Track(path: path, genres: isKnown ? genres : nil, duration: snapshot.duration)
    let folders = sources.bookFolders().map { FileURI.normalized(Array($0.utf8)) }
    return state.withLock { state in
      view.book = state.rule.verdict(on: track, configured: folders)
      return (view, view.book == .undecided ? state.rule.unknownLengths(of: track) : nil)
    }
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

  // MARK: Questions to the disk

  /// Answers the questions to the disk until the task is cancelled.
  func run() async {
    for await question in questions {
      switch question {
      case .audio(let item, let path):
        guard let audio = await sources.audio(path) else { continue }
        let (view, _) = view(of: player.snapshot)
        carryOut(state.withLock { $0.policy.identified(item.place, as: audio, with: view) }, at: item)
      case .lengths(let items, let folder):
        let areLong = await sources.areLong(items)
        state.withLock { state in
          state.measured.remove(folder)
          state.rule.decide(areLong: areLong, in: folder)
        }
        update()
      }
    }
  }

  /// Asks whether all items in a folder are long.
  private func measure(_ folder: [UInt8]) {
    guard !state.withLock({ $0.measured.contains(folder) }) else { return }
    // The paths of a long queue are not compared on the thread of the bus.
    let queued = player.items
    let items = queued.count > Self.queueLimit ? [] : queued.filter { $0.path?.isInside(folder) ?? false }
    guard !items.isEmpty, items.count <= Self.fileLimit else {
      return state.withLock { $0.rule.decide(areLong: false, in: folder) }
    }
    state.withLock { _ = $0.measured.insert(folder) }
    question.yield(.lengths(items, folder: folder))
  }

  // MARK: Opening a book

  /// Records that the items of a folder are inserted into the queue.
  func opened(_ folder: [UInt8]) { state.withLock { $0.rule.open(FileURI.normalized(folder)) } }

  /// Whether a book has its place in a folder, so that its files are inserted together.
  func hasBook(in folder: [UInt8]) -> Bool { state.withLock { $0.policy.hasBook(in: FileURI.normalized(folder)) } }

  /// Returns the index of the item at which a book was left; nil if the items are not a book.
  ///
  /// All items are inside `folder`. It reads their files if one of them may be a renamed one, so it may block on their disk.
  func start(of items: [Player.Item], in folder: [UInt8]) -> Int? {
    let folder = FileURI.normalized(folder)
    let uris = items.map(\.place)
    let (index, books) = state.withLock { state in
      let index = state.policy.start(of: uris, in: folder)
      return (index, index == nil ? state.policy.identifiedBooks : [])
    }
    if index != nil || books.isEmpty { return index }
    let candidates = Dictionary(grouping: books) { FileURI.path(of: $0.uri)?.fileExtension ?? "" }
    let begin = queue.now
    for (index, item) in items.prefix(Self.comparedFileLimit).enumerated() {
      guard begin.duration(to: queue.now) < Self.comparisonTime else { return nil }
      guard let path = item.wholeFile, let candidates = candidates[path.fileExtension],
        let file = files.readable(path),
        let audio = AudioContent(of: file, where: { extent in candidates.contains { $0.audio?.extent == extent } }),
        let place = candidates.first(where: { $0.audio == audio })
      else { continue }
      if state.withLock({ $0.policy.found(place, as: item.place, in: folder) }) { return index }
    }
    return nil
  }

  // MARK: For users

  var places: [SavedPlace] { state.withLock { $0.policy.positions.saved(at: files.now) } }

  /// Removes the places in files or folders, or with these URIs; returns their number.
  func forget(_ uris: [String]) -> Int {
    let count = state.withLock { $0.policy.forget(uris) }
    write()
    return count
  }

  // MARK: The file

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
  /// The path of a local file without `.` and `..`; nil for a server.
  fileprivate var path: [UInt8]? { FileURI.path(of: uri).map(FileURI.normalized) }

  /// The path of an item that is not a clip.
  fileprivate var wholeFile: [UInt8]? { isClip ? nil : path }

  /// The key of a saved position: the URI, with a media fragment if the item is a clip.
  ///
  /// <https://www.w3.org/TR/media-frags/#naming-time>
  fileprivate var place: String {
    let uri = path.map(FileURI.uri) ?? self.uri
    guard start > .zero || end != nil else { return uri }
    return "\(uri)#t=\(start.microseconds),\(end?.microseconds ?? -1)"
  }
}
