import DBus
import Glibc
import GstPlayer
import MPRISService
import PlayerdInterfaces
import PlaylistFormats

/// The queue as a playlist file.
extension PlayerBridge {
  /// Writes the queue in list order to the playlist folder; returns the path of the file.
  func saveQueue(as name: PlaylistName, replacing: Bool) -> Result<String, DBusError> {
    let state = player.snapshot
    var writer = M3UWriter()
    var isEmpty = true
    for item in player.items {
      let isCurrent = item.id == state.currentItem?.id
      let known = isCurrent ? metadata(of: state).metadata : catalogue.metadata(of: item.id)
      if writer.add(PlaylistEntry(item, known?.fields)) { isEmpty = false }
      guard writer.bytes.count <= PlaylistFormats.Playlist.byteLimit else {
        return .failure(.limitsExceeded("the queue is too long for a playlist"))
      }
    }
    guard !isEmpty else { return .failure(.failed("the queue is empty")) }
    return playlistFolder.save(writer.bytes, as: name, replacing: replacing).mapError { failure in
      failure.number == EEXIST
        ? .fileExists("there is a playlist “\(name.text)” already")
        : .failed("the playlist cannot be written: \(failure.message)")
    }
  }
}

extension PlaylistEntry {
  /// An item, and what its tags say as far as they are known.
  init(_ item: PlayerItem, _ known: Metadata.Fields?) {
    let path = FileURI.path(of: item.uri)
    // As other players have it: the path, unless it would be read as something else.
    let isPlain = path.map { path in
      String(validating: path, as: UTF8.self) != nil && path.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\\") }
        && path.last != UInt8(ascii: " ")
    }
    self.init(path.flatMap { isPlain == true ? .path($0) : nil } ?? .uri(item.uri))
    let hints = item.hints
    // What a station plays now is not what it is called.
    let isStation = path == nil && known?.length == nil
    title = isStation ? hints?.title ?? known?.album : known?.title ?? hints?.title
    artist = isStation ? hints?.artist : known?.artists.first ?? hints?.artist
    album = isStation ? hints?.album : known?.album ?? hints?.album
    duration = known?.length ?? hints?.duration
    start = item.start > .zero ? item.start : nil
    end = item.end
  }
}
