import DBus
import Glibc
import MPRISService
import Playback
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdStorage
import PlayerdSystem
import PlaylistFormats
import TextCoding

/// Saving the queue as a playlist file.
extension ControlBridge {
  /// Writes the queue in list order to the playlist folder; returns the path of the file.
  ///
  /// It waits for the tags of local files as a listing of the queue does.
  func saveQueue(
    as text: String, replacing: Bool, hasRelativePaths: Bool = false
  ) async throws(DBusError) -> String {
    guard let name = PlaylistName(text) else { throw .invalidArguments(PlaylistName.rule) }
    await readTags()
    let state = bridge.player.snapshot
    var writer = M3UWriter()
    var isEmpty = true
    for item in bridge.player.items {
      var entry = PlaylistEntry(item, bridge.fields(of: item, state))
      if hasRelativePaths, case .path(let path) = entry.location,
        let relative = bridge.playlistFolder.relativePath(of: path)
      {
        entry.location = .path(relative)
      }
      if writer.add(entry) { isEmpty = false }
      guard writer.bytes.count <= PlaylistFormats.Playlist.byteLimit else {
        throw .limitsExceeded("the queue is too long for a playlist")
      }
    }
    guard !isEmpty else { throw .failed("the queue is empty") }
    let permissions: FilePermissions = bridge.player.items.contains { $0.uri.hasURISecrets } ? .secret : .usual
    switch bridge.playlistFolder.save(writer.bytes, as: name, replacing: replacing, permissions: permissions) {
    case .success(let path): return path
    case .failure(let failure) where failure.number == EEXIST:
      throw .fileExists("the playlist “\(name.text)” already exists")
    case .failure(let failure): throw .failed("cannot write the playlist: \(failure.message)")
    }
  }
}

/// Changes of saved playlists.
extension ControlBridge {
  /// Appends items, or the current track if there are none, to a playlist; returns the number of tracks.
  ///
  /// The playlist is created if it does not exist. A folder is appended as its files.
  func append(_ uris: [String], toPlaylist name: String) async throws(DBusError) -> Int {
    guard let newName = PlaylistName(name) else { throw .invalidArguments(PlaylistName.rule) }
    let entries = uris.isEmpty ? [try currentEntry()] : try await entries(of: uris)
    let folder = bridge.playlistFolder
    let old = folder.uri(named: name).flatMap { FileURI.path(of: $0) }
    var writer = M3UWriter()
    if let old { writer = try self.writer(continuing: old, name) }
    // The user has decided who may read the secrets that are in the file already.
    let hadSecrets = Self.hasSecrets(writer.bytes)
    let count = entries.count { writer.add($0) }
    guard writer.bytes.count <= PlaylistFormats.Playlist.byteLimit else {
      throw .limitsExceeded("the playlist would be larger than 64 MiB")
    }
    let permissions: FilePermissions = !hadSecrets && Self.hasSecrets(writer.bytes) ? .secret : .usual
    let result =
      if let old { folder.write(writer.bytes, to: old, permissions: permissions) } else {
        folder.save(writer.bytes, as: newName, replacing: false, permissions: permissions).map { _ in () }
      }
    if case .failure(let failure) = result { throw .failed("cannot write the playlist: \(failure.message)") }
    return count
  }

  private static func hasSecrets(_ playlist: [UInt8]) -> Bool {
    String(decoding: playlist, as: UTF8.self).split(separator: "\n").contains { String($0).hasURISecrets }
  }

  private func currentEntry() throws(DBusError) -> PlaylistEntry {
    let state = bridge.player.snapshot
    guard let item = state.currentItem else { throw .failed("the queue is empty") }
    return PlaylistEntry(item, bridge.metadata(of: state).metadata.fields)
  }

  /// Returns the entries of items; the entries of a folder are in natural order.
  private func entries(of uris: [String]) async throws(DBusError) -> [PlaylistEntry] {
    var entries: [PlaylistEntry] = []
    for written in uris {
      guard FileURI.isURI(written) else { throw .invalidArguments("“\(written.excerpt)” is not an absolute URI") }
      let uri = FileURI.canonical(written, in: bridge.files)
      if let objection = settings.current.uriPolicy.objection(to: uri) {
        throw .accessDenied("\(FileURI.readable(uri)): \(objection)")
      }
      let path = FileURI.path(of: uri)
      guard let path, bridge.files.kind(of: path) == .folder else {
        if let path, case .failure(let failure) = bridge.files.identify(path) {
          throw .failed("\(FileURI.readable(uri)): \(failure.reason)")
        }
        entries.append(PlaylistEntry(Player.Item(uri: uri), nil))
        continue
      }
      let before = entries.count
      var unreadable: (path: [UInt8], failure: FileFailure)?
      await MediaFolder.walk(
        path, in: bridge.files, where: MediaFolder.isMedia, failed: { unreadable = unreadable ?? ($0, $1) }
      ) { media in
        entries += media.map { PlaylistEntry(Player.Item(uri: FileURI.uri(ofPath: $0)), nil) }
        return unreadable == nil && entries.count <= PlaylistFormats.Playlist.entryLimit
      }
      // A playlist without the files of a folder would look complete.
      if let (path, failure) = unreadable {
        throw .failed("\(FileURI.readable(FileURI.uri(ofPath: path))): \(failure.reason)")
      }
      if entries.count == before { throw .failed("\(FileURI.readable(uri)): no media in this folder") }
    }
    return entries
  }

  /// Returns a writer with the content of an M3U playlist.
  private func writer(continuing path: [UInt8], _ name: String) throws(DBusError) -> M3UWriter {
    guard ["m3u", "m3u8"].contains(path.fileExtension) else {
      throw .failed("“\(name)” is not an M3U playlist; tracks can be appended to M3U only")
    }
    switch bridge.files.bytes(of: path, limit: PlaylistFormats.Playlist.byteLimit) {
    case .success(let bytes) where String(validating: bytes, as: UTF8.self) != nil: return M3UWriter(continuing: bytes)
    case .success: throw .failed("the playlist “\(name)” is not in UTF-8")
    case .failure(let failure): throw .failed("cannot read the playlist: \(failure.message)")
    }
  }

  func renamePlaylist(_ name: String, to newName: String) throws(DBusError) {
    guard let new = PlaylistName(newName) else { throw .invalidArguments(PlaylistName.rule) }
    switch bridge.playlistFolder.rename(name, to: new) {
    case .success: break
    case .failure(let failure) where failure.number == EEXIST:
      throw .fileExists("the playlist “\(new.text)” already exists")
    case .failure(let failure): throw .failed("cannot rename the playlist: \(failure.message)")
    }
  }

  func deletePlaylist(_ name: String) throws(DBusError) {
    if case .failure(let failure) = bridge.playlistFolder.delete(name) {
      throw .failed("cannot delete the playlist: \(failure.message)")
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
