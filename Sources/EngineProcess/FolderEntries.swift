import Glibc

/// The entries of a folder.
enum FolderEntries {
  /// Returns the names and types (`DT_…`) of the entries of a folder, without `.` and `..`; none if it cannot be read.
  static func read(_ folder: String, limit: Int = .max) -> [(name: String, type: Int)] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var entries: [(name: String, type: Int)] = []
    while entries.count < limit, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { entries.append((name, unsafe Int(entry.pointee.d_type))) }
    }
    return entries
  }

  /// Returns the target of a link; nil if it is none, or too long.
  static func target(ofLink path: String) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return buffer[..<count].map(UInt8.init(bitPattern:))
  }
}
