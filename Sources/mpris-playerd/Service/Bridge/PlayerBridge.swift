import DBus
import EventLoop
import GstPlayer
import MPRISService
import PlayerdInterfaces
import Synchronization

/// A `GstPlayer.Player` as an MPRIS player: the one place where their units, scales and names meet.
final class PlayerBridge: MediaPlayer {
  let player: Player
  let coordinator: PlaybackCoordinator
  private let settings: Settings
  let open: @Sendable (OpenRequest) -> Void
  private let quit: @Sendable () -> Void
  /// What is known of the tracks that do not play.
  let catalogue: TrackCatalogue
  /// The playlists of the user.
  let playlistFolder: PlaylistFolder
  private let news = BridgeNews()
  /// Limits waits for tags.
  let clock: LoopClock
  /// The metadata of the current track as MPRIS wants it, made once for each change of its tags.
  private let cache = Mutex<(key: CacheKey, metadata: Metadata, isWhole: Bool)?>(nil)
  private let covers: CoverArt
  private let lastView = Mutex<View?>(nil)

  /// What the signals of MPRIS depend on.
  private struct View {
    var snapshot: PlayerSnapshot
    /// The track list is a part of the queue around the current track.
    var queueRevision: UInt64
    var currentIndex: Int?
  }

  private struct CacheKey: Equatable {
    var track: TrackID
    var revision: UInt64
    var duration: Duration?
    var isSettled: Bool
    var coverRevision: UInt64
  }

  init(
    _ coordinator: PlaybackCoordinator, settings: Settings, loop: EventLoop,
    open: @escaping @Sendable (OpenRequest) -> Void,
    quit: @escaping @Sendable () -> Void
  ) {
    self.coordinator = coordinator
    player = coordinator.player
    self.settings = settings
    clock = LoopClock(loop)
    self.open = open
    self.quit = quit
    playlistFolder = PlaylistFolder(settings.current.playlistFolder, on: loop) { [news] in news.send(.changed) }
    let covers = CoverArt(Directories.cache.map { ArtCache(folder: "\($0)/\(Names.executable)/art") }) { [news] in
      news.send(.changed)
    }
    self.covers = covers
    catalogue = TrackCatalogue(hasLyrics: settings.current.lyrics, art: { covers.uri(of: $0) }) { [news] in
      news.send(.trackMetadataChanged(TrackID($0)))
    }
  }

  func snapshot() -> PlayerSnapshot {
    let playback = coordinator.snapshot
    let state = playback.player
    let configuration = settings.current
    // An item that is still being looked for can be played and paused as well.
    let hasItem = state.currentItem != nil || playback.intent != nil
    var snapshot = PlayerSnapshot(identity: Names.executable, desktopEntry: Names.executable)
    snapshot.canQuit = configuration.allowQuit
    snapshot.supportedURISchemes = MediaTypes.uriSchemes
    snapshot.supportedMIMETypes = MediaTypes.mimeTypes
    snapshot.status = PlaybackStatus(playback.status)
    snapshot.loop = LoopStatus(state.loop)
    snapshot.shuffle = state.isShuffled
    snapshot.rate = state.rate
    snapshot.minimumRate = Player.rateRange.lowerBound
    snapshot.maximumRate = Player.rateRange.upperBound
    snapshot.volume = VolumeScale.cubic(fromLinear: state.volume)
    snapshot.maximumVolume = configuration.maximumVolume
    snapshot.position = state.position
    let (metadata, isWhole) = metadata(of: state)
    snapshot.metadata = metadata
    snapshot.canGoNext = state.hasNext
    snapshot.canGoPrevious = state.hasPrevious
    snapshot.canPlay = hasItem
    snapshot.canPause = hasItem
    snapshot.canSeek = state.isSeekable
    snapshot.canEditTracks = true
    // A stop is told at once: before its picture is found the player may play again.
    snapshot.isOpening = playback.isOpening
    snapshot.isSettled = state.isSettled && (isWhole || state.transport == .stopped) && !playback.isOpening
    return snapshot
  }

  func perform(_ command: PlayerCommand) throws(CommandError) {
    switch command {
    case .play: coordinator.play()
    case .pause: coordinator.pause()
    case .playPause: coordinator.playPause()
    case .stop: coordinator.stop()
    case .next: coordinator.next()
    case .previous: coordinator.previous()
    case .setPosition(let track, let position):
      if player.snapshot.track == track { player.seek(to: position) }
    case .open(let text):
      var request = try request(for: text)
      request.placement = .now
      open(request)
    case .setLoop(let loop): player.setLoop(LoopMode(loop))
    case .setShuffle(let shuffle): player.setShuffled(shuffle)
    case .setRate(let rate): player.setRate(rate)
    case .setVolume(let volume): player.setVolume(VolumeScale.linear(fromCubic: volume))
    case .raise: break
    case .quit: quit()
    }
  }

  /// A client's URI, or the absolute path of a file, as a request to open it, if it may be opened.
  func request(for text: String) throws(CommandError) -> OpenRequest {
    let uri = text.hasPrefix("/") ? FileURI.absolute(from: text) : text
    let policy = settings.current.uriPolicy
    if let refusal = policy.refusal(of: uri) { throw refusal }
    return OpenRequest(uris: [uri], policy: policy)
  }

  func events() -> AsyncStream<MediaPlayerEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MediaPlayerEvent.self)
    let number = news.add(continuation)
    continuation.onTermination = { [news] _ in news.remove(number) }
    return stream
  }

  /// Takes an event of the player, once those who watch it have been told.
  func hear(_ event: PlayerEvent) {
    switch event {
    case .changed: if isNews() { news.send(.changed) }
    case .timeJumped(_, let position), .playbackResumed(_, let position): news.send(.seeked(to: position))
    default: break
    }
  }

  /// Returns whether MPRIS clients see another state than at the last call: buffers fill without any news to them.
  private func isNews() -> Bool {
    let state = player.snapshot
    let view = View(snapshot: snapshot(), queueRevision: state.queueRevision, currentIndex: state.currentIndex)
    return lastView.withLock { last in
      defer { last = view }
      guard let last, last.queueRevision == view.queueRevision, last.currentIndex == view.currentIndex else {
        return true
      }
      return !last.snapshot.isUnchanged(in: view.snapshot)
    }
  }

  /// Tells the position once more, for clients whose clock has stood.
  func tellPosition() {
    let state = player.snapshot
    if state.currentItem != nil, state.transport != .stopped { news.send(.seeked(to: state.position)) }
  }

  // MARK: Metadata

  /// How long somebody who asks for tags may wait until they have been read.
  static let inspectionTimeout = Duration.seconds(2)

  /// Returns the title of an item, once its tags are known.
  func title(of item: PlayerItem) async -> String {
    await catalogue.inspect([item], within: Self.inspectionTimeout, clock)
    let state = player.snapshot
    return fields(of: item, state)?.title ?? item.hints?.title ?? FileURI.name(of: item.uri)
  }

  /// What is known of an item: the tags of the current one, or what was learned of it before.
  func fields(of item: PlayerItem, _ state: Player.Snapshot) -> Metadata.Fields? {
    let learned = catalogue.metadata(of: item.id)?.fields
    guard item.id == state.currentItem?.id else { return learned }
    var current = metadata(of: state).metadata.fields
    // Before the current item is loaded, only its URI is known of it.
    guard state.itemStatus == .unknown, let track = current?.trackID, let learned else { return current }
    current = learned
    current?.trackID = track
    return current
  }

  /// What is told of the current track, and whether it is all that will be.
  func metadata(of state: Player.Snapshot) -> (metadata: Metadata, isWhole: Bool) {
    guard let item = state.currentItem, let track = state.track else { return (.none, true) }
    // Until it has been opened, the length is what a playlist says.
    let duration = state.duration ?? (state.itemStatus == .unknown ? item.hints?.duration : nil)
    let key = CacheKey(
      track: track, revision: state.detailsRevision, duration: duration, isSettled: state.isSettled,
      coverRevision: covers.revision)
    return cache.withLock { cached in
      if let cached, cached.key == key { return (cached.metadata, cached.isWhole) }
      // Not before the tags have come: a picture in the media is better than one beside it.
      let tags = state.metadata
      let cover =
        state.isSettled ? covers.look(for: .init(item: item, artwork: tags.artwork)) : covers.known(of: item)
      var fields = Metadata.Fields(
        item, tags, duration, artURL: cover.uri, hasLyrics: settings.current.lyrics)
      // A track that is not current has the identity of its first passage.
      if state.isSettled, state.itemStatus != .unknown, !cover.isPending {
        catalogue.store(Metadata(fields), of: item.id)
      }
      fields.trackID = track
      let metadata = Metadata(fields)
      cached = (key, metadata, !cover.isPending)
      return (metadata, !cover.isPending)
    }
  }
}

extension TrackID {
  init(_ item: PlayerItem, loopCount: Int = 0) { self.init(item.id, loopCount: loopCount) }
  init(_ id: PlayerItem.ID, loopCount: Int = 0) { self.init(id.number, passage: loopCount + 1, in: PlayerdName.tracks) }
}

extension Player.Snapshot {
  /// The identity of the current track; each repetition of an item has its own.
  var track: TrackID? { currentItem.map { TrackID($0, loopCount: loopCount) } }
}

extension Metadata.Fields {
  /// What a player's tags are to MPRIS clients.
  ///
  /// Lyrics are told only when asked for: they are long, and few clients want them.
  init(
    _ item: PlayerItem, _ tags: MediaMetadata, _ duration: Duration?, artURL: String? = nil, hasLyrics: Bool = false
  ) {
    let hints = item.hints ?? ItemHints()
    // The tags of a file are about all of it; for a part of it, they only fill the gaps.
    let first = item.isPart ? hints : ItemHints()
    self.init(
      trackID: TrackID(item),
      title: first.title ?? tags.title ?? hints.title ?? tags.organization ?? FileURI.name(of: item.uri))
    length = duration
    url = item.uri
    self.artURL = artURL
    artists = first.artist.map { [$0] } ?? Self.values(tags.artists, or: hints.artist)
    albumArtists = first.albumArtist.map { [$0] } ?? Self.values(tags.albumArtists, or: hints.albumArtist)
    // A station's name stands where an album's would; the title is what it plays now.
    let station = duration == nil && tags.title != nil ? tags.organization ?? hints.title : nil
    album = first.album ?? tags.album ?? hints.album ?? (station == tags.title ? nil : station)
    genres = Self.values(tags.genres, or: hints.genre)
    composers = tags.composers
    comments = tags.comments
    trackNumber = first.trackNumber ?? tags.trackNumber ?? hints.trackNumber
    discNumber = tags.discNumber
    contentCreated = tags.date ?? hints.date
    audioBPM = tags.beatsPerMinute.map { Int(min($0.rounded(), 10_000)) }
    userRating = tags.userRating
    useCount = tags.useCount
    lyrics = hasLyrics ? tags.lyrics : nil
    musicBrainzTrackIDs = tags.musicBrainzTrackID.map { [$0] } ?? []
    musicBrainzAlbumIDs = tags.musicBrainzAlbumID.map { [$0] } ?? []
    musicBrainzArtistIDs = tags.musicBrainzArtistIDs
    musicBrainzAlbumArtistIDs = tags.musicBrainzAlbumArtistIDs
  }

  private static func values(_ tags: [String], or hint: String?) -> [String] {
    tags.isEmpty ? hint.map { [$0] } ?? [] : tags
  }
}

extension PlaybackStatus {
  init(_ transport: Player.Transport) {
    switch transport {
    case .stopped: self = .stopped
    case .paused: self = .paused
    case .playing: self = .playing
    }
  }
}

extension LoopStatus {
  init(_ mode: LoopMode) {
    switch mode {
    case .none: self = .none
    case .track: self = .track
    case .playlist: self = .playlist
    }
  }
}

extension LoopMode {
  fileprivate init(_ status: LoopStatus) {
    switch status {
    case .none: self = .none
    case .track: self = .track
    case .playlist: self = .playlist
    }
  }
}
