import Glibc

/// The picture of an album as a file beside its tracks.
enum CoverFile {
  /// What such a file is called, the best name first; in any case.
  static let names = ["cover", "folder", "front", "album"]
  /// What its name ends in, the best first.
  static let endings = ["jpg", "jpeg", "png", "webp", "gif"]
  /// How many names of a folder are looked at.
  static let entryLimit = 20_000

  /// The path of the best such file in the folder of a file; nil when there is none.
  static func path(beside file: [UInt8]) -> [UInt8]? {
    guard let slash = file.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let folder = Array(file[...slash])
    guard let directory = unsafe folder.withCString({ unsafe opendir($0) }) else { return nil }
    defer { unsafe closedir(directory) }
    var best: (rank: Int, name: [UInt8])?
    for _ in 0..<entryLimit {
      guard let entry = unsafe readdir(directory) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in unsafe Array(bytes.prefix { $0 != 0 }) }
      guard let rank = rank(of: name), best.map({ rank < $0.rank }) ?? true else { continue }
      best = (rank, name)
    }
    return best.map { folder + $0.name }
  }

  /// How good a name is, 0 the best; nil for one that is no cover's.
  static func rank(of name: [UInt8]) -> Int? {
    guard name.count <= 16 else { return nil }
    let parts = String(decoding: name, as: UTF8.self).lowercased()
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let base = names.firstIndex(of: String(parts[0])),
      let ending = endings.firstIndex(of: String(parts[1]))
    else { return nil }
    return base * endings.count + ending
  }
}
