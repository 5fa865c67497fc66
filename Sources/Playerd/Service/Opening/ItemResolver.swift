import Playback
import PlaylistFormats

/// A resolver of the URIs of one request to items; it reads folders and playlists, including nested ones.
struct ItemResolver {
  /// The limit of items in one edit of the queue, so that a large folder starts to play before it has been read
  /// completely.
  private static let batchSize = 512
  /// The time for reading nested folders, after which the items found so far are inserted.
  private static let batchDelay = Duration.milliseconds(50)
  /// The limit of nested playlists.
  static let depthLimit = 4
  /// The time limit for a server to send a playlist.
  static let listTimeout = Duration.seconds(10)
  /// The time limit for a server to report the media type of a URI whose name does not show it.
  private static let probeTimeout = Duration.seconds(5)

  private(set) var insertion: QueueInsertion
  private let policy: URIPolicy?
  /// The check for the first playable item; nil if no queue is replaced.
  private let check: PlayabilityCheck?
  private let media: any MediaFramework
  let files: any FileSystem
  private let queue: any SerialQueue
  let log: OpenLog
  private let listTimeout: Duration
  /// The items that are not inserted yet.
  ///
  /// Items that are named together are inserted together; items from folders, playlists and servers are inserted
  /// without a long wait for the next ones.
  private var collected: [Player.Item] = []
  /// The playlists that are being read; each lists the next one.
  private var chain: [String] = []

  init(
    into insertion: QueueInsertion, policy: URIPolicy?, check: PlayabilityCheck?, media: any MediaFramework,
    files: any FileSystem, on queue: any SerialQueue, log: OpenLog, listTimeout: Duration
  ) {
    self.files = files
    self.queue = queue
    self.listTimeout = listTimeout
    self.check = check
    self.media = media
    self.insertion = insertion
    self.policy = policy
    self.log = log
  }

  /// Adds the items of a URI of the request.
  mutating func open(_ uri: String) async {
    guard isOpen, isAllowed(uri) else { return }
    if let path = FileURI.path(of: uri) {
      switch files.kind(of: path) {
      case .folder: await add(folder: path, uri)
      case .file: await add(file: path, uri, nil)
      case .other, nil: collected.append(Player.Item(uri: uri))
      }
    } else {
      let name = FileURI.name(of: uri)
      if let format = PlaylistFormat(fileName: name), Self.isRemote(uri) {
        await add(remote: uri, format, nil)
      } else if Self.isRemote(uri), !MediaFolder.isMedia(Array(name.utf8)) {
        await probe(uri)
      } else {
        collected.append(Player.Item(uri: uri))
      }
    }
  }

  /// Whether more items can be added.
  var isOpen: Bool { !Task.isCancelled && !insertion.isFull }

  private static func isRemote(_ uri: String) -> Bool { ["http", "https"].contains(FileURI.scheme(of: uri)) }

  func isAllowed(_ uri: String) -> Bool {
    guard let policy, !policy.allows(uri) else { return true }
    log.reject(uri, "not allowed by the configuration")
    return false
  }

  /// Inserts the collected items into the queue.
  mutating func flush() async {
    let items = collected
    collected = []
    if let check, !insertion.hasBegun {
      insertion.add(await playable(items, check))
    } else {
      insertion.add(items)
    }
  }

  /// Omits the items before the first playable one.
  private func playable(_ items: [Player.Item], _ check: PlayabilityCheck) async -> [Player.Item] {
    for (index, item) in items.enumerated() where isOpen {
      guard let failure = await check.failure(of: item) else { return Array(items[index...]) }
      log.reject(item.uri, failure.message)
    }
    return []
  }

  mutating func append(_ item: Player.Item) async {
    collected.append(item)
    guard collected.count >= Self.batchSize else { return }
    await flush()
    // Lets a newer command run.
    await Task.yield()
  }
}

// MARK: Folders

extension ItemResolver {
  private mutating func add(folder: [UInt8], _ uri: String) async {
    var isEmpty = true
    let begin = queue.now
    await MediaFolder.walk(folder, in: files, where: { MediaFolder.isMedia($0) || Self.isSheet($0) }) { media in
      if isEmpty { isEmpty = media.allSatisfy(Self.isSheet) }
      await add(files: media)
      // A fast folder is inserted as a whole; from a slow disk, the items read so far are inserted and play.
      if begin.duration(to: queue.now) > Self.batchDelay { await flush() }
      return isOpen
    }
    guard isEmpty, isOpen else { return }
    // A playlist beside the files that it lists would repeat them; it is read only if the folder contains no media.
    await MediaFolder.walk(folder, in: files, where: { Self.format($0) != nil }) { lists in
      isEmpty = false
      for file in lists where isOpen { await add(file: file, FileURI.uri(ofPath: file), nil) }
      return isOpen
    }
    if isEmpty { log.reject(uri, "no media in this folder") }
  }

  private static func format(_ name: [UInt8]) -> PlaylistFormat? {
    PlaylistFormat(fileName: String(decoding: name, as: UTF8.self))
  }
}

// MARK: Playlists

extension ItemResolver {
  /// Adds a local file: a playlist is read, any other file is an item.
  ///
  /// A file that cannot be read is added too; the player reports its error.
  private mutating func add(file path: [UInt8], _ uri: String, _ externalMetadata: Player.Item.ExternalMetadata?) async
  {
    let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    guard let format = Self.format(name) else {
      if await !add(divided: path, uri) { await append(Player.Item(uri: uri, externalMetadata: externalMetadata)) }
      return
    }
    guard format != .cue else { return await add(sheet: path, uri, externalMetadata) }
    guard isNew(FileURI.uri(ofPath: files.resolved(path) ?? path)) else { return }
    switch files.bytes(of: path, limit: Playlist.byteLimit) {
    case .failure(let failure) where failure.number == 0: log.reject(uri, failure.message)
    case .failure: await append(Player.Item(uri: uri, externalMetadata: externalMetadata))
    case .success(let bytes):
      guard case .playlist(let playlist) = format.read(bytes) else {
        return await append(Player.Item(uri: uri, externalMetadata: externalMetadata))
      }
      let folder = Array(path.dropLast(name.count + 1))
      await add(playlist, uri, chained: FileURI.uri(ofPath: files.resolved(path) ?? path)) {
        [files] location in
        if case .uri(let uri) = location { return uri }
        let paths = location.paths(from: folder)
        // If there is only one possible path, no check is needed: the player reports a missing file.
        guard paths.count > 1 else { return paths.first.map { FileURI.uri(ofPath: FileURI.normalized($0)) } }
        let found = paths.first { files.kind(of: $0) != nil } ?? paths.first
        return found.map { FileURI.uri(ofPath: FileURI.normalized($0)) }
      }
    }
  }

  /// Adds a playlist from a server, or the URI itself if its content is not a playlist.
  private mutating func add(
    remote uri: String, _ format: PlaylistFormat, _ externalMetadata: Player.Item.ExternalMetadata?
  ) async {
    guard isNew(uri) else { return }
    // The items found so far do not wait for the server.
    await flush()
    do {
      guard
        let content = try await media.read(
          uri, byteLimit: Playlist.byteLimit, timeout: listTimeout, isWanted: Self.mayBePlaylist),
        case .playlist(let playlist) = (content.mediaType.flatMap { PlaylistFormat(mediaType: $0) } ?? format).read(
          content.bytes)
      else { return await append(Player.Item(uri: uri, externalMetadata: externalMetadata)) }
      await add(playlist, uri, from: content.uri)
    } catch  where error.code == .cancelled {
    } catch {
      log.reject(uri, error.message)
    }
  }

  /// Checks whether a URI without a known extension is a playlist; otherwise, or after a failure, adds it as an item.
  private mutating func probe(_ uri: String) async {
    await flush()
    let content = try? await media.read(uri, byteLimit: Playlist.byteLimit, timeout: Self.probeTimeout) {
      $0.flatMap { PlaylistFormat(mediaType: $0) } != nil
    }
    guard let content, let format = content.mediaType.flatMap({ PlaylistFormat(mediaType: $0) }),
      case .playlist(let playlist) = format.read(content.bytes)
    else { return await append(Player.Item(uri: uri)) }
    await add(playlist, uri, from: content.uri)
  }

  /// Whether a media type allows a playlist.
  ///
  /// Servers use many types for playlists, but audio, video, pictures and web pages are excluded.
  @Sendable private static func mayBePlaylist(_ mediaType: String?) -> Bool {
    guard let mediaType, PlaylistFormat(mediaType: mediaType) == nil else { return true }
    let isOther = ["audio/", "video/", "image/", "text/html"].contains { mediaType.lowercased().hasPrefix($0) }
    return !isOther
  }

  private mutating func add(_ playlist: Playlist, _ uri: String, from base: String) async {
    let (log, media) = (log, media)
    await add(playlist, uri, chained: uri) { location in
      guard let resolved = media.resolve(location.referenceText, against: base) else { return nil }
      guard FileURI.scheme(of: resolved) != "file" else {
        log.reject(uri, "a remote playlist cannot contain local files")
        return nil
      }
      return resolved
    }
  }

  /// Whether a playlist can be read: it is not nested too deeply and does not list itself, directly or indirectly.
  private func isNew(_ uri: String) -> Bool {
    if chain.contains(uri) {
      log.reject(uri, "the playlist contains itself")
    } else if chain.count >= Self.depthLimit {
      log.reject(uri, "playlists are nested too deeply")
    } else {
      return true
    }
    return false
  }

  private mutating func add(
    _ playlist: Playlist, _ uri: String, chained identity: String, _ locate: (PlaylistLocation) -> String?
  ) async {
    warn(of: playlist, uri)
    chain.append(identity)
    for entry in playlist.entries where isOpen {
      guard let target = locate(entry.location), isAllowed(target) else { continue }
      let item = Player.Item(uri: target, entry, image: entry.image.flatMap(locate))
      if item.isClip { await append(item) } else { await add(entryAt: target, item.externalMetadata) }
    }
    chain.removeLast()
  }

  func warn(of playlist: Playlist, _ uri: String) {
    for warning in playlist.warnings { log.reject(uri, warning.description) }
    if playlist.entries.isEmpty, playlist.warnings.isEmpty {
      log.reject(uri, "the playlist is empty")
    }
  }

  private mutating func add(entryAt uri: String, _ externalMetadata: Player.Item.ExternalMetadata?) async {
    let name = Array(FileURI.name(of: uri).utf8)
    guard !MediaFolder.isMedia(name) else {
      return await append(Player.Item(uri: uri, externalMetadata: externalMetadata))
    }
    if let path = FileURI.path(of: uri) {
      guard files.kind(of: path) == .folder else { return await add(file: path, uri, externalMetadata) }
      await add(folder: path, uri)
    } else if let format = Self.format(name), Self.isRemote(uri) {
      await add(remote: uri, format, externalMetadata)
    } else {
      await append(Player.Item(uri: uri, externalMetadata: externalMetadata))
    }
  }
}

extension Player.Item.ExternalMetadata {
  /// Creates the metadata of a playlist entry; nil if it has none.
  init?(_ entry: PlaylistEntry, image: String?) {
    self.init()
    title = entry.title
    artist = entry.artist
    album = entry.album
    albumArtist = entry.albumArtist
    genre = entry.genre
    // Cue sheets contain arbitrary text here; only an ISO 8601 date is accepted.
    date = entry.date.flatMap { date in
      [4, 7, 10].contains(date.utf8.count) && date.utf8.allSatisfy { "0123456789-".utf8.contains($0) } ? date : nil
    }
    trackNumber = entry.trackNumber
    duration = entry.duration
    self.image = image
    if self == Player.Item.ExternalMetadata() { return nil }
  }
}
