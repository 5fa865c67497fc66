import Playback
import PlayerdConfiguration
import PlayerdMedia
import PlayerdStorage
import PlayerdSystem
import PlaylistFormats
import Synchronization
import TextCoding

/// Playlists, both local and from servers.
extension ItemResolver {
  /// The base of the relative locations of a playlist.
  private enum Base {
    case folder([UInt8])
    /// The URI of a playlist on a server.
    case uri(String)
  }

  // MARK: Reading

  /// Adds a local file: a playlist is read, any other file is an item.
  mutating func add(file path: [UInt8], _ item: Player.Item) async {
    let name = path.lastComponent
    guard let format = PlaylistFormat(fileName: name) ?? formatOfContent(path, name) else {
      if await !add(divided: path, item.uri) { await append(item) }
      return
    }
    guard format != .cue else { return await add(sheet: path, item) }
    let identity = FileURI.uri(ofPath: files.resolved(path) ?? path)
    guard isNew(identity), let playlist = await read(path, format, item) else { return }
    await add(playlist, item.uri, chained: identity, .folder(path.folder))
  }

  /// Returns the format of a file whose name does not show whether it is a playlist or media.
  private func formatOfContent(_ path: [UInt8], _ name: [UInt8]) -> PlaylistFormat? {
    MediaFolder.isMedia(name) ? nil : ContentStart(files.start(of: path, count: ContentStart.size)).format
  }

  /// Reads a local playlist, whose content may have another format than its name; nil if it is not one.
  ///
  /// A file that cannot be read is added as an item; the player reports its error.
  mutating func read(_ path: [UInt8], _ format: PlaylistFormat, _ item: Player.Item) async -> Playlist? {
    switch files.bytes(of: path, limit: Playlist.byteLimit) {
    case .success(let bytes):
      expansion.add(listOf: bytes.count)
      if let playlist = (ContentStart(bytes).format ?? format).read(bytes, text) { return playlist }
      await append(item)
    case .failure(let failure) where failure.number == 0: log.reject(item.uri, failure.message)
    case .failure: await append(item)
    }
    return nil
  }

  /// Adds a playlist from a server, or the item itself if its content is not a playlist.
  ///
  /// The content decides; where it may be a playlist or not, the media type and the name.
  mutating func add(remote item: Player.Item, _ named: PlaylistFormat?) async {
    guard isNew(item.uri) else { return }
    // The items found so far do not wait for the server.
    await flush()
    if insertion.hasBegun { await answerIfDue() }
    let found = Mutex<(format: PlaylistFormat?, failure: PlayerError?)>((nil, nil))
    do throws(PlayerError) {
      let content = try await media.read(
        item.uri, headers: item.httpHeaders, byteLimit: Playlist.byteLimit,
        timeout: named == nil ? Self.probeTimeout : loader.listTimeout, forPlayback: isPlayedNext && !insertion.hasBegun
      ) { mediaType, beginning in
        let start = ContentStart(beginning)
        let format = Self.format(of: start, mediaType, named)
        found.withLock { $0 = (format, PlayabilityCheck.failure(ofContent: start)) }
        return format.map { !$0.isStream(beginning) } ?? false
      }
      let (format, failure) = found.withLock { $0 }
      guard let content, let format else {
        responses[item.id] = .some(failure)
        return await append(item)
      }
      expansion.add(listOf: content.bytes.count)
      guard let playlist = format.read(content.bytes, text) else { return await append(item) }
      await add(playlist, item.uri, chained: item.uri, .uri(content.uri))
    } catch {
      if named == nil {
        responses[item.id] = .some(PlayabilityCheck.decisive(error))
        await append(item)
      } else if error.code != .cancelled {
        log.reject(item.uri, error.message)
      }
    }
  }

  /// Returns the format of a response; nil if it is not a playlist.
  private static func format(
    of start: ContentStart, _ mediaType: String?, _ named: PlaylistFormat?
  ) -> PlaylistFormat? {
    if let format = start.format { return format }
    guard start.isText, !start.isWebPage else { return nil }
    let type = mediaType?.lowercased() ?? ""
    if let format = PlaylistFormat(mediaType: type) { return format }
    // Servers use many types for playlists.
    return ["audio/", "video/", "image/", "text/html"].contains { type.hasPrefix($0) } ? nil : named
  }

  /// Whether a playlist can be read: it is not nested too deeply and does not list itself, directly or indirectly, and
  /// the request has not read too many.
  func isNew(_ uri: String) -> Bool {
    if let excess = expansion.excess {
      log.reject(uri, "\(excess) in one request; it is not read")
    } else if chain.contains(uri) {
      log.reject(uri, "the playlist contains itself")
    } else if chain.count >= Self.depthLimit {
      log.reject(uri, "playlists are nested too deeply")
    } else {
      return true
    }
    return false
  }

  func warn(of playlist: Playlist, _ uri: String) {
    for warning in playlist.warnings { log.reject(uri, warning.description) }
    if playlist.entries.isEmpty, playlist.warnings.isEmpty {
      log.reject(uri, "the playlist is empty")
    }
  }

  // MARK: Entries

  private mutating func add(_ playlist: Playlist, _ uri: String, chained identity: String, _ base: Base) async {
    warn(of: playlist, uri)
    chain.append(identity)
    defer { chain.removeLast() }
    for entry in playlist.entries where isOpen && expansion.excess == nil {
      expansion.addEntry()
      await answerIfDue()
      guard let target = locate(entry.location, base), isAllowed(target, in: uri, base) else { continue }
      let image = entry.image.flatMap { locate($0, base) }.flatMap { mayName($0, base) ? $0 : nil }
      await add(entry: item(target, entry, image: image))
    }
    if let excess = expansion.excess, chain.count == 1 {
      log.reject(uri, "\(excess) in one request; the rest is omitted")
    }
  }

  /// Returns the URI of a location; nil if there is none.
  private mutating func locate(_ location: PlaylistLocation, _ base: Base) -> String? {
    switch base {
    case .uri(let base): return URIReference.resolve(location.referenceText(text), against: base)
    case .folder(let folder):
      let paths = location.paths(from: folder, text, isThisHost: FileURI.isThisHost).map(FileURI.normalized)
      if let found = search.find(paths) { return FileURI.uri(ofPath: found) }
      // The player reports a missing file, or that it is on another host.
      if case .uri(let uri) = location { return FileURI.canonical(uri, in: files) }
      return paths.first.map { FileURI.uri(ofPath: $0) }
    }
  }

  /// Whether an entry may be opened; if not, that is logged.
  private func isAllowed(_ target: String, in playlist: String, _ base: Base) -> Bool {
    guard !mayName(target, base) else { return isAllowed(target) }
    let scheme = FileURI.scheme(of: target) ?? "file"
    log.reject(
      playlist,
      scheme == "file"
        ? "a remote playlist cannot contain local files"
        : "a remote playlist cannot contain URIs of the scheme “\(scheme.excerpt)”, which is not in allowed-schemes")
    return false
  }

  /// Whether a playlist may name a URI: a server's playlist must not name files or devices of this machine.
  private func mayName(_ target: String, _ base: Base) -> Bool {
    guard case .uri = base else { return true }
    return FileURI.scheme(of: target).map { policy.serverSchemes.contains($0) } ?? false
  }

  /// Makes the item of an entry; headers that cannot be sent are logged and left out.
  private func item(_ uri: String, _ entry: PlaylistEntry, image: String?) -> Player.Item {
    let metadata = Player.Item.ExternalMetadata(entry, image: image)
    guard entry.userAgent != nil || entry.referrer != nil else { return Player.Item(uri: uri, entry, image: image) }
    do throws(PlayerError) {
      let fields = entry.referrer.map { ["Referer": $0] } ?? [:]
      return Player.Item(
        uri: uri, httpHeaders: try HTTPRequestHeaders(fields, userAgent: entry.userAgent), externalMetadata: metadata,
        start: entry.start ?? .zero, end: entry.end)
    } catch {
      log.reject(uri, error.message)
      return Player.Item(uri: uri, entry, image: image)
    }
  }

  private mutating func add(entry item: Player.Item) async {
    let name = Array(FileURI.name(of: item.uri).utf8)
    if item.isClip || resolves(item.uri) || MediaFolder.isMedia(name) {
      await append(item)
    } else if let path = FileURI.path(of: item.uri) {
      if files.kind(of: path) == .folder { await add(folder: path, item.uri) } else { await add(file: path, item) }
    } else if Self.isRemote(item.uri), let format = PlaylistFormat(fileName: name) {
      await add(remote: item, format)
    } else {
      await append(item)
    }
  }
}
