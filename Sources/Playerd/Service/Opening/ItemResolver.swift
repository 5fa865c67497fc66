import Playback
import PlaylistFormats
import Synchronization
import TextCoding

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

  private let loader: QueueLoader
  private(set) var insertion: QueueInsertion
  private let policy: URIPolicy?
  /// The check for the first playable item; nil if no queue is replaced.
  private let check: PlayabilityCheck?
  let log: OpenLog
  /// The items that are not inserted yet.
  ///
  /// Items that are named together are inserted together; items from folders, playlists and servers are inserted
  /// without a long wait for the next ones.
  private var collected: [Player.Item] = []
  /// The tracks of the files that cue sheets divide, in the folders read so far.
  var dividedFiles: [[UInt8]: [PlaylistEntry]] = [:]
  /// The results of the check of servers whose responses have been read.
  private var responses: [Player.Item.ID: PlayerError?] = [:]
  /// Whether the first item is played as soon as it is found.
  private let isPlayedNext: Bool
  /// The playlists that are being read; each lists the next one.
  private var chain: [String] = []

  init(_ operation: OpenQueue.Operation, for loader: QueueLoader, log: OpenLog) {
    self.loader = loader
    self.log = log
    insertion = QueueInsertion(operation, for: loader)
    policy = operation.request.policy
    isPlayedNext =
      switch operation.request.takeover {
      case .always: true
      case .intoEmptyQueue: loader.coordinator.player.snapshot.currentItem == nil
      case .never: false
      }
    check =
      operation.request.placement == .replace && loader.checksPlayability ? PlayabilityCheck(loader.media) : nil
  }

  var files: any FileSystem { loader.files }
  private var media: any MediaFramework { loader.media }
  var text: TextDecoding { loader.text }

  /// Adds the items of a URI of the request.
  mutating func open(_ uri: String) async {
    guard isOpen, isAllowed(uri) else { return }
    let item = Player.Item(uri: uri)
    let name = Array(FileURI.name(of: uri).utf8)
    if let path = FileURI.path(of: uri) {
      switch files.kind(of: path) {
      case .folder: await add(folder: path, uri)
      case .file: await add(file: path, item)
      case .other, nil: collected.append(item)
      }
    } else if Self.isRemote(uri), !MediaFolder.isMedia(name) {
      await add(remote: item, PlaylistFormat(fileName: name))
    } else {
      collected.append(item)
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
      let failure = if let known = responses[item.id] { known } else { await check.failure(of: item) }
      guard let failure else { return Array(items[index...]) }
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
    let begin = loader.queue.now
    let isWanted = { MediaFolder.isMedia($0) || Self.isSheet($0) }
    await MediaFolder.walk(folder, in: files, where: isWanted, first: Self.isSheet) { media in
      if isEmpty { isEmpty = media.allSatisfy(Self.isSheet) }
      await add(files: media)
      // A fast folder is inserted as a whole; from a slow disk, the items read so far are inserted and play.
      if begin.duration(to: loader.queue.now) > Self.batchDelay { await flush() }
      return isOpen
    }
    guard isEmpty, isOpen else { return }
    // A playlist beside the files that it lists would repeat them; it is read only if the folder contains no media.
    await MediaFolder.walk(folder, in: files, where: { PlaylistFormat(fileName: $0) != nil }) { lists in
      isEmpty = false
      for file in lists where isOpen { await add(file: file, Player.Item(uri: FileURI.uri(ofPath: file))) }
      return isOpen
    }
    if isEmpty { log.reject(uri, "no media in this folder") }
  }
}

// MARK: Playlists

extension ItemResolver {
  /// Adds a local file: a playlist is read, any other file is an item.
  private mutating func add(file path: [UInt8], _ item: Player.Item) async {
    let name = path.lastComponent
    guard let format = PlaylistFormat(fileName: name) else {
      if await !add(divided: path, item.uri) { await append(item) }
      return
    }
    guard format != .cue else { return await add(sheet: path, item) }
    let identity = FileURI.uri(ofPath: files.resolved(path) ?? path)
    guard isNew(identity), let playlist = await read(path, format, item) else { return }
    await add(playlist, item.uri, chained: identity) { [files, text] location in
      if case .uri(let uri) = location { return uri }
      let paths = location.paths(from: path.folder, text)
      // If there is only one possible path, no check is needed: the player reports a missing file.
      let found = paths.count > 1 ? paths.first { files.kind(of: $0) != nil } : nil
      return (found ?? paths.first).map { FileURI.uri(ofPath: FileURI.normalized($0)) }
    }
  }

  /// Reads a local playlist; nil if it is not one.
  ///
  /// A file that cannot be read is added as an item; the player reports its error.
  mutating func read(_ path: [UInt8], _ format: PlaylistFormat, _ item: Player.Item) async -> Playlist? {
    switch files.bytes(of: path, limit: Playlist.byteLimit).map({ format.read($0, text) }) {
    case .success(let playlist?): return playlist
    case .failure(let failure) where failure.number == 0: log.reject(item.uri, failure.message)
    case .success(nil), .failure: await append(item)
    }
    return nil
  }

  /// Adds a playlist from a server, or the item itself if its content is not a playlist.
  ///
  /// The format is that of the name; without one, only the media type decides, and the player reports a failure.
  private mutating func add(remote item: Player.Item, _ format: PlaylistFormat?) async {
    guard isNew(item.uri) else { return }
    // The items found so far do not wait for the server.
    await flush()
    let type = Mutex<String?>(nil)
    do throws(PlayerError) {
      let content = try await media.read(
        item.uri, byteLimit: Playlist.byteLimit, timeout: format == nil ? Self.probeTimeout : loader.listTimeout,
        forPlayback: isPlayedNext && !insertion.hasBegun
      ) { mediaType, beginning in
        type.withLock { $0 = mediaType }
        let list = Self.format(mediaType: mediaType) ?? (Self.mayBePlaylist(mediaType) ? format : nil)
        return list.map { !$0.isStream(beginning) } ?? false
      }
      guard let content, let format = Self.format(mediaType: content.mediaType) ?? format,
        let playlist = format.read(content.bytes, text)
      else {
        responses[item.id] = .some(PlayabilityCheck.failure(ofMediaType: type.withLock { $0 }))
        return await append(item)
      }
      await add(playlist, item.uri, chained: item.uri) { [media, text] location in
        media.resolve(location.referenceText(text), against: content.uri)
      }
    } catch {
      if format == nil {
        responses[item.id] = .some(PlayabilityCheck.decisive(error))
        await append(item)
      } else if error.code != .cancelled {
        log.reject(item.uri, error.message)
      }
    }
  }

  private static func format(mediaType: String?) -> PlaylistFormat? {
    mediaType.flatMap { PlaylistFormat(mediaType: $0) }
  }

  /// Whether a media type of no playlist format allows a playlist nevertheless.
  ///
  /// Servers use many types for playlists, but audio, video, pictures and web pages are excluded.
  private static func mayBePlaylist(_ mediaType: String?) -> Bool {
    let type = mediaType?.lowercased() ?? ""
    return !["audio/", "video/", "image/", "text/html"].contains { type.hasPrefix($0) }
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
    let isRemote = Self.isRemote(identity)
    for entry in playlist.entries where isOpen {
      guard let target = locate(entry.location) else { continue }
      guard !isRemote || FileURI.scheme(of: target) != "file" else {
        log.reject(uri, "a remote playlist cannot contain local files")
        continue
      }
      guard isAllowed(target) else { continue }
      let image = entry.image.flatMap(locate).flatMap { isRemote && FileURI.scheme(of: $0) == "file" ? nil : $0 }
      await add(entry: Player.Item(uri: target, entry, image: image))
    }
    chain.removeLast()
  }

  func warn(of playlist: Playlist, _ uri: String) {
    for warning in playlist.warnings { log.reject(uri, warning.description) }
    if playlist.entries.isEmpty, playlist.warnings.isEmpty {
      log.reject(uri, "the playlist is empty")
    }
  }

  private mutating func add(entry item: Player.Item) async {
    let name = Array(FileURI.name(of: item.uri).utf8)
    if item.isClip || MediaFolder.isMedia(name) {
      await append(item)
    } else if let path = FileURI.path(of: item.uri) {
      if files.kind(of: path) == .folder { await add(folder: path, item.uri) } else { await add(file: path, item) }
    } else if let format = PlaylistFormat(fileName: name), Self.isRemote(item.uri) {
      await add(remote: item, format)
    } else {
      await append(item)
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
