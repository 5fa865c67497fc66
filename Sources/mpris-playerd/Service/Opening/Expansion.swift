import GstPlayer
import PlaylistFormats

/// One request's URIs on their way to items: folders and playlists are opened, playlists in playlists, too.
struct Expansion {
  /// Items that one edit of the queue brings at the most, so that a large folder starts playing before it has been
  /// read.
  private static let batchSize = 512
  /// How long folders within a folder are read before what has been found is played.
  private static let patience = Duration.milliseconds(50)
  /// Playlists in playlists are followed this far.
  static let depthLimit = 4
  /// How long a server may take to give a playlist.
  static let listTimeout = Duration.seconds(10)
  /// How long it may take to say what is behind a URI that does not tell.
  private static let probeTimeout = Duration.seconds(5)

  private(set) var insertion: Insertion
  private let policy: URIPolicy?
  /// Decides which item is the first; nil when no queue is replaced.
  private let check: PlayabilityCheck?
  let log: OpenLog
  private let listTimeout: Duration
  /// What is named together comes into the queue together; what is read from folders, playlists and servers does not
  /// wait long for what follows.
  private var collected: [PlayerItem] = []
  /// The playlists that are being read, each named by the one before.
  private var chain: [String] = []

  init(
    into insertion: Insertion, policy: URIPolicy?, check: PlayabilityCheck?, log: OpenLog, listTimeout: Duration
  ) {
    self.listTimeout = listTimeout
    self.check = check
    self.insertion = insertion
    self.policy = policy
    self.log = log
  }

  /// Adds what a URI leads to, as somebody named it.
  mutating func open(_ uri: String) async {
    guard isOpen, isAllowed(uri) else { return }
    if let path = FileURI.path(of: uri) {
      switch MediaFolder.kind(of: path) {
      case .folder: await add(folder: path, uri)
      case .file: await add(file: path, uri, nil)
      case .other, nil: collected.append(PlayerItem(uri: uri))
      }
    } else {
      let name = FileURI.name(of: uri)
      if let format = PlaylistFormat(fileName: name), Self.isRemote(uri) {
        await add(remote: uri, format, nil)
      } else if Self.isRemote(uri), !MediaFolder.isMedia(Array(name.utf8)) {
        await probe(uri)
      } else {
        collected.append(PlayerItem(uri: uri))
      }
    }
  }

  /// Whether more is wanted.
  var isOpen: Bool { !Task.isCancelled && !insertion.isFull }

  private static func isRemote(_ uri: String) -> Bool { ["http", "https"].contains(FileURI.scheme(of: uri)) }

  func isAllowed(_ uri: String) -> Bool {
    guard let policy, !policy.allows(uri) else { return true }
    log.reject(uri, "refused, it may not be opened")
    return false
  }

  /// Puts what has been collected into the queue.
  mutating func flush() async {
    let items = collected
    collected = []
    if let check, !insertion.hasBegun {
      insertion.add(await playable(items, check))
    } else {
      insertion.add(items)
    }
  }

  /// Leaves out the items before the first that can be played.
  private func playable(_ items: [PlayerItem], _ check: PlayabilityCheck) async -> [PlayerItem] {
    for (index, item) in items.enumerated() where isOpen {
      guard let failure = await check.failure(of: item) else { return Array(items[index...]) }
      log.reject(item.uri, failure.message)
    }
    return []
  }

  mutating func append(_ item: PlayerItem) async {
    collected.append(item)
    guard collected.count >= Self.batchSize else { return }
    await flush()
    // Something newer may be waiting.
    await Task.yield()
  }
}

// MARK: Folders

extension Expansion {
  private mutating func add(folder: [UInt8], _ uri: String) async {
    var isEmpty = true
    let begin = SuspendingClock.Instant.now
    await MediaFolder.walk(folder, where: { MediaFolder.isMedia($0) || Self.isSheet($0) }) { files in
      if isEmpty { isEmpty = files.allSatisfy(Self.isSheet) }
      await add(files: files)
      // What can be read at once comes at once; of a slow disk, what is there already is played.
      if begin.duration(to: .now) > Self.patience { await flush() }
      return isOpen
    }
    guard isEmpty, isOpen else { return }
    // A playlist beside the files that it lists would only repeat them; where there is nothing else, it is what is meant.
    await MediaFolder.walk(folder, where: { Self.format($0) != nil }) { files in
      isEmpty = false
      for file in files where isOpen { await add(file: file, FileURI.uri(ofPath: file), nil) }
      return isOpen
    }
    if isEmpty { log.reject(uri, "no media in this folder") }
  }

  private static func format(_ name: [UInt8]) -> PlaylistFormat? {
    PlaylistFormat(fileName: String(decoding: name, as: UTF8.self))
  }
}

// MARK: Playlists

extension Expansion {
  /// A file of this machine: a playlist is read, anything else played.
  ///
  /// What cannot be read is left to the player, which tells why.
  private mutating func add(file path: [UInt8], _ uri: String, _ hints: ItemHints?) async {
    let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    guard let format = Self.format(name) else {
      if await !add(divided: path, uri) { await append(PlayerItem(uri: uri, hints: hints)) }
      return
    }
    guard format != .cue else { return await add(sheet: path, uri, hints) }
    guard isNew(FileURI.uri(ofPath: FileURI.resolved(path) ?? path)) else { return }
    switch TextFile.bytes(of: String(decoding: path, as: UTF8.self), limit: Playlist.byteLimit) {
    case .failure(let failure) where failure.number == 0: log.reject(uri, failure.message)
    case .failure: await append(PlayerItem(uri: uri, hints: hints))
    case .success(let bytes):
      guard case .playlist(let playlist) = format.read(bytes) else {
        return await append(PlayerItem(uri: uri, hints: hints))
      }
      let folder = Array(path.dropLast(name.count + 1))
      await add(playlist, uri, chained: FileURI.uri(ofPath: FileURI.resolved(path) ?? path)) { location in
        if case .uri(let uri) = location { return uri }
        let paths = location.paths(from: folder)
        // Where a name is clear, nothing is gained by looking: the player tells what is missing.
        guard paths.count > 1 else { return paths.first.map { FileURI.uri(ofPath: FileURI.normalized($0)) } }
        let found = paths.first { MediaFolder.kind(of: $0) != nil } ?? paths.first
        return found.map { FileURI.uri(ofPath: FileURI.normalized($0)) }
      }
    }
  }

  /// A playlist of a server, or what only looks like one.
  private mutating func add(remote uri: String, _ format: PlaylistFormat, _ hints: ItemHints?) async {
    guard isNew(uri) else { return }
    // What there is already need not wait for a server.
    await flush()
    do {
      let reader = URIReader(byteLimit: Playlist.byteLimit, timeout: listTimeout)
      guard let content = try await reader.read(uri, isWanted: Self.mayBePlaylist),
        case .playlist(let playlist) = (content.mediaType.flatMap { PlaylistFormat(mediaType: $0) } ?? format).read(
          content.bytes)
      else { return await append(PlayerItem(uri: uri, hints: hints)) }
      await add(playlist, uri, from: content.uri)
    } catch  where error.code == .cancelled {
    } catch {
      log.reject(uri, error.message)
    }
  }

  /// Finds out whether a URI without a telling name is a playlist; whatever comes of it, the player has the last word.
  private mutating func probe(_ uri: String) async {
    await flush()
    let reader = URIReader(byteLimit: Playlist.byteLimit, timeout: Self.probeTimeout)
    let content = try? await reader.read(uri) { $0.flatMap { PlaylistFormat(mediaType: $0) } != nil }
    guard let content, let format = content.mediaType.flatMap({ PlaylistFormat(mediaType: $0) }),
      case .playlist(let playlist) = format.read(content.bytes)
    else { return await append(PlayerItem(uri: uri)) }
    await add(playlist, uri, from: content.uri)
  }

  /// Servers send playlists as anything; but what says that it is sound, pictures or a web page is none.
  @Sendable private static func mayBePlaylist(_ mediaType: String?) -> Bool {
    guard let mediaType, PlaylistFormat(mediaType: mediaType) == nil else { return true }
    let isOther = ["audio/", "video/", "image/", "text/html"].contains { mediaType.lowercased().hasPrefix($0) }
    return !isOther
  }

  private mutating func add(_ playlist: Playlist, _ uri: String, from base: String) async {
    let log = log
    await add(playlist, uri, chained: uri) { location in
      guard let resolved = URIReader.resolve(location.referenceText, against: base) else { return nil }
      guard FileURI.scheme(of: resolved) != "file" else {
        log.reject(uri, "a server's playlist cannot name files of this machine")
        return nil
      }
      return resolved
    }
  }

  /// Whether a playlist may be read: neither too deep in others, nor one of those that lead to it.
  private func isNew(_ uri: String) -> Bool {
    if chain.contains(uri) {
      log.reject(uri, "the playlist lists itself")
    } else if chain.count >= Self.depthLimit {
      log.reject(uri, "too many playlists in each other")
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
      let item = PlayerItem(uri: target, entry, image: entry.image.flatMap(locate))
      if item.isPart { await append(item) } else { await add(entryAt: target, item.hints) }
    }
    chain.removeLast()
  }

  func warn(of playlist: Playlist, _ uri: String) {
    for warning in playlist.warnings { log.reject(uri, warning.description) }
    if playlist.entries.isEmpty, playlist.warnings.isEmpty {
      log.reject(uri, "an empty playlist")
    }
  }

  private mutating func add(entryAt uri: String, _ hints: ItemHints?) async {
    let name = Array(FileURI.name(of: uri).utf8)
    guard !MediaFolder.isMedia(name) else { return await append(PlayerItem(uri: uri, hints: hints)) }
    if let path = FileURI.path(of: uri) {
      guard MediaFolder.kind(of: path) == .folder else { return await add(file: path, uri, hints) }
      await add(folder: path, uri)
    } else if let format = Self.format(name), Self.isRemote(uri) {
      await add(remote: uri, format, hints)
    } else {
      await append(PlayerItem(uri: uri, hints: hints))
    }
  }
}

extension ItemHints {
  /// What a playlist says of an item; nil when that is nothing.
  init?(_ entry: PlaylistEntry, image: String?) {
    self.init()
    title = entry.title
    artist = entry.artist
    album = entry.album
    albumArtist = entry.albumArtist
    genre = entry.genre
    // Sheets have all sorts of things there; a date is one as ISO 8601 writes it.
    date = entry.date.flatMap { date in
      [4, 7, 10].contains(date.utf8.count) && date.utf8.allSatisfy { "0123456789-".utf8.contains($0) } ? date : nil
    }
    trackNumber = entry.trackNumber
    duration = entry.duration
    self.image = image
    if self == ItemHints() { return nil }
  }
}
