import CGst
import Glibc
import Playback

/// A folder with the results of measurements; each result is one file, named by the content that was measured.
///
/// A file that is renamed or copied is not measured again. The folder may be removed at any time.
struct LoudnessCache: Sendable {
  let folder: String
  /// The number of results that are kept, the most recently used; most of them take 4 KiB each.
  var limit = 4_096

  /// Identifies a content by its size and three parts of 64 KiB, at the start, in the middle and at the end.
  ///
  /// Reading the whole content would cost as much as the measurement saves.
  struct Key: Hashable, Sendable {
    let name: String

    /// Reads the parts of a file; nil if it is not a regular file or cannot be read.
    init?(ofFileAt path: [UInt8]) {
      guard let file = RegularFile(path) else { return nil }
      var content = Array("\(file.size)\n".utf8)
      let limit = 64 << 10
      for offset in Set([0, file.size / 2, max(0, file.size - limit)]).sorted() {
        let part = file.bytes(from: offset, limit: limit)
        guard part.count == min(limit, file.size - offset) else { return nil }
        content += part
      }
      guard let name = GLib.sha256(content) else { return nil }
      self.name = name
    }
  }

  /// Returns the result for a content, which then counts as recently used; nil if there is none.
  func read(_ key: Key) -> TrackLoudness? {
    let path = path(of: key)
    // 1,000 intervals with their numbers are shorter.
    let limit = 32 << 10
    guard let bytes = RegularFile(Array(path.utf8))?.bytes(limit: limit), bytes.count < limit,
      let result = TrackLoudness(text: String(decoding: bytes, as: UTF8.self))
    else { return nil }
    // The sandbox of an engine process allows no changes of the time of a file.
    write(result, for: key)
    return result
  }

  /// Stores a result, as a whole; without space or permission it is not stored.
  func write(_ result: TrackLoudness, for key: Key) {
    let path = path(of: key)
    unsafe g_mkdir_with_parents(folder, 0o700)
    let draft = "\(path).\(getpid())"
    let descriptor = unsafe Glibc.open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(result.text.utf8)
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    let isStored = unsafe count == bytes.count && rename(draft, path) == 0
    if !isStored { unsafe unlink(draft) }
  }

  private func path(of key: Key) -> String { "\(folder)/\(key.name)" }
}

extension LoudnessCache {
  /// Removes the results beyond the limit, and abandoned drafts with them.
  func prune() {
    var files = files()
    guard files.count > limit else { return }
    files.sort { $0.lastUse < $1.lastUse }
    for file in files.prefix(files.count - limit) { unsafe unlink("\(folder)/\(file.name)") }
  }

  /// Returns the results and drafts in the folder with the times of their last use.
  private func files() -> [(name: String, lastUse: time_t)] {
    guard let directory = unsafe g_dir_open(folder, 0, nil) else { return [] }
    defer { unsafe g_dir_close(directory) }
    var files: [(name: String, lastUse: time_t)] = []
    while let name = unsafe GLib.borrow(g_dir_read_name(directory)) {
      var status = stat()
      guard name.utf8.count >= 64, name.utf8.prefix(64).allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
        unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
      else { continue }
      // GLib's headers hide the members of timespec from Swift; the seconds are the first one.
      files.append((name, unsafe withUnsafeBytes(of: status.st_mtim) { unsafe $0.load(as: time_t.self) }))
    }
    return files
  }
}
