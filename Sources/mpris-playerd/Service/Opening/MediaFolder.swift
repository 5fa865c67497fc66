import Glibc

/// The media files of a folder and the folders in it, in natural order, hidden ones left out.
struct MediaFolder {
  /// Folders within folders are followed this far.
  static let depthLimit = 32

  /// Calls `found` with the files of one folder after another; stops when it returns false.
  ///
  /// `isWanted` tells by its name whether a file is one of them.
  static func walk(
    _ path: [UInt8], where isWanted: ([UInt8]) -> Bool = isMedia, _ found: ([[UInt8]]) async -> Bool
  ) async {
    var seen: Set<FolderID> = []
    _ = await walk(path, depth: 0, &seen, isWanted, found)
  }

  /// One folder, whatever links lead to it.
  private struct FolderID: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  enum Kind { case folder, file, other }

  /// What a path leads to, links followed; nil when it leads nowhere.
  static func kind(of path: [UInt8]) -> Kind? { identify(path)?.kind }

  private static func identify(_ path: [UInt8]) -> (kind: Kind, id: FolderID)? {
    var info = stat()
    guard unsafe path.withCString({ unsafe stat($0, &info) }) == 0 else { return nil }
    let kind: Kind =
      switch info.st_mode & S_IFMT {
      case S_IFDIR: .folder
      case S_IFREG: .file
      default: .other
      }
    return (kind, FolderID(device: UInt64(info.st_dev), inode: UInt64(info.st_ino)))
  }

  private static func walk(
    _ path: [UInt8], depth: Int, _ seen: inout Set<FolderID>, _ isWanted: ([UInt8]) -> Bool,
    _ found: ([[UInt8]]) async -> Bool
  ) async -> Bool {
    guard depth <= depthLimit, let (kind, id) = identify(path), kind == .folder, seen.insert(id).inserted else {
      return true
    }
    var files: [[UInt8]] = []
    for entry in entries(in: path) {
      let child = path + (path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + entry.name
      switch entry.kind ?? self.kind(of: child) {
      case .folder:
        if !files.isEmpty, await !found(files) { return false }
        files = []
        if await !walk(child, depth: depth + 1, &seen, isWanted, found) { return false }
      case .file: if isWanted(entry.name) { files.append(child) }
      case .other, nil: break
      }
    }
    if files.isEmpty { return true }
    return await found(files)
  }

  /// What a folder says of one thing in it.
  private struct Entry {
    var name: [UInt8]
    /// Nil where only the thing itself tells: for links, and on file systems that keep no kinds in their folders.
    var kind: Kind?
  }

  /// What is in a folder, without what is hidden, as a person would sort it: `2` before `10`.
  private static func entries(in path: [UInt8]) -> [Entry] {
    guard let folder = unsafe path.withCString({ unsafe opendir($0) }) else { return [] }
    defer { unsafe closedir(folder) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in unsafe Array(bytes.prefix { $0 != 0 }) }
      guard name.first != UInt8(ascii: ".") else { continue }
      // A look at each of ten thousand files would keep the first of them waiting.
      let kind: Kind? =
        switch unsafe Int(entry.pointee.d_type) {
        case DT_DIR: .folder
        case DT_REG: .file
        case DT_LNK, DT_UNKNOWN: nil
        default: .other
        }
      entries.append(Entry(name: name, kind: kind))
    }
    return entries.sorted { NaturalOrder.precedes($0.name, $1.name) }
  }

  /// Whether a file is played when its folder is.
  static func isMedia(_ name: [UInt8]) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return extensions.contains(String(decoding: name[(dot + 1)...].map(NaturalOrder.lowercase), as: UTF8.self))
  }

  /// Endings of files that are played when a folder is; a file that is named itself is tried whatever it is called.
  private static let extensions: Set<String> = [
    "3gp", "aac", "ac3", "aif", "aiff", "amr", "ape", "au", "avi", "dff", "dsf", "flac", "flv", "it", "m2ts", "m4a",
    "m4b", "m4v",
    "mid", "midi", "mka", "mkv", "mod", "mov", "mp2", "mp3", "mp4", "mpc", "mpeg", "mpg", "oga", "ogg", "ogm", "ogv",
    "opus", "ra",
    "s3m", "spx", "tta", "ts", "wav", "wave", "webm", "wma", "wmv", "wv", "xm",
  ]
}
