import Glibc
import Playback
import PlayerdSystem

/// A folder with the pictures for clients; each picture is one file, named by the digest of its content.
///
/// A different picture has a different name, because desktops cache a loaded picture by its name.
struct ArtCache: Sendable {
  let folder: String
  /// The limit of the files' total size in bytes.
  var sizeLimit = 64 << 20
  /// The limit of files.
  var countLimit = 500

  /// Stores a picture for clients; nil if its type is not supported or it cannot be written.
  ///
  /// This picture and `needed` are never removed to make space.
  func store(_ picture: MediaMetadata.Artwork, keeping needed: String? = nil) -> String? {
    let bytes = picture.bytes
    guard let type = PictureType(bytes) else { return nil }
    let path = "\(folder)/\(picture.digest).\(type.rawValue)"
    if let status = status(of: path), status.st_size == bytes.count {
      // Updates the time, because the newest files are kept; a client may be about to read this one.
      unsafe utimensat(AT_FDCWD, path, nil, 0)
      return path
    }
    // Each call has its own draft: several queues and processes may store the same picture at the same time.
    guard case .success = LocalFileSystem().replace(path, with: bytes, isDurable: false) else { return nil }
    prune(keeping: [path, needed])
    return path
  }

  /// Removes the oldest files until the folder is within the limits.
  private func prune(keeping kept: [String?]) {
    let files = files().sorted { $0.age > $1.age }
    var (size, count) = (files.reduce(0) { $0 + $1.size }, files.count)
    for file in files where size > sizeLimit || count > countLimit {
      let path = "\(folder)/\(file.name)"
      guard !kept.contains(path), unsafe unlink(path) == 0 else { continue }
      size -= file.size
      count -= 1
    }
  }

  private struct File {
    var name: String
    var size: Int
    /// The time of its last use, negated: a larger value is older.
    var age: Int
  }

  /// Returns the files that a cache has stored in the folder, including abandoned drafts.
  private func files() -> [File] {
    LocalFileSystem().entries(of: Array(folder.utf8)).compactMap { entry in
      let name = String(decoding: entry.name, as: UTF8.self)
      guard name.utf8.count > 65, name.utf8.prefix(64).allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
        let status = status(of: "\(folder)/\(name)")
      else { return nil }
      return File(name: name, size: max(0, Int(status.st_size)), age: -status.st_mtim.tv_sec)
    }
  }

  /// Returns the status of a regular file; nil for other types.
  private func status(of path: String) -> stat? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status
  }
}
