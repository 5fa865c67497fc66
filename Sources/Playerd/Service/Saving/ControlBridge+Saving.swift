import DBus
import Glibc
import MPRISService
import Playback
import PlayerdInterfaces
import PlaylistFormats
import TextCoding

/// Saving the queue as a playlist file.
extension ControlBridge {
  /// Writes the queue in list order to the playlist folder; returns the path of the file.
  func saveQueue(as name: PlaylistName, replacing: Bool) throws(DBusError) -> String {
    let state = bridge.player.snapshot
    var writer = M3UWriter()
    var isEmpty = true
    for item in bridge.player.items {
      let isCurrent = item.id == state.currentItem?.id
      let known = isCurrent ? bridge.metadata(of: state).metadata : bridge.metadataCache.metadata(of: item.id)
      if writer.add(PlaylistEntry(item, known?.fields)) { isEmpty = false }
      guard writer.bytes.count <= PlaylistFormats.Playlist.byteLimit else {
        throw .limitsExceeded("the queue is too long for a playlist")
      }
    }
    guard !isEmpty else { throw .failed("the queue is empty") }
    let isPrivate = bridge.player.items.contains { $0.uri.hasURISecrets }
    switch bridge.playlistFolder.save(writer.bytes, as: name, replacing: replacing, isPrivate: isPrivate) {
    case .success(let path): return path
    case .failure(let failure) where failure.number == EEXIST:
      throw .fileExists("the playlist “\(name.text)” already exists")
    case .failure(let failure): throw .failed("cannot write the playlist: \(failure.message)")
    }
  }
}

extension PlaylistEntry {
  /// Creates the entry of an item with its known tags.
  init(_ item: Player.Item, _ known: MPRISMetadata.Fields?) {
    let path = FileURI.path(of: item.uri)
    // Other players expect the path; the URI is used only if the path would be misread.
    let isPlain = path.map { path in
      String(validating: path, as: UTF8.self) != nil && path.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\\") }
        && path.last != UInt8(ascii: " ")
    }
    self.init(path.flatMap { isPlain == true ? .path($0) : nil } ?? .uri(item.uri))
    let externalMetadata = item.externalMetadata
    // The title that a station reports is its current programme, not its name.
    let isStation = path == nil && known?.length == nil
    title = isStation ? externalMetadata?.title ?? known?.album : known?.title ?? externalMetadata?.title
    artist = isStation ? externalMetadata?.artist : known?.artists.first ?? externalMetadata?.artist
    album = isStation ? externalMetadata?.album : known?.album ?? externalMetadata?.album
    duration = known?.length ?? externalMetadata?.duration
    start = item.start > .zero ? item.start : nil
    end = item.end
    (userAgent, referrer) = (item.httpHeaders?.userAgent, item.httpHeaders?.referrer)
  }
}
