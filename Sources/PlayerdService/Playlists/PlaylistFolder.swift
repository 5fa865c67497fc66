import DBus
import Dispatch
import EventLoop
import Glibc
import MPRISService
import Playback
import PlayerdInterfaces
import PlayerdStorage
import PlayerdSystem
import Synchronization
import TextCoding

/// The user's playlists: the files of one folder.
///
/// The folder is read at the first request. From then on it is watched, without wake-ups while it is unchanged. As long
/// as it does not exist and cannot be watched, it is read at each request. While its disk does not answer, requests get the
/// playlists of the last reading.
final class PlaylistFolder: Sendable {
  /// The limit of visible playlists.
  static let limit = 10_000

  typealias Outcome = Result<Void, FileFailure>

  private struct State {
    var playlists: [MPRISPlaylist] = []
    var uris: [MPRISPlaylist.ID: String] = [:]
    var watch: (any AnyObject & Sendable)?
    var isFresh = false
    /// The end of the time for which requests wait for the reading that has begun; nil while there is none.
    var readingLimit: SuspendingClock.Instant?
    var active: MPRISPlaylist.ID?
    var played: [MPRISPlaylist.ID: Duration] = [:]
  }

  private let path: [UInt8]?
  private let files: any FileSystem
  private let loop: PollLoop
  private let changed: @Sendable () -> Void
  private let readings: (any ObserverExecutor)?
  private let state = Mutex(State())
  private let ends = ReadingEnds()
  /// One edit of the files at a time; a disk may block it.
  private let edits = Mutex(())
  /// The time for which the bus waits for the disk.
  private static let patience = Duration.milliseconds(500)

  /// Creates the playlists of a folder, nil for none.
  ///
  /// `changed` is called, on any thread, when the playlists or the active one may have changed. `readings` reads the folder, if its
  /// disk may not answer.
  init(
    _ path: [UInt8]?, of files: any FileSystem, on loop: PollLoop, readings: (any ObserverExecutor)? = nil,
    changed: @escaping @Sendable () -> Void
  ) {
    self.files = files
    self.readings = readings
    self.path = path.map { FileURI.normalized($0) }
    self.loop = loop
    self.changed = changed
  }

  /// Returns the playlists in natural order of their names.
  func playlists() -> [MPRISPlaylist] { read { $0.playlists } }

  /// The playlist from which the queue was created.
  var active: MPRISPlaylist.ID? { state.withLock { $0.active } }

  /// Returns the URI of a playlist's file; nil if it does not exist.
  func uri(of playlist: MPRISPlaylist.ID) -> String? { read { $0.uris[playlist] } }

  /// Returns the URI of a playlist's file by its display name or file name; nil if it does not exist.
  func uri(named name: String) -> String? {
    read { state in
      if let playlist = state.playlists.first(where: { $0.name == name }) { return state.uris[playlist.id] }
      return state.uris.values.first { FileURI.name(of: $0) == name }
    }
  }

  /// Records that the queue was replaced with these URIs; a single playlist of the folder becomes active, else none is.
  func queueReplaced(by uris: [String]) {
    let id = uris.count == 1 ? uris.first.flatMap { identity(of: $0) } : nil
    let isNews = state.withLock { state in
      defer { state.active = id }
      guard let id else { return state.active != nil }
      state.played[id] = files.now
      // The refresh copies the time of the last playback.
      state.isFresh = false
      return true
    }
    if isNews { changed() }
  }

  /// Records that an earlier queue was restored, and the playlist that it comes from; nil for none.
  func queueRestored(from playlist: MPRISPlaylist.ID?) {
    let isNews = state.withLock { state in
      defer { state.active = playlist }
      return state.active != playlist
    }
    if isNews { changed() }
  }

  /// Returns the path of an existing file from the folder on, which is created if needed.
  ///
  /// - Returns: nil if the two paths have no folder in common, and if a link in them leads elsewhere.
  func relativePath(of file: [UInt8]) -> [UInt8]? {
    guard let path else { return nil }
    let slash = UInt8(ascii: "/")
    let (start, end) = (path.split(separator: slash), FileURI.normalized(file).split(separator: slash))
    let common = zip(start, end).prefix { $0 == $1 }.count
    guard common > 0, common < end.count else { return nil }
    let steps = Array(repeating: ArraySlice("..".utf8), count: start.count - common) + end[common...]
    var relative = Array(steps.joined(separator: [slash]))
    // Neither a comment nor a URI, and a blank at the start is kept.
    if relative[0] == UInt8(ascii: "#") || relative[0] <= UInt8(ascii: " ") || relative.contains(UInt8(ascii: ":")) {
      relative = Array("./".utf8) + relative
    }
    _ = files.makeFolders(path)
    guard case .success(let found) = files.identify(path + [slash] + relative),
      case .success(let wanted) = files.identify(file), found.id == wanted.id
    else { return nil }
    return relative
  }

  /// Writes a file to the folder, which is created if needed.
  ///
  /// The file is listed at once, whether the folder is watched or not.
  func save(
    _ bytes: [UInt8], as name: PlaylistName, replacing: Bool, permissions: FilePermissions = .usual
  ) -> Result<String, FileFailure> {
    guard let path else { return .failure(FileFailure("no playlist folder: the user has no home directory")) }
    let file = "\(String(decoding: path, as: UTF8.self))/\(name.fileName)"
    let result = files.replace(file, with: bytes, permissions: permissions, mayExist: replacing)
    if case .success = result {
      state.withLock { $0.isFresh = false }
      changed()
    }
    return result.map { file }
  }

  /// Replaces the content of a playlist.
  func write(_ bytes: [UInt8], to path: [UInt8], permissions: FilePermissions) -> Outcome {
    changing { files.replace(path, with: bytes, permissions: permissions) }
  }

  /// Renames a playlist; its format and extension stay.
  func rename(_ name: String, to new: PlaylistName) -> Outcome {
    guard let old = uri(named: name).flatMap({ FileURI.path(of: $0) }) else { return .failure(Self.absence) }
    let ending = old.lastComponent.dropFirst(old.lastComponent.stem.count)
    let file = Array(new.text.utf8) + ending
    // Another format has another file name, but the same name for the user.
    let other = uri(named: new.text).flatMap { FileURI.path(of: $0) }
    guard other == nil || other == old else { return .failure(FileFailure(number: EEXIST)) }
    guard file != old.lastComponent else { return .success(()) }
    return changing {
      files.rename(old, to: old.folder + [UInt8(ascii: "/")] + file, replaces: false)
    } then: { state in
      let (before, after) = (PlaylistFile.id(of: old.lastComponent), PlaylistFile.id(of: file))
      if state.active == before { state.active = after }
      state.played[after] = state.played.removeValue(forKey: before)
    }
  }

  /// Deletes the file of a playlist.
  func delete(_ name: String) -> Outcome {
    guard let path = uri(named: name).flatMap({ FileURI.path(of: $0) }) else { return .failure(Self.absence) }
    return changing {
      files.remove(path)
    } then: { state in
      if state.active == PlaylistFile.id(of: path.lastComponent) { state.active = nil }
    }
  }

  private static let absence = FileFailure("it does not exist")

  /// Changes a file, and lists it again.
  private func changing(_ body: () -> Outcome, then update: (inout State) -> Void = { _ in }) -> Outcome {
    let outcome = edits.withLock { _ in body() }
    state.withLock { state in
      state.isFresh = false
      if case .success = outcome { update(&state) }
    }
    if case .success = outcome { changed() }
    return outcome
  }

  private func identity(of uri: String) -> MPRISPlaylist.ID? {
    guard let file = FileURI.path(of: uri).map({ FileURI.normalized($0) }), file.folder == path else { return nil }
    let name = file.lastComponent
    return PlaylistFile.isPlaylist(name) ? PlaylistFile.id(of: name) : nil
  }

  /// Reads the folder if it may have changed.
  private func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
    refresh()
    return state.withLock { body($0) }
  }

  private func refresh() {
    guard let path else { return }
    // The lock is not held while the folder is read, because a disk may not answer.
    let (begins, limit) = state.withLock { state in
      guard state.readingLimit == nil else { return (false, state.readingLimit) }
      guard !state.isFresh else { return (false, nil) }
      state.readingLimit = .now.advanced(by: Self.patience)
      return (true, state.readingLimit)
    }
    guard let limit else { return }
    guard let readings else { return begins ? read(path) : () }
    if begins { readings.run { [self] in read(path) } }
    ends.wait(until: limit) { state.withLock { $0.readingLimit == nil } }
  }

  /// Reads the folder, and notifies the clients that have read the previous list.
  private func read(_ path: [UInt8]) {
    let watch = state.withLock { $0.watch } ?? watch(path)
    // Set before the folder is read, so that a change during the read is reported.
    state.withLock { state in
      state.watch = watch
      state.isFresh = watch != nil
    }
    let lists = PlaylistFile.list(in: path, of: files).prefix(Self.limit)
    let isNews = state.withLock { state in
      let old = state.playlists
      state.uris = [:]
      state.playlists = lists.map { file in
        state.uris[file.id] = FileURI.uri(ofPath: path + [UInt8(ascii: "/")] + file.name)
        var playlist = MPRISPlaylist(id: file.id, name: file.title)
        playlist.icon = file.picture.map { FileURI.uri(ofPath: path + [UInt8(ascii: "/")] + $0) } ?? ""
        playlist.modified = file.modified
        playlist.played = state.played[file.id]
        return playlist
      }
      state.readingLimit = nil
      return state.playlists != old
    }
    ends.signal()
    if isNews { changed() }
  }

  private func watch(_ path: [UInt8]) -> (any AnyObject & Sendable)? {
    files.watch(path, on: loop) { [weak self] in
      guard let self else { return }
      state.withLock { state in
        state.isFresh = false
        // The folder may be another one with the same name by now, which needs a new watch.
        state.watch = nil
      }
      changed()
    }
  }
}

/// The ends of readings, for callers that wait.
private final class ReadingEnds: Sendable {
  private let waiters = Mutex<[DispatchSemaphore]>([])

  /// Returns when a condition is met at the end of a reading, or at an instant.
  func wait(until limit: SuspendingClock.Instant, _ isMet: () -> Bool) {
    let semaphore = DispatchSemaphore(value: 0)
    waiters.withLock { $0.append(semaphore) }
    let time = SuspendingClock.now.duration(to: limit)
    if time > .zero, !isMet() { _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(time / .nanoseconds(1)))) }
    waiters.withLock { $0.removeAll { $0 === semaphore } }
  }

  func signal() { for waiter in waiters.withLock({ $0 }) { waiter.signal() } }
}
