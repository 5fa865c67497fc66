import Glibc
import GstPlayer

/// The pictures that clients are told of, as files: each once, under the digest of what is in it.
///
/// Another picture has another name, because desktops keep what they have loaded by its name.
struct ArtCache: Sendable {
  let folder: String
  /// The most bytes that the files may have together.
  var sizeLimit = 64 << 20
  /// The most files.
  var countLimit = 500

  /// Puts a picture where clients can read it; nil when it is of no type that they know, or cannot be written.
  ///
  /// Neither it nor `needed` is what has to go for it.
  func store(_ picture: Artwork, keeping needed: String? = nil) -> String? {
    let bytes = picture.bytes
    guard let type = PictureType(bytes), !picture.digest.isEmpty else { return nil }
    let path = "\(folder)/\(picture.digest).\(type.rawValue)"
    if size(of: path) == bytes.count {
      // The newest are kept; a client may be about to read it.
      unsafe utimensat(AT_FDCWD, path, nil, 0)
      return path
    }
    let draft = "\(path).\(getpid())"
    guard case .success = TextFile.replace(path, with: bytes, draft: draft, isDurable: false) else { return nil }
    prune(keeping: [path, needed])
    return path
  }

  /// Removes the oldest files until the rest is within the limits.
  private func prune(keeping kept: [String?]) {
    var files = files()
    files.sort { $0.age > $1.age }
    var size = files.reduce(0) { $0 + $1.size }
    var count = files.count
    for file in files {
      guard size > sizeLimit || count > countLimit else { return }
      let path = "\(folder)/\(file.name)"
      guard !kept.contains(path), unsafe unlink(path) == 0 else { continue }
      size -= file.size
      count -= 1
    }
  }

  private struct File {
    var name: String
    var size: Int
    /// The time of its last use, negated: the larger, the older.
    var age: Int
  }

  /// What is in the folder and was put there by a cache, drafts that were left behind too.
  private func files() -> [File] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var files: [File] = []
    while let entry = unsafe readdir(directory) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in unsafe Array(bytes.prefix { $0 != 0 }) }
      let name = String(decoding: bytes, as: UTF8.self)
      guard name.utf8.count > 65, name.utf8.prefix(64).allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
        let status = status(of: "\(folder)/\(name)")
      else { continue }
      files.append(File(name: name, size: max(0, Int(status.st_size)), age: -status.st_mtim.tv_sec))
    }
    return files
  }

  private func size(of path: String) -> Int? { status(of: path).map { Int($0.st_size) } }

  /// Of regular files only.
  private func status(of path: String) -> stat? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status
  }
}
