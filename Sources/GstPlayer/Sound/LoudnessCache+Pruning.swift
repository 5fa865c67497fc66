import Glibc

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
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var files: [(name: String, lastUse: time_t)] = []
    while let entry = unsafe readdir(directory) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in unsafe Array(bytes.prefix { $0 != 0 }) }
      let name = String(decoding: bytes, as: UTF8.self)
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
