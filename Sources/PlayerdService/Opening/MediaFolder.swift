import PlayerdSystem
import TextCoding

/// Lists the media files of a folder and its subfolders in natural order, without hidden files.
struct MediaFolder {
  /// The limit of nested folders.
  static let depthLimit = 32

  /// Calls `found` with the files of each folder in turn; stops when it returns false.
  ///
  /// `isWanted` and `isFirst` decide by the name whether to include a file, and whether it precedes all others of its
  /// folder. `failed` is called with each folder that cannot be read, which is left out.
  static func walk(
    _ path: [UInt8], in files: any FileSystem, where isWanted: ([UInt8]) -> Bool,
    first isFirst: ([UInt8]) -> Bool = { _ in false }, failed: ([UInt8], FileFailure) -> Void = { _, _ in },
    _ found: ([[UInt8]]) async -> Bool
  ) async {
    var seen: Set<FileID> = []
    _ = await walk(path, in: files, depth: 0, &seen, isWanted, isFirst, failed, found)
  }

  private static func walk(
    _ path: [UInt8], in files: any FileSystem, depth: Int, _ seen: inout Set<FileID>, _ isWanted: ([UInt8]) -> Bool,
    _ isFirst: ([UInt8]) -> Bool, _ failed: ([UInt8], FileFailure) -> Void, _ found: ([[UInt8]]) async -> Bool
  ) async -> Bool {
    guard depth <= depthLimit, case .success((.folder, let id)) = files.identify(path), seen.insert(id).inserted else {
      return true
    }
    var media: [[UInt8]] = []
    let listed = files.list(path)
    if case .failure(let failure) = listed { failed(path, failure) }
    let entries = ((try? listed.get()) ?? []).filter { $0.name.first != UInt8(ascii: ".") }
      .sorted { NaturalOrder.precedes($0.name, $1.name) }
    for entry in entries.filter({ isFirst($0.name) }) + entries.filter({ !isFirst($0.name) }) {
      let child = path + (path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + entry.name
      switch entry.kind ?? files.kind(of: child) {
      case .folder:
        if !media.isEmpty, await !found(media) { return false }
        media = []
        if await !walk(child, in: files, depth: depth + 1, &seen, isWanted, isFirst, failed, found) { return false }
      case .file: if isWanted(entry.name) { media.append(child) }
      case .other, nil: break
      }
    }
    if media.isEmpty { return true }
    return await found(media)
  }

  /// Whether a file is played as part of its folder.
  static func isMedia(_ name: [UInt8]) -> Bool { extensions.contains(name.fileExtension) }

  /// The extensions of files that are played as part of a folder; a file that is named directly needs none of them.
  private static let extensions: Set<String> = [
    "3gp", "aac", "ac3", "aif", "aiff", "amr", "ape", "au", "avi", "dff", "dsf", "flac", "flv", "it", "m2ts", "m4a",
    "m4b", "m4v", "mid", "midi", "mka", "mkv", "mod", "mov", "mp2", "mp3", "mp4", "mpc", "mpeg", "mpg", "oga", "ogg",
    "ogm", "ogv", "opus", "ra", "s3m", "spx", "tta", "ts", "wav", "wave", "webm", "wma", "wmv", "wv", "xm",
  ]
}
