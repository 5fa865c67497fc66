import PlayerdSystem
import TextCoding

/// Searches for the files that playlists name, under several paths and in another case.
struct FileSearch {
  /// The limit of folders whose names are kept.
  private static let folderLimit = 1_000
  /// The limit of names in a folder that is searched.
  private static let nameLimit = 20_000

  private let files: any FileSystem
  /// The names of each folder by their form without case; nil for a form that several names have.
  private var names: [[UInt8]: [String: [UInt8]?]] = [:]
  /// The folders that exist in another case, by their written paths; nil if there is none.
  private var folders: [[UInt8]: [UInt8]?] = [:]

  init(_ files: any FileSystem) { self.files = files }

  /// Returns the first path that exists, else the first one whose names have exactly one match in another case.
  mutating func find(_ paths: [[UInt8]]) -> [UInt8]? {
    if let exact = paths.first(where: { files.kind(of: $0) != nil }) { return exact }
    for path in paths { if let other = match(of: path) { return other } }
    return nil
  }

  private mutating func match(of path: [UInt8]) -> [UInt8]? {
    guard path.contains(UInt8(ascii: "/")), let folder = folder(path.folder) else { return nil }
    // The form of Unicode may differ as well, which the comparison of texts ignores.
    guard let name = String(validating: path.lastComponent, as: UTF8.self), !name.isEmpty else { return nil }
    return names(in: folder)[name.lowercased()]?.map { folder + [UInt8(ascii: "/")] + $0 }
  }

  /// Returns a folder under its path, or in another case.
  private mutating func folder(_ path: [UInt8]) -> [UInt8]? {
    if path.isEmpty { return path }
    if let known = folders[path] { return known }
    if folders.count >= Self.folderLimit { folders = [:] }
    let found = files.kind(of: path) == .folder ? path : match(of: path)
    folders[path] = .some(found)
    return found
  }

  private mutating func names(in folder: [UInt8]) -> [String: [UInt8]?] {
    if let known = names[folder] { return known }
    if names.count >= Self.folderLimit { names = [:] }
    let entries = files.entries(of: folder.isEmpty ? [UInt8(ascii: "/")] : folder)
    var forms: [String: [UInt8]?] = [:]
    for entry in entries where entries.count <= Self.nameLimit {
      guard let form = String(validating: entry.name, as: UTF8.self)?.lowercased() else { continue }
      forms[form] = forms[form] == nil ? .some(entry.name) : .some(nil)
    }
    names[folder] = forms
    return forms
  }
}
