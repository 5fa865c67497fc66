import DBus
import EventLoop
import Glibc
import MPRISService
import PlayerdInterfaces
import Synchronization

/// The playlists of the user: the files of one folder.
///
/// Nothing is read before somebody asks. From then on the folder is watched, which costs nothing while it stays as it
/// is; as long as it cannot be watched, because it is not there yet, it is read whenever somebody asks.
final class PlaylistFolder: Sendable {
  /// More playlists than this are not shown.
  static let limit = 10_000

  private struct State {
    var playlists: [Playlist] = []
    var uris: [Playlist.ID: String] = [:]
    var watch: FolderWatch?
    var isFresh = false
    var active: Playlist.ID?
    var played: [Playlist.ID: Duration] = [:]
  }

  private let path: [UInt8]?
  private let loop: EventLoop
  private let changed: @Sendable () -> Void
  private let state = Mutex(State())

  /// Names the folder, nil for none; `changed` is called, on any thread, when the playlists or the active one may be
  /// others.
  init(_ path: [UInt8]?, on loop: EventLoop, changed: @escaping @Sendable () -> Void) {
    self.path = path.map { FileURI.normalized($0) }
    self.loop = loop
    self.changed = changed
  }

  /// The playlists in natural order of their names.
  func playlists() -> [Playlist] {
    let (playlists, isNews) = state.withLock { state in
      let old = state.playlists
      refresh(&state)
      return (state.playlists, state.playlists != old)
    }
    // Whoever asked before is told that there are others now.
    if isNews { changed() }
    return playlists
  }

  /// The playlist that the queue was made from.
  var active: Playlist.ID? { state.withLock { $0.active } }

  /// The URI of a playlist's file; nil when there is no such playlist.
  func uri(of playlist: Playlist.ID) -> String? {
    state.withLock { state in
      refresh(&state)
      return state.uris[playlist]
    }
  }

  /// The URI of a playlist's file, by the name that users see or the name of the file; nil when there is none.
  func uri(named name: String) -> String? {
    state.withLock { state in
      refresh(&state)
      if let playlist = state.playlists.first(where: { $0.name == name }) { return state.uris[playlist.id] }
      return state.uris.values.first { FileURI.name(of: $0) == name }
    }
  }

  /// The queue has been made anew from these URIs: one playlist of the folder is active then, anything else none.
  func queueReplaced(by uris: [String]) {
    let id = uris.count == 1 ? uris.first.flatMap { identity(of: $0) } : nil
    let isNews = state.withLock { state in
      defer { state.active = id }
      guard let id else { return state.active != nil }
      state.played[id] = PlaylistFile.now
      // When it was played is read from there.
      state.isFresh = false
      return true
    }
    if isNews { changed() }
  }

  /// Puts a file into the folder, which is made when it is missing.
  ///
  /// It is among the playlists at once, whether the folder is watched or not.
  func save(_ bytes: [UInt8], as name: PlaylistName, replacing: Bool) -> Result<String, TextFile.Failure> {
    guard let path else { return .failure(TextFile.Failure("there is no home to have playlists in")) }
    let file = "\(String(decoding: path, as: UTF8.self))/\(name.fileName)"
    let result = TextFile.replace(file, with: bytes, isPrivate: false, mayExist: replacing)
    if case .success = result {
      state.withLock { $0.isFresh = false }
      changed()
    }
    return result.map { file }
  }

  private func identity(of uri: String) -> Playlist.ID? {
    guard let folder = path, let file = FileURI.path(of: uri).map({ FileURI.normalized($0) }),
      let slash = file.lastIndex(of: UInt8(ascii: "/")), file[..<slash].elementsEqual(folder)
    else { return nil }
    let name = Array(file[(slash + 1)...])
    return PlaylistFile.isPlaylist(name) ? PlaylistFile.id(of: name) : nil
  }

  private func refresh(_ state: inout State) {
    guard let path, !state.isFresh else { return }
    if state.watch == nil { state.watch = watch(path) }
    // Before it is read: what changes meanwhile is told.
    state.isFresh = state.watch != nil
    let files = PlaylistFile.list(in: path).prefix(Self.limit)
    state.uris = [:]
    state.playlists = files.map { file in
      state.uris[file.id] = FileURI.uri(ofPath: path + [UInt8(ascii: "/")] + file.name)
      var playlist = Playlist(id: file.id, name: file.title)
      playlist.icon = file.picture.map { FileURI.uri(ofPath: path + [UInt8(ascii: "/")] + $0) } ?? ""
      playlist.modified = file.modified
      playlist.played = state.played[file.id]
      return playlist
    }
  }

  private func watch(_ path: [UInt8]) -> FolderWatch? {
    FolderWatch(path, on: loop) { [weak self] in
      guard let self else { return }
      state.withLock { state in
        state.isFresh = false
        // A folder that is not there any more may come back as another one, which has to be watched anew.
        if MediaFolder.kind(of: path) != .folder { state.watch = nil }
      }
      changed()
    }
  }
}
