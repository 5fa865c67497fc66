import CLinux
import Glibc
import Playback
import Synchronization
import TextCoding

/// The local files that a process may request: files that the player has named, and files of open requests.
///
/// It may also request the lyrics beside them, `song.lrc` and `song.flac.lrc` for `song.flac`, and the parts of a stream of HTTP
/// Live Streaming or DASH in the folder of its playlist. The process may be controlled by hostile media: any other file is refused.
///
/// An item may be a link to any file, because the user has chosen it. An archive may contain other links, so a file that belongs
/// to an item is refused if it is a link that leads out of the folder that the item's path names.
final class NamedFiles: Sendable {
  private struct State {
    /// The paths of the last streams.
    var streams: [Set<[UInt8]>] = []
    var openCount = 0
  }

  /// The streams whose files can be opened again: the current one, and those before and after it.
  private static let streamLimit = 16
  private static let lyrics = "lrc"
  private static let playlists: Set = ["m3u8", "m3u", "mpd"]
  /// The extensions of parts; the folder of a playlist may be the home folder.
  private static let parts = playlists.union([
    "aac", "ac3", "cmfa", "cmfv", "ec3", "m4a", "m4s", "m4v", "mp3", "mp4", "ts", "vtt", "webm",
  ])
  /// The requests that are open at the same time, each with a descriptor of the player.
  ///
  /// A thread of the process has one.
  private static let openLimit = 32

  private let state = Mutex(State())

  /// Allows the file of a stream; ignores a URI that is not a file.
  func name(_ uri: String) {
    guard Player.Item.isLocal(uri) else { return }
    state.withLock { state in
      state.streams.append(Self.paths(of: uri))
      if state.streams.count > Self.streamLimit { state.streams.removeFirst() }
    }
  }

  /// Opens a file for reading in the background.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - uris: The URIs of the requests that are open.
  ///   - done: Called with the descriptor or an error number: EACCES for a file that was not named, that is not a regular
  ///     file, or that is outside its folder, and EMFILE for more open files than a process needs.
  func open(
    _ path: [UInt8], requested uris: [String] = [],
    _ done: @escaping @Sendable (OwnedDescriptor?, _ error: CInt?) -> Void
  ) {
    guard let origin = origin(of: path, uris) else { return done(nil, EACCES) }
    let isAllowed = state.withLock { state in
      guard state.openCount < Self.openLimit else { return false }
      state.openCount += 1
      return true
    }
    guard isAllowed else { return done(nil, EMFILE) }
    let runs = DiskThread.run { [self] in
      let (file, error) = open(path, origin)
      if file == nil { closed() }
      done(file, error)
    }
    guard !runs else { return }
    closed()
    done(nil, EMFILE)
  }

  @Sendable private func closed() { state.withLock { $0.openCount -= 1 } }

  /// The reason for which a file may be requested.
  private enum Origin {
    /// The user has chosen it.
    case item
    /// It belongs to an item in this folder.
    case folder([UInt8])
  }

  private func open(_ path: [UInt8], _ origin: Origin) -> (file: OwnedDescriptor?, error: CInt?) {
    // With O_PATH, because opening a device or a pipe may have an effect.
    let place = unsafe path.withCString { unsafe clinux_open_place($0) }
    guard place >= 0 else { return (nil, errno) }
    defer { close(place) }
    var info = stat()
    guard unsafe fstat(place, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return (nil, EACCES) }
    if case .folder(let folder) = origin, !Self.isInside(place, folder) { return (nil, EACCES) }
    let descriptor = unsafe Glibc.open(Self.link(to: place), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return (nil, errno) }
    return (OwnedDescriptor(descriptor, onDisk: true, closed: closed), nil)
  }

  /// Whether an open file is in a folder or below it, whichever links have led to both.
  private static func isInside(_ file: CInt, _ path: [UInt8]) -> Bool {
    let folder = unsafe path.withCString { unsafe clinux_open_place($0) }
    guard folder >= 0 else { return false }
    defer { close(folder) }
    guard let file = FolderEntries.target(ofLink: link(to: file)),
      let folder = FolderEntries.target(ofLink: link(to: folder))
    else { return false }
    return file.starts(with: folder + [UInt8(ascii: "/")])
  }

  private static func link(to descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

  /// Returns the reason for which a path may be requested; nil if it may not.
  private func origin(of path: [UInt8], _ uris: [String]) -> Origin? {
    guard !path.contains(0) else { return nil }
    let named = state.withLock { $0.streams } + uris.filter(Player.Item.isLocal).map(Self.paths)
    if named.contains(where: { $0.contains(path) }) { return .item }
    let item = named.lazy.flatMap(\.self).first { Self.isLyrics(path, of: $0) || Self.isPart(path, of: $0) }
    return item.map { .folder($0.folder) }
  }

  private static func isLyrics(_ path: [UInt8], of media: [UInt8]) -> Bool {
    let stem = path.lastComponent.stem
    return path.fileExtension == lyrics && media.folder == path.folder
      && [media.lastComponent, media.lastComponent.stem].contains(stem)
  }

  /// Whether a file may be a part of a stream, in the folder of the playlist or below it.
  private static func isPart(_ path: [UInt8], of playlist: [UInt8]) -> Bool {
    let separator = UInt8(ascii: "/")
    return playlists.contains(playlist.fileExtension) && parts.contains(path.fileExtension)
      && path.starts(with: playlist.folder + [separator])
      && !path.split(separator: separator).contains(Array("..".utf8)[...])
  }

  /// Whether a path is the one that a URI names.
  static func isFile(_ path: [UInt8], at uri: String) -> Bool {
    Player.Item.isLocal(uri) && paths(of: uri).contains(path)
  }

  /// The paths that programs read from a `file:` URI: a question mark may be a part of the name, or begin a query.
  private static func paths(of uri: String) -> Set<[UInt8]> {
    var rest = uri.utf8.dropFirst("file:".utf8.count)
    if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") } }
    let short = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return [PercentEncoding.decode(rest), PercentEncoding.decode(short)]
  }
}
