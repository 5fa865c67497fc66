import DBus
import PlayerdInterfaces
import TextCoding

/// A file of the playlist folder: its name and its data in the file system.
struct PlaylistFile {
  let name: [UInt8]
  /// The time of the last change, since 1970.
  let modified: Duration
  /// The picture file with the same name; nil for none.
  let picture: [UInt8]?

  /// The name without its extension; invalid UTF-8 is repaired.
  var title: String { String(decoding: name.stem, as: UTF8.self) }

  var id: ObjectPath { Self.id(of: name) }

  /// Returns the object path of a file, which is stable across restarts; `_xx` stands for each byte that is not
  /// allowed.
  static func id(of name: [UInt8]) -> ObjectPath {
    var text = PlayerdName.playlists
    for byte in name {
      if byte.isASCIIDigit || byte.isASCIILetter {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        text += digits.utf8.count == 1 ? "_0\(digits)" : "_\(digits)"
      }
    }
    return (try? ObjectPath(text)) ?? "/"
  }

  static func isPlaylist(_ name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: ".") && endings.contains(name.fileExtension)
  }

  /// Returns the playlists of a folder in natural order; empty if the folder does not exist.
  static func list(in folder: [UInt8], of files: any FileSystem = LocalFileSystem()) -> [PlaylistFile] {
    var lists: [PlaylistFile] = []
    var pictures: [[UInt8]: [UInt8]] = [:]
    for entry in files.entries(of: folder) {
      if isPlaylist(entry.name) {
        guard let modified = files.modified(folder + [UInt8(ascii: "/")] + entry.name) else { continue }
        lists.append(PlaylistFile(name: entry.name, modified: modified, picture: nil))
      } else if pictureEndings.contains(entry.name.fileExtension) {
        pictures[entry.name.stem] = entry.name
      }
    }
    return lists.sorted { NaturalOrder.precedes($0.name, $1.name) }.map { list in
      PlaylistFile(name: list.name, modified: list.modified, picture: pictures[list.name.stem])
    }
  }

  private static let endings: Set<String> = ["m3u", "m3u8", "pls", "xspf", "cue"]
  private static let pictureEndings: Set<String> = ["jpg", "jpeg", "png", "svg", "webp"]

}
