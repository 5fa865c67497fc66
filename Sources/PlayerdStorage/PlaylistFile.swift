package import DBus
import PlayerdInterfaces
package import PlayerdSystem
import PlaylistFormats
import TextCoding

/// A file of the playlist folder: its name and its data in the file system.
package struct PlaylistFile {
  package let name: [UInt8]
  /// The time of the last change, since 1970.
  package let modified: Duration
  /// The picture file with the same name; nil for none.
  package let picture: [UInt8]?

  /// The name without its extension; invalid UTF-8 is repaired.
  package var title: String { String(decoding: name.stem, as: UTF8.self) }

  package var id: ObjectPath { Self.id(of: name) }

  /// Returns the object path of a file, which is stable across restarts; `_xx` stands for each byte that is not
  /// allowed.
  package static func id(of name: [UInt8]) -> ObjectPath {
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

  package static func isPlaylist(_ name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: ".") && PlaylistFormat(fileName: name) != nil
  }

  /// Returns the playlists of a folder in natural order; empty if the folder does not exist.
  package static func list(in folder: [UInt8], of files: any FileSystem = LocalFileSystem()) -> [PlaylistFile] {
    let names = files.entries(of: folder).map(\.name)
    let pictures = Dictionary(
      names.filter { pictureEndings.contains($0.fileExtension) }.map { ($0.stem, $0) }, uniquingKeysWith: { $1 })
    return names.filter(isPlaylist).sorted(by: NaturalOrder.precedes).compactMap { name in
      files.modified(folder + [UInt8(ascii: "/")] + name).map {
        PlaylistFile(name: name, modified: $0, picture: pictures[name.stem])
      }
    }
  }

  private static let pictureEndings: Set<String> = ["jpg", "jpeg", "png", "svg", "webp"]
}

extension PlaylistFormat {
  /// Creates the format from the extension of a file name, which need not be UTF-8; nil for another extension.
  package init?(fileName: [UInt8]) { self.init(fileName: String(decoding: fileName, as: UTF8.self)) }
}
