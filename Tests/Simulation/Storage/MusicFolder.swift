@testable import PlayerdSystem

/// The folders and playlists that a script opens; they exist from the first request on.
struct MusicFolder: Sendable {
  /// A folder or a playlist.
  private struct Node {
    var entries: [String] = []
    var bytes: [UInt8]?
    var delay = 0
    var number: UInt64
  }

  private var nodes: [String: Node] = [:]
  /// The playlists of servers, by URI.
  private(set) var servers: [String: (bytes: [UInt8], delay: Int)] = [:]

  /// Creates the source of a request.
  ///
  /// - Returns: The URI to open, and the URIs of its items in order.
  mutating func add(_ source: StorageSource, number: Int) -> (uri: String, items: [String]) {
    let root = "/music/\(number)"
    switch source {
    case .file(let media):
      let path = "\(root)-\(media).ogg"
      node(path, Node(number: 0))
      return ("file://\(path)", ["file://\(path)"])
    case .missing: return ("file://\(root)-none.ogg", ["file://\(root)-none.ogg"])
    case .folder(let sizes, let delay):
      var items: [String] = []
      var folders: [String] = []
      for (index, size) in sizes.enumerated() {
        let folder = "\(root)/\(index + 1)"
        let files = (0..<size).map { "\($0 + 1).ogg" }
        node(folder, Node(entries: files, delay: delay, number: 0))
        items += files.map { "file://\(folder)/\($0)" }
        folders.append("\(index + 1)")
      }
      node(root, Node(entries: folders.reversed(), delay: delay, number: 0))
      return ("file://\(root)", items)
    case .list(let size, let delay):
      let items = (0..<size).map { "file://\(root)-list/\($0 + 1).ogg" }
      let text = items.map { "\($0)\n" }.joined()
      node("\(root).m3u", Node(bytes: Array(text.utf8), delay: delay, number: 0))
      return ("file://\(root).m3u", items)
    case .server(let size, let delay):
      let items = (0..<size).map { "http://server/\(number)-list/\($0 + 1).ogg" }
      let uri = "http://server/\(number).m3u"
      servers[uri] = (Array(items.map { "\($0)\n" }.joined().utf8), delay)
      return (uri, delay >= 10_000 ? [] : items)
    case .cycle:
      let text = "\(root).m3u\nfile://\(root)-a/1.ogg\n\(root).m3u\n"
      node("\(root).m3u", Node(bytes: Array(text.utf8), number: 0))
      return ("file://\(root).m3u", ["file://\(root)-a/1.ogg"])
    }
  }

  private mutating func node(_ path: String, _ node: Node) {
    var node = node
    node.number = UInt64(nodes.count + 1)
    nodes[path] = node
  }

  func list(_ path: String) -> (bytes: [UInt8], delay: Int)? {
    guard let node = nodes[path], let bytes = node.bytes else { return nil }
    return (bytes, node.delay)
  }

  func folder(_ path: String) -> (entries: [FolderEntry], delay: Int) {
    guard let node = nodes[path] else { return ([], 0) }
    let isRoot = nodes["\(path)/1"] != nil
    return (node.entries.map { FolderEntry(name: Array($0.utf8), kind: isRoot ? .folder : .file) }, node.delay)
  }

  func identify(_ path: String) -> (kind: FileKind, id: FileID)? {
    guard let node = nodes[path] else { return nil }
    let isFile = node.bytes != nil || path.hasSuffix(".ogg")
    return (isFile ? .file : .folder, FileID(device: 2, inode: node.number))
  }

  /// Returns the number in the name of a URI's file, which selects its media.
  static func number(of uri: String) -> Int? {
    guard uri.hasSuffix(".ogg"), uri.contains("/music/") || uri.contains("-list/") else { return nil }
    let name = uri.dropLast(4)
    return Int(name[(name.lastIndex { !$0.isNumber }.map { name.index(after: $0) } ?? name.startIndex)...])
  }
}

/// The source of the items of a request.
package enum StorageSource: Hashable, Sendable {
  /// A file; the number selects its media.
  case file(Int)
  case missing
  /// Folders with so many files each; each takes so many milliseconds to read.
  case folder([Int], delay: Int)
  /// A playlist with so many entries.
  case list(Int, delay: Int)
  /// A playlist of a server.
  case server(Int, delay: Int)
  /// A playlist that lists itself.
  case cycle
}
