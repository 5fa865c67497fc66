import PlayerdSystem
import TextCoding

/// Finds the picture file of an album beside its tracks.
enum CoverFile {
  /// The accepted names, the best first; case-insensitive.
  static let names = ["cover", "folder", "front", "album"]
  /// The accepted extensions, the best first.
  static let endings = ["jpg", "jpeg", "png", "webp", "gif"]
  /// The limit of folder entries that are read.
  static let entryLimit = 20_000

  /// Returns the path of the best picture file in the folder of a file; nil if there is none.
  static func path(beside file: [UInt8]) -> [UInt8]? {
    let folder = file.folder + [UInt8(ascii: "/")]
    let ranks = ((try? LocalFileSystem().list(folder, limit: entryLimit).get()) ?? []).compactMap { entry in
      rank(of: entry.name).map { (rank: $0, name: entry.name) }
    }
    return ranks.min { $0.rank < $1.rank }.map { folder + $0.name }
  }

  /// Returns the rank of a name, with 0 as the best; nil for a name that is not accepted.
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
