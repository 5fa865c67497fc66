import Playback
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdStorage
import PlayerdSystem
import PlaylistFormats
import Synchronization
import TextCoding

/// Resolves the URIs of one request to items; reads folders and playlists, including nested ones.
struct ItemResolver {
  /// The items in the first edit of the queue, so that a large folder starts to play before it has been read completely.
  private static let batchSize = 512
  /// The time for reading nested folders, after which the items found so far are inserted.
  private static let batchDelay = Duration.milliseconds(50)
  /// The limit of nested playlists.
  static let depthLimit = 4
  /// The time limit for a server to send a playlist.
  static let listTimeout = Duration.seconds(10)
  /// The time limit for a server to report the media type of a URI whose name does not show it.
  static let probeTimeout = Duration.seconds(5)

  let loader: QueueLoader
  private(set) var insertion: QueueInsertion
  let policy: URIPolicy
  private let startsPaused: Bool
  /// The check for the first playable item; nil if no queue is replaced.
  private let check: PlayabilityCheck?
  let log: OpenLog
  private let work: OpenWork
  /// The instant from which on the caller gets a report before the end.
  private let answerDue: SuspendingClock.Instant
  /// The items that are not inserted yet.
  ///
  /// Items that are named together are inserted together; items from folders, playlists and servers are inserted
  /// without a long wait for the next ones.
  private var collected: [Player.Item] = []
  /// The tracks of the files that cue sheets divide, in the folders read so far.
  var dividedFiles: [[UInt8]: [PlaylistEntry]] = [:]
  /// The results of the check of servers whose responses have been read.
  var responses: [Player.Item.ID: PlayerError?] = [:]
  /// Whether the first item is played as soon as it is found.
  let isPlayedNext: Bool
  /// The playlists that are being read; each lists the next one.
  var chain: [String] = []
  /// The playlists that have been read.
  var expansion: ListExpansion
  var search: FileSearch
  /// Which addresses the user's resolver finds the media of.
  private let addresses: [ResolverRule]
  /// The items that were inspected before the first playable one, and whether they are too many.
  private var unplayableCount = 0
  /// The words that the tracks must have, and the number of tracks that have them.
  private let words: SearchWords
  private var foundCount = 0
  /// The path of the URI that is being opened; words are not sought in it if it is a folder.
  private var opened: [UInt8] = []
  private var isExhausted = false
  /// Whether the folder that is being read has the place of a book, so that its files are inserted together.
  private var hasBook = false
  /// The limit of files that are inserted together.
  private static let bookLimit = 10_000
  /// The load that decides whether the first item is playable; nil if it was inspected.
  private var firstLoad: FirstLoad?
  /// The folders without media and playlists.
  private var emptyFolders: Set<[UInt8]> = []

  init(_ work: OpenWork, for loader: QueueLoader) {
    let operation = work.operation
    self.loader = loader
    self.work = work
    log = work.log
    answerDue = loader.queue.now.advanced(by: loader.answerTime)
    insertion = QueueInsertion(operation, for: loader)
    policy = loader.policy()
    addresses = loader.resolver?.rules ?? []
    startsPaused = operation.request.startsPaused
    words = SearchWords(operation.request.find)
    isPlayedNext =
      switch operation.request.takeover {
      case .always: true
      case .intoEmptyQueue: loader.coordinator.player.snapshot.currentItem == nil
      case .never: false
      }
    check =
      operation.request.placement == .replace && loader.checksPlayability
      ? PlayabilityCheck(loader.media, loader.files) : nil
    expansion = ListExpansion(limit: loader.listLimit)
    search = FileSearch(loader.files)
  }

  var files: any FileSystem { loader.files }
  var media: any MediaFramework { loader.media }
  var text: TextDecoding { loader.text }

  /// Adds the items of a URI of the request.
  mutating func open(_ written: String) async {
    let uri = FileURI.canonical(written, in: files)
    guard isOpen, isAllowed(uri) else { return }
    let item = Player.Item(uri: uri)
    let before = foundCount
    await add(item)
    if !words.isEmpty, foundCount == before, isOpen { log.reject(uri, "no track with “\(words.text)”") }
  }

  private mutating func add(_ item: Player.Item) async {
    if resolves(item.uri) { return await add(resolving: item) }
    let name = Array(FileURI.name(of: item.uri).utf8)
    opened = FileURI.path(of: item.uri) ?? []
    if let path = FileURI.path(of: item.uri) {
      switch files.kind(of: path) {
      case .folder: await add(folder: path, item.uri)
      case .file: await add(file: path, item)
      case .other, nil: if isWanted(item) { collected.append(item) }
      }
    } else if Self.isRemote(item.uri), !MediaFolder.isMedia(name) {
      await add(remote: item, PlaylistFormat(fileName: name))
    } else if isWanted(item) {
      collected.append(item)
    }
  }

  /// Whether a track has the words of the request; it is counted then.
  private mutating func isWanted(_ item: Player.Item) -> Bool {
    guard !words.isEmpty else { return true }
    let path = FileURI.path(of: item.uri) ?? []
    let isBelow = path.count > opened.count && path.starts(with: opened)
    let name = isBelow ? String(decoding: path.dropFirst(opened.count), as: UTF8.self) : FileURI.name(of: item.uri)
    let metadata = item.externalMetadata
    guard words.match([name, metadata?.title, metadata?.artist, metadata?.album]) else { return false }
    foundCount += 1
    return true
  }

  /// Whether more items can be added.
  var isOpen: Bool { !Task.isCancelled && !insertion.isFull && !isExhausted }

  static func isRemote(_ uri: String) -> Bool { ["http", "https"].contains(FileURI.scheme(of: uri)) }

  func isAllowed(_ uri: String) -> Bool {
    guard let objection = policy.objection(to: uri) else { return true }
    log.reject(uri, objection)
    return false
  }

  /// Inserts the collected items into the queue.
  mutating func flush() async {
    let items = collected
    collected = []
    if !insertion.hasBegun {
      let first = if let check { await playable(items, check) } else { items }
      insertion.add(first, startingAt: startOfBook(in: first))
    } else {
      insertion.add(items)
    }
    work.note(trackCount: insertion.count)
  }

  /// Returns the index of the item at which the user left a book, if the request opens its folder or a playlist of its files; nil
  /// otherwise.
  private func startOfBook(in items: [Player.Item]) -> Int? {
    let request = work.operation.request
    guard let places = loader.places, !opened.isEmpty, request.uris.count == 1 else { return nil }
    let paths = items.map { FileURI.path(of: $0.uri).map(FileURI.normalized) }
    var folder = FileURI.normalized(opened)
    if files.kind(of: opened) != .folder {
      // A playlist, or a single file, which begins at its own place.
      guard let first = (paths.first ?? nil)?.folder, !first.isEmpty,
        paths.allSatisfy({ $0?.folder == first }), !paths.contains(folder)
      else { return nil }
      folder = first
      places.opened(folder)
    }
    guard isPlayedNext, request.start == nil, request.shuffle != true, words.isEmpty,
      paths.allSatisfy({ $0?.isInside(folder) ?? false })
    else { return nil }
    return places.start(of: items, in: folder)
  }

  /// Whether items are inserted before all of them are known.
  private var insertsEarly: Bool { !hasBook || collected.count >= Self.bookLimit }

  /// Sends the report to the caller if the request takes long; reading continues.
  mutating func answerIfDue() async {
    guard !work.isAnswered, loader.queue.now >= answerDue, loader.opens.contains(work.operation.id) else { return }
    var report = await loader.report(insertion, log.report)
    report.isUnfinished = true
    work.answer(report)
  }

  /// Omits the items before the first playable one.
  private mutating func playable(_ items: [Player.Item], _ check: PlayabilityCheck) async -> [Player.Item] {
    for (index, item) in items.enumerated() where isOpen {
      if mayFail, FirstLoad.isLikely(item, in: files) {
        firstLoad = FirstLoad(loader.coordinator.player)
        return Array(items[index...])
      }
      // The address of a page is not media; only playback decides.
      if resolves(item.uri) { return Array(items[index...]) }
      let failure = if let known = responses[item.id] { known } else { await check.failure(of: item) }
      guard let failure else { return Array(items[index...]) }
      log.reject(item.uri, failure.message)
      unplayableCount += failure.code == .notFound ? 0 : 1
      if unplayableCount >= PlayabilityCheck.limit {
        log.reject("none of the first \(unplayableCount) items can be played; the rest is omitted")
        isExhausted = true
      }
    }
    return []
  }

  /// Whether the first item may fail in the queue: no other queue is replaced, and the item is to play.
  private var mayFail: Bool { !startsPaused && loader.coordinator.player.snapshot.itemCount == 0 }

  /// Waits until the first item is decided, if it was not inspected, and removes those that have failed before it.
  mutating func decide() async {
    guard let failures = await firstLoad?.failures(), !failures.isEmpty else { return }
    for (item, error) in failures { log.reject(failed: item.uri, error.message) }
    insertion.remove(Set(failures.map(\.item.id)))
  }

  mutating func append(_ item: Player.Item) async {
    guard isWanted(item) else { return }
    collected.append(item)
    guard collected.count.isMultiple(of: Self.batchSize) else { return }
    // An edit takes longer, the longer the queue is.
    if collected.count >= insertion.count / 8, insertsEarly { await flush() }
    await answerIfDue()
    // Lets a newer command run.
    await Task.yield()
  }
}

// MARK: Addresses

extension ItemResolver {
  /// Whether the user's resolver finds the media of an address.
  func resolves(_ address: String) -> Bool { addresses.contains { $0.matches(address) } }

  /// Adds the tracks that the resolver finds at an address.
  fileprivate mutating func add(resolving item: Player.Item) async {
    guard let resolver = loader.resolver else { return }
    // The items found so far do not wait for the command.
    await flush()
    if insertion.hasBegun { await answerIfDue() }
    do throws(PlayerError) {
      let output = try await resolver.entries(of: item.uri)
      for reason in output.rejections { log.reject(item.uri, reason) }
      if output.entries.isEmpty, output.rejections.isEmpty { log.reject(item.uri, "the resolver has found no track") }
      for entry in output.entries where isOpen {
        await answerIfDue()
        await append(entry, of: item.uri)
      }
      if output.isCut { log.reject(item.uri, "more than \(ResolverOutput.entryLimit) tracks; the rest is omitted") }
    } catch {
      if error.code != .cancelled { log.reject(item.uri, error.message) }
    }
  }

  /// Adds a track of the resolver's output.
  ///
  /// Its item has the address, for which the media are found again before each opening; media without such an address are
  /// opened as they are.
  private mutating func append(_ entry: ResolverOutput.Entry, of address: String) async {
    let target = entry.address ?? address
    if resolves(target) {
      guard isAllowed(target) else { return }
      return await append(Player.Item(uri: target, externalMetadata: entry.metadata))
    }
    let uri = entry.media?.uri ?? target
    guard FileURI.scheme(of: uri).map({ policy.serverSchemes.contains($0) }) ?? false else {
      return log.reject(address, "the resolver may not name “\(FileURI.readable(uri).excerpt)”")
    }
    guard isAllowed(uri) else { return }
    if let headers = entry.media?.headers {
      await append(Player.Item(uri: uri, httpHeaders: headers, externalMetadata: entry.metadata))
    } else {
      await append(Player.Item(uri: uri, externalMetadata: entry.metadata))
    }
  }
}

// MARK: Folders

extension ItemResolver {
  mutating func add(folder: [UInt8], _ uri: String) async {
    // A playlist may name an empty folder again and again.
    guard !emptyFolders.contains(folder) else { return }
    var (isEmpty, isReadable) = (true, true)
    if folder == opened, let places = loader.places {
      places.opened(folder)
      hasBook = !insertion.hasBegun && places.hasBook(in: folder)
    }
    let begin = loader.queue.now
    let isWanted = { MediaFolder.isMedia($0) || Self.isSheet($0) }
    await MediaFolder.walk(
      folder, in: files, where: isWanted, first: Self.isSheet,
      failed: { [log] path, failure in
        isReadable = false
        log.reject(FileURI.uri(ofPath: path), failure.reason)
      }
    ) { media in
      if isEmpty { isEmpty = media.allSatisfy(Self.isSheet) }
      await add(files: media)
      // A fast folder is inserted as a whole; from a slow disk, the items read so far are inserted and play.
      if begin.duration(to: loader.queue.now) > Self.batchDelay, insertsEarly { await flush() }
      return isOpen
    }
    guard isEmpty, isOpen else { return }
    // A playlist beside the files that it lists would repeat them; it is read only if the folder contains no media.
    await MediaFolder.walk(folder, in: files, where: { PlaylistFormat(fileName: $0) != nil }) { lists in
      isEmpty = false
      for file in lists where isOpen { await add(file: file, Player.Item(uri: FileURI.uri(ofPath: file))) }
      return isOpen
    }
    guard isEmpty else { return }
    emptyFolders.insert(folder)
    if isReadable { log.reject(uri, "no media in this folder") }
  }
}

extension Player.Item.ExternalMetadata {
  /// Creates the metadata of a playlist entry; nil for an entry without metadata.
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
