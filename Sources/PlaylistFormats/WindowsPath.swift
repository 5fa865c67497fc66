import TextCoding

/// An absolute path of Windows: on a drive, or on a server.
struct WindowsPath {
  /// The names of the folders and the file, without the drive or the server.
  private let names: [ArraySlice<UInt8>]

  /// Reads a path, with slashes or backslashes; nil for another path.
  init?(_ path: [UInt8]) {
    let slashed = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    if path.starts(with: #"\\"#.utf8) {
      names = Array(slashed.split(separator: UInt8(ascii: "/")).dropFirst())
    } else {
      // A file: URI has a slash before the drive.
      let start = slashed.first == UInt8(ascii: "/") ? slashed.dropFirst() : slashed[...]
      // `B: side.mp3` is a name.
      guard FileReference.isDrive(start.prefix(2)), start.dropFirst(2).first == UInt8(ascii: "/") else { return nil }
      names = start.dropFirst(2).split(separator: UInt8(ascii: "/"))
    }
  }

  /// The paths below a folder that the file may have here, the longest first.
  ///
  /// Where the drive or the server is mounted is not known, but the playlist is usually in one of the folders of the path.
  var ends: [[UInt8]] {
    let last = names.suffix(Self.limit)
    return last.indices.map { Array(last[$0...].joined(separator: [UInt8(ascii: "/")])) }
  }

  /// The limit of names, because each end is searched for.
  private static let limit = 16
}
