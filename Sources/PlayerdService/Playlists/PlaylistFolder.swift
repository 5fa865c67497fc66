import DBus
import EventLoop
import Glibc
import MPRISService
import PlayerdInterfaces
import PlayerdStorage
import PlayerdSystem
import Synchronization
import TextCoding

/// The user's playlists: the files of one folder.
///
/// The folder is read at the first request. From then on it is watched, without wake-ups while it is unchanged. As long
/// as it does not exist and cannot be watched, it is read at each request.
final class PlaylistFolder: Sendable {
  /// The limit of visible playlists.
  static let limit = 10_000

  typealias Outcome = Result<Void, FileFailure>

  private struct State {
    var playlists: [MPRISPlaylist] = []
    var uris: [MPRISPlaylist.ID: String] = [:]
    var watch: (any AnyObject & Sendable)?
    var isFresh = false
    var active: MPRISPlaylist.ID?
    var played: [MPRISPlaylist.ID: Duration] = [:]
  }

  private let path: [UInt8]?
  private let files: any FileSystem
  private let loop: PollLoop
  private let changed: @Sendable () -> Void
  private let state = Mutex(State())

  /// Creates the playlists of a folder, nil for none.
  ///
  /// `changed` is called, on any thread, when the playlists or the active one may have changed.
  init(
    _ path: [UInt8]?, of files: any FileSystem, on loop: PollLoop, changed: @escaping @Sendable () -> Void
  ) {
    self.files = files
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
    changing { _ in files.replace(path, with: bytes, permissions: permissions) }
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
    return changing { state in
      let outcome = files.rename(old, to: old.folder + [UInt8(ascii: "/")] + file, replaces: false)
      let (before, after) = (PlaylistFile.id(of: old.lastComponent), PlaylistFile.id(of: file))
      if case .success = outcome {
        if state.active == before { state.active = after }
        state.played[after] = state.played.removeValue(forKey: before)
      }
      return outcome
    }
  }

  /// Deletes the file of a playlist.
  func delete(_ name: String) -> Outcome {
    guard let path = uri(named: name).flatMap({ FileURI.path(of: $0) }) else { return .failure(Self.absence) }
    return changing { state in
      let outcome = files.remove(path)
      if case .success = outcome, state.active == PlaylistFile.id(of: path.lastComponent) { state.active = nil }
      return outcome
    }
  }

  private static let absence = FileFailure("it does not exist")

  /// Changes a file, and lists it again.
  private func changing(_ body: (inout State) -> Outcome) -> Outcome {
    let outcome = state.withLock { state in
      state.isFresh = false
      return body(&state)
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
    let (value, isNews) = state.withLock { state in
      let old = state.playlists
      refresh(&state)
      return (body(state), state.playlists != old)
    }
    // Notifies the clients that have read the previous list.
    if isNews { changed() }
    return value
  }

  private func refresh(_ state: inout State) {
    guard let path, !state.isFresh else { return }
    if state.watch == nil { state.watch = watch(path) }
    // Set before the folder is read, so that a change during the read is reported.
    state.isFresh = state.watch != nil
    let lists = PlaylistFile.list(in: path, of: files).prefix(Self.limit)
    state.uris = [:]
    state.playlists = lists.map { file in
      state.uris[file.id] = FileURI.uri(ofPath: path + [UInt8(ascii: "/")] + file.name)
      var playlist = MPRISPlaylist(id: file.id, name: file.title)
      playlist.icon = file.picture.map { FileURI.uri(ofPath: path + [UInt8(ascii: "/")] + $0) } ?? ""
      playlist.modified = file.modified
      playlist.played = state.played[file.id]
      return playlist
    }
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
