import DBus
import Glibc
import PlayerdInterfaces

/// A file of the playlist folder, as its name and its entry in the file system show it.
struct PlaylistFile {
  let name: [UInt8]
  /// When it was changed last, since 1970.
  let modified: Duration
  /// The picture of the same name beside it; nil for none.
  let picture: [UInt8]?

  /// The name without its ending, repaired where it is not UTF-8.
  var title: String { String(decoding: Self.stem(name), as: UTF8.self) }

  var id: ObjectPath { Self.id(of: name) }

  /// The path that a file has on the bus, today and after a restart: `_xx` for each byte that no path can have.
  static func id(of name: [UInt8]) -> ObjectPath {
    var text = PlayerdName.playlists
    for byte in name {
      let lower = byte | 0x20
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) && byte != UInt8(ascii: "_")
      {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        text += digits.utf8.count == 1 ? "_0\(digits)" : "_\(digits)"
      }
    }
    return (try? ObjectPath(text)) ?? "/"
  }

  static func isPlaylist(_ name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: ".") && endings.contains(ending(name))
  }

  /// The playlists of a folder in natural order; none when there is no folder.
  static func list(in path: [UInt8]) -> [PlaylistFile] {
    let folder = path.map { CChar(bitPattern: $0) }
    guard let stream = unsafe opendir(folder + [0]) else { return [] }
    defer { unsafe closedir(stream) }
    var files: [PlaylistFile] = []
    var pictures: [[UInt8]: [UInt8]] = [:]
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in unsafe Array(bytes.prefix { $0 != 0 }) }
      if isPlaylist(name) {
        var info = stat()
        let text = folder + [CChar(bitPattern: UInt8(ascii: "/"))] + name.map { CChar(bitPattern: $0) } + [0]
        guard unsafe stat(text, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { continue }
        let modified = Duration.seconds(Int64(info.st_mtim.tv_sec)) + .nanoseconds(Int64(info.st_mtim.tv_nsec))
        files.append(PlaylistFile(name: name, modified: modified, picture: nil))
      } else if pictureEndings.contains(ending(name)) {
        pictures[stem(name)] = name
      }
    }
    return files.sorted { NaturalOrder.precedes($0.name, $1.name) }.map { file in
      PlaylistFile(name: file.name, modified: file.modified, picture: pictures[stem(file.name)])
    }
  }

  /// The time of day, since 1970.
  static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  private static let endings: Set<String> = ["m3u", "m3u8", "pls", "xspf", "cue"]
  private static let pictureEndings: Set<String> = ["jpg", "jpeg", "png", "svg", "webp"]

  private static func stem(_ name: [UInt8]) -> [UInt8] {
    name.lastIndex(of: UInt8(ascii: ".")).map { Array(name[..<$0]) } ?? name
  }

  private static func ending(_ name: [UInt8]) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: name[(dot + 1)...].map(NaturalOrder.lowercase), as: UTF8.self)
  }
}
