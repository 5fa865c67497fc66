import CLinux
import Glibc
import Playback
import TextCoding

/// A folder with the results of measurements; each result is one file, named by the content that was measured.
///
/// A file that is renamed or copied is not measured again. The folder may be removed at any time.
package struct LoudnessCache: Sendable {
  /// A function that returns the SHA-256 of bytes in hexadecimal digits.
  package typealias Digest = @Sendable ([UInt8]) -> String?

  let folder: String
  let digest: Digest
  /// The number of results that are kept, the most recently used; most of them take 4 KiB each.
  var limit = 4_096

  /// Identifies a content by its size and three parts of 64 KiB, at the start, in the middle and at the end.
  ///
  /// Reading the whole content would cost as much as the measurement saves.
  struct Key: Hashable, Sendable { fileprivate let name: String }

  /// Reads the parts of a file; nil if it is not a regular file or cannot be read.
  func key(ofFileAt path: [UInt8]) -> Key? {
    guard let file = RegularFile(descriptor: Self.open(path)) else { return nil }
    var content = Array("\(file.size)\n".utf8)
    let limit = 64 << 10
    for offset in Set([0, file.size / 2, max(0, file.size - limit)]).sorted() {
      let part = file.bytes(from: offset, limit: limit)
      guard part.count == min(limit, file.size - offset) else { return nil }
      content += part
    }
    return digest(content).map(Key.init)
  }

  private static func open(_ path: [UInt8]) -> CInt {
    // Without O_NONBLOCK, opening a FIFO would wait for its writer.
    unsafe path.withCString { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
  }

  /// Returns the result for a content, which then counts as recently used; nil if there is none.
  func read(_ key: Key) -> TrackLoudness? {
    let path = path(of: key)
    // 1,000 intervals with their numbers are shorter.
    let limit = 32 << 10
    guard let bytes = RegularFile(descriptor: Self.open(Array(path.utf8)))?.bytes(limit: limit), bytes.count < limit,
      let result = TrackLoudness(text: String(decoding: bytes, as: UTF8.self))
    else { return nil }
    unsafe utimensat(AT_FDCWD, path, nil, 0)
    return result
  }

  /// Stores a result, as a whole; without space or permission it is not stored.
  func write(_ result: TrackLoudness, for key: Key) {
    let path = path(of: key)
    makeFolder()
    let draft = "\(path).\(getpid())"
    let descriptor = unsafe Glibc.open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(result.text.utf8)
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    let isStored = unsafe count == bytes.count && rename(draft, path) == 0
    if !isStored { unsafe unlink(draft) }
  }

  private func makeFolder() {
    var end = folder.startIndex
    while let slash = folder[end...].dropFirst().firstIndex(of: "/") {
      unsafe mkdir(String(folder[..<slash]), 0o700)
      end = slash
    }
    unsafe mkdir(folder, 0o700)
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
    FolderEntries.read(folder).compactMap { entry in
      let name = entry.name
      var status = stat()
      guard name.utf8.count >= 64, name.utf8.prefix(64).allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
        unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
      else { return nil }
      return (name, status.st_mtim.tv_sec)
    }
  }
}
