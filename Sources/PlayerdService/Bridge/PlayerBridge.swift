import EventLoop
import MPRISService
import Playback
import PlayerMPRIS
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdSystem
import Synchronization

/// Adapts a `Player` to MPRIS: converts all units, scales and names.
final class PlayerBridge: MPRISPlayer {
  let player: Player
  let coordinator: PlaybackCoordinator
  private let settings: Settings
  let open: @Sendable (OpenRequest) throws(MPRISCommandError) -> Void
  private let quit: @Sendable () -> Void
  /// The metadata of the tracks that are not playing.
  let metadataCache: MetadataCache
  /// The user's playlists.
  let playlistFolder: PlaylistFolder
  let files: any FileSystem
  private let broadcaster = EventBroadcaster()
  /// The clock for time-outs while tags are read.
  let clock: LoopClock
  /// The time limit for a caller that waits for tags.
  let inspectionTimeout: Duration
  /// The MPRIS metadata of the current track, created once for each change of its tags.
  private let cache = Mutex<(key: CacheKey, metadata: MPRISMetadata, isWhole: Bool)?>(nil)
  private let covers: CoverArt
  /// The time in low power mode before the picture of a track is searched, so that skipped tracks need none.
  private static let coverDelay = Duration.seconds(5)
  /// The time for which the metadata waits for a picture.
  private static let coverLimit = Duration.seconds(5)
  private let nextTrack: NextTrackInspection
  private struct CacheKey: Equatable {
    var track: MPRISTrackID
    var revision: UInt64
    var duration: Duration?
    var isSettled: Bool
    var coverRevision: UInt64
  }

  init(
    _ coordinator: PlaybackCoordinator, _ media: any MediaFramework, settings: Settings, files: any FileSystem,
    loop: PollLoop, pictures: any ObserverExecutor, readings: (any ObserverExecutor)? = nil,
    inspectionTimeout: Duration = .seconds(2),
    open: @escaping @Sendable (OpenRequest) throws(MPRISCommandError) -> Void,
    quit: @escaping @Sendable () -> Void
  ) {
    self.coordinator = coordinator
    player = coordinator.player
    self.settings = settings
    clock = LoopClock(loop)
    self.inspectionTimeout = inspectionTimeout
    self.open = open
    self.quit = quit
    self.files = files
    playlistFolder = PlaylistFolder(settings.current.playlistFolder, of: files, on: loop, readings: readings) {
      [broadcaster] in
      broadcaster.send(.changed)
    }
    let art = Directories.cache.map {
      ArtCache(folder: "\($0)/\(Names.executable)/art")
    }
    let later: @Sendable (@escaping @Sendable () -> Void) -> Bool = { [player] body in
      guard player.isLowPowerModeEnabled else { return false }
      _ = loop.timer(after: Self.coverDelay, body)
      return true
    }
    let limit: CoverArt.Limit = { body in
      let timer = loop.timer(after: Self.coverLimit, body)
      return { loop.cancelTimer(timer) }
    }
    let covers = CoverArt(art, on: pictures, limit: limit, later: later) { [broadcaster] in
      broadcaster.send(.changed)
    }
    self.covers = covers
    let metadataCache = MetadataCache(media, hasLyrics: settings.current.lyrics, art: { await covers.picture(of: $0) })
    {
      [broadcaster] in
      broadcaster.send(.trackMetadataChanged(MPRISTrackID($0)))
    }
    self.metadataCache = metadataCache
    nextTrack = NextTrackInspection(player, on: loop) { metadataCache.inspect($0) }
    settings.observe { [broadcaster] in broadcaster.send(.changed) }
  }

  func snapshot() -> MPRISSnapshot { snapshot(of: coordinator.snapshot) }

  func snapshot(of playback: PlaybackCoordinator.Snapshot) -> MPRISSnapshot {
    let state = playback.player
    let configuration = settings.current
    // An item that is still being resolved can be played and paused as well.
    let hasItem = state.currentItem != nil || playback.intent != nil
    var snapshot = MPRISSnapshot(identity: Names.executable, desktopEntry: Names.executable)
    snapshot.canQuit = configuration.allowQuit
    snapshot.supportedURISchemes = MediaTypes.uriSchemes
    snapshot.supportedMIMETypes = MediaTypes.mimeTypes
    snapshot.status = MPRISPlaybackStatus(playback.status)
    snapshot.loop = MPRISLoopStatus(state.loop)
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
    // A stop is published at once: the player may play again before the picture is found.
    snapshot.isOpening = playback.isOpening
    snapshot.isSettled = (isWhole || state.isSettled && state.transport == .stopped) && !playback.isOpening
    return snapshot
  }

  func timeline() -> MPRISTimeline {
    let state = player.snapshot
    // While a track is opened, its length may be known from the last time.
    let length = state.isSettled ? state.duration : metadata(of: state).metadata.length
    return MPRISTimeline(track: state.track, position: state.position, length: length, canSeek: state.isSeekable)
  }

  func perform(_ command: MPRISCommand) throws(MPRISCommandError) {
    switch command {
    case .play: coordinator.play()
    case .pause: coordinator.pause()
    case .playPause: coordinator.playPause()
    case .stop: coordinator.stop()
    case .next: coordinator.next()
    case .previous: coordinator.previous()
    case .setPosition(let track, let position):
      player.seek(to: position) { MPRISTrackID($0, loopCount: $1) == track }
    case .open(let text):
      var request = try request(for: text)
      request.placement = .now
      try open(request)
    case .setLoop(let loop): player.loop = Player.LoopMode(loop)
    case .setShuffle(let shuffle): coordinator.setShuffled(shuffle, of: playlistFolder.active)
    case .setRate(let rate): player.rate = rate
    case .setVolume(let volume): player.volume = VolumeScale.linear(fromCubic: volume)
    case .quit: quit()
    }
  }

  /// Creates a request for a client's URI or absolute file path; throws if the policy denies it.
  func request(for text: String) throws(MPRISCommandError) -> OpenRequest {
    let uri = text.hasPrefix("/") ? FileURI.absolute(from: text) : text
    if let refusal = settings.current.uriPolicy.refusal(of: uri) { throw refusal }
    return OpenRequest(uris: [uri])
  }

  /// Returns the changes of MPRIS that no event of the player causes; `BusPublisher` publishes the others.
  func events() -> AsyncStream<MPRISPlayerEvent> { broadcaster.events() }

  /// Emits the position again, for clients whose clock did not advance during a suspension.
  func emitPosition() {
    let state = player.snapshot
    if state.currentItem != nil, state.transport != .stopped { broadcaster.send(.seeked(to: state.position)) }
  }

  // MARK: Metadata

  /// Returns the title of an item after its tags have been read.
  func title(of item: Player.Item) async -> String {
    await metadataCache.inspect([item], within: inspectionTimeout, clock)
    let state = player.snapshot
    return fields(of: item, state)?.title ?? item.externalMetadata?.title ?? FileURI.name(of: item.uri)
  }

  /// Whether all of some local files are long, after their lengths have been read; false if that takes too long.
  func areLong(_ items: [Player.Item]) async -> Bool {
    await metadataCache.inspect(items, within: .seconds(10), clock)
    return items.allSatisfy { metadataCache.metadata(of: $0.id)?.length ?? .zero >= .longItem }
  }

  /// Returns the known metadata of an item: the tags of the current one, or the cached metadata of another.
  func fields(of item: Player.Item, _ state: Player.Snapshot) -> MPRISMetadata.Fields? {
    let learned = metadataCache.metadata(of: item.id)?.fields
    guard item.id == state.currentItem?.id else { return learned }
    let current = metadata(of: state).metadata.fields
    // Before the current item is loaded, only its URI is known from the player.
    guard state.itemStatus == .unknown, let track = current?.trackID, var learned else { return current }
    learned.trackID = track
    return learned
  }

  /// Returns the metadata of the current track, and whether it is complete.
  ///
  /// While a local file is opened again, it has its metadata of the last time, so that a change of track is published
  /// at once. The titles of a station are of no use later.
  func metadata(of state: Player.Snapshot) -> (metadata: MPRISMetadata, isWhole: Bool) {
    guard let item = state.currentItem, let track = state.track else { return (.none, state.isSettled) }
    // Until the item has been opened, its length comes from the playlist.
    let duration = state.duration ?? (state.itemStatus == .unknown ? item.externalMetadata?.duration : nil)
    let key = CacheKey(
      track: track, revision: state.detailsRevision, duration: duration, isSettled: state.isSettled,
      coverRevision: covers.revision)
    return cache.withLock { cached in
      if let cached, cached.key == key { return (cached.metadata, cached.isWhole) }
      if !state.isSettled, FileURI.path(of: item.uri) != nil,
        var fields = metadataCache.metadata(of: item.id)?.fields
      {
        fields.trackID = track
        let metadata = MPRISMetadata(fields)
        cached = (key, metadata, true)
        return (metadata, true)
      }
      // Searched only after the tags: a picture in the media has priority over one beside it.
      let tags = state.metadata
      let cover =
        state.isSettled ? covers.find(for: .init(item: item, artwork: tags.artwork)) : covers.known(of: item)
      // Only the user's resolver may let clients request a picture of a server.
      let configuration = settings.current
      let picture = configuration.resolves(item.uri) ? item.externalMetadata?.image : nil
      var fields = MPRISMetadata.Fields(
        item, tags, duration, artURL: cover.uri ?? picture, hasLyrics: configuration.lyrics)
      // A track that is not current has the identity of its first passage.
      if state.isSettled, state.itemStatus == .readyToPlay, !cover.isPending {
        metadataCache.store(MPRISMetadata(fields), of: item.id)
      }
      fields.trackID = track
      let metadata = MPRISMetadata(fields)
      let isWhole = state.isSettled && !cover.isPending
      cached = (key, metadata, isWhole)
      return (metadata, isWhole)
    }
  }
}
