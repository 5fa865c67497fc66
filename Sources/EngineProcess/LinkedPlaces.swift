import CLinux
import Glibc

/// The places to which links in allowed folders lead.
///
/// Landlock allows a folder with everything below it, but checks a link at its target: `/etc/resolv.conf` may lead to
/// `/mnt/wsl`, and the settings of the user to a folder of dotfiles. The targets of links are therefore allowed as well.
struct LinkedPlaces {
  /// The entries that are read at most.
  private static let limit = 20_000
  /// The depth of folders; GStreamer reads as many of plug-ins.
  private static let depthLimit = 10

  /// The real paths, outside the allowed folders.
  private(set) var paths: [String] = []
  private let allowed: [String]
  private let home: String
  private var visited: Set<String> = []
  private var rest = limit

  /// Finds the places.
  ///
  /// - Parameters:
  ///   - roots: The files, and the folders with links. A path that does not exist is ignored.
  ///   - allowed: The paths that are allowed with all that is below them.
  ///   - home: The home folder. No link allows it as a whole.
  init(of roots: [String], outside allowed: [String], home: String) {
    self.allowed = allowed.compactMap(Self.realPath)
    self.home = Self.realPath(home) ?? home
    for root in roots {
      guard let path = Self.realPath(root) else { continue }
      if isAllowed(path) { visitEntries(of: path, depth: 0) } else { add(path, depth: 0) }
    }
  }

  private mutating func add(_ path: String, depth: Int) {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return }
    switch info.st_mode & S_IFMT {
    case S_IFREG: if visited.insert(path).inserted { paths.append(path) }
    case S_IFDIR:
      guard path != "/", !"\(home)/".hasPrefix("\(path)/"), !visited.contains(path) else { return }
      paths.append(path)
      visitEntries(of: path, depth: depth)
    default: break
    }
  }

  private mutating func visitEntries(of folder: String, depth: Int) {
    guard depth < Self.depthLimit, visited.insert(folder).inserted else { return }
    for (name, type) in FolderEntries.read(folder, limit: rest) {
      rest -= 1
      let path = "\(folder)/\(name)"
      switch type {
      case DT_DIR: visitEntries(of: path, depth: depth + 1)
      case DT_LNK, DT_UNKNOWN:
        // Most links of certificates lead to a file beside them, or to one in /usr: their real paths need not be known.
        let target = FolderEntries.target(ofLink: path).map { String(decoding: $0, as: UTF8.self) }
        if let target, !target.contains("/") || !target.contains("/..") && isAllowed(target) { continue }
        guard let place = Self.realPath(path), !isAllowed(place) else { continue }
        add(place, depth: depth + 1)
      default: break
      }
    }
  }

  private func isAllowed(_ path: String) -> Bool {
    allowed.contains { path.hasPrefix($0) && (path.utf8.count == $0.utf8.count || path.hasPrefix("\($0)/")) }
  }

  private static func realPath(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard unsafe realpath(path, &buffer) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
