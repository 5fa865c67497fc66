import AVFoundation
import Glibc
import Synchronization

/// The picture of the item that plays, as a URL that clients can load.
///
/// A picture in memory is a private file in the folder of caches until another picture replaces it or the program ends. Each
/// picture has a new name, because desktops cache a loaded picture by its name.
final class ArtworkFiles: Sendable {
  private struct State {
    /// The picture that `url` is for; a picture with the same bytes keeps the URL.
    var artwork: MPMediaItemArtwork?
    var data: Data?
    var path: String?
    var url: String?
    /// The number of the files so far.
    var count = 0
  }

  /// The limit of a picture in bytes.
  static let sizeLimit = 32 << 20

  private let folder: URL
  private let state = Mutex(State())

  init(in folder: URL) { self.folder = folder }

  /// Returns the URL of a picture; nil for none, and if it cannot be stored.
  ///
  /// Called on the main queue.
  func url(of artwork: MPMediaItemArtwork?) -> String? {
    if state.withLock({ $0.artwork === artwork }) { return state.withLock { $0.url } }
    if case .url(let url) = artwork?.source {
      replace(with: State(artwork: artwork, url: url.absoluteString))
      return url.absoluteString
    }
    // Outside the lock, because the closure of a program may do anything.
    let data = artwork.flatMap { $0.image(at: $0.bounds.size) }.flatMap { $0.isEmpty ? nil : $0 }
    if let data, state.withLock({ $0.data == data }) {
      return state.withLock { state in
        state.artwork = artwork
        return state.url
      }
    }
    let path = data.flatMap(store)
    let url = path.map { URL(fileURLWithPath: $0).absoluteString }
    replace(with: State(artwork: artwork, data: path == nil ? nil : data, path: path, url: url))
    return url
  }

  /// Removes the file.
  func remove() { replace(with: State()) }

  private func replace(with new: State) {
    let old = state.withLock { state in
      defer { state = State(artwork: new.artwork, data: new.data, path: new.path, url: new.url, count: state.count) }
      return state
    }
    if let path = old.path { unsafe unlink(path) }
  }

  /// Writes a file that only the user can read; returns its path.
  private func store(_ data: Data) -> String? {
    guard data.count <= Self.sizeLimit else { return nil }
    let files = FileManager.default
    let count = state.withLock { state in
      state.count += 1
      return state.count
    }
    let path = folder.appendingPathComponent("\(getpid())-\(count)\(Self.ending(of: data))").path
    do {
      try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      return nil
    }
    if count == 1 { removeAbandoned() }
    return files.createFile(atPath: path, contents: data, attributes: [.posixPermissions: 0o600]) ? path : nil
  }

  /// Removes the files of processes that were killed.
  private func removeAbandoned() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard let owner = pid_t(name.prefix { $0 != "-" }), owner == getpid() || kill(owner, 0) == -1 && errno == ESRCH
      else {
        continue
      }
      unsafe unlink(folder.appendingPathComponent(name).path)
    }
  }

  /// Returns the ending for the format of a picture, by which some clients select their decoder.
  private static func ending(of data: Data) -> String {
    let starts: [(bytes: [UInt8], ending: String)] = [
      ([0x89, 0x50, 0x4e, 0x47], ".png"), ([0xff, 0xd8, 0xff], ".jpg"), (Array("GIF8".utf8), ".gif"),
      (Array("RIFF".utf8), ".webp"),
    ]
    return starts.first { data.starts(with: $0.bytes) }?.ending ?? ""
  }
}
