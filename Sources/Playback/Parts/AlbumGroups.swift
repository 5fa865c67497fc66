/// The albums of a queue: the items in one folder with the same album and album artists, as far as their tags are known.
///
/// An item whose tags are not known belongs to the album of the item before it in its folder, or to the first known album
/// of the folder. Without known tags, a folder is an album.
struct AlbumGroups {
  /// A number that is the same for the items of one album, and differs from process to process.
  typealias Name = UInt32

  private struct Album: Hashable {
    var folder: Substring
    var name: Name?
  }

  /// The indices of the items of each album, in list order; the albums are in the order of their first items.
  private(set) var indices: [[Int]] = []

  init(_ items: [Player.Item], _ names: [Player.Item.ID: Name] = [:]) {
    var latest: [Substring: Name] = [:]
    for item in items.reversed() { if let name = names[item.id] { latest[item.folder] = name } }
    var places: [Album: Int] = [:]
    for (index, item) in items.enumerated() {
      let folder = item.folder
      if let name = names[item.id] { latest[folder] = name }
      let album = Album(folder: folder, name: latest[folder])
      if let place = places[album] {
        indices[place].append(index)
      } else {
        places[album] = indices.count
        indices.append([index])
      }
    }
  }
}

extension [Player.Item] {
  /// Returns the index of the first item in the folder of another one.
  package func startOfAlbum(at index: Int) -> Int {
    guard indices.contains(index) else { return index }
    let folder = self[index].folder
    return firstIndex { $0.folder == folder } ?? index
  }
}
