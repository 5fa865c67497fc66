import MPRISService
import Synchronization
import TestSupport

/// A fake player with a track list and playlists: tracks are numbers, and an edit does what it says at once.
final class FakeJukebox: TrackListPlayer, PlaylistPlayer {
  fileprivate struct State {
    var tracks: [TrackID]
    var metadata: [TrackID: Metadata] = [:]
    var commands: [TrackListCommand] = []
    var refusal: CommandError?
    var lastNumber: UInt64 = 100
    var playlists: [Playlist] = []
    var active: Playlist.ID?
    /// How often the playlists have been asked for.
    var playlistReads = 0
  }
  private let state: Mutex<State>
  let base: FakePlayer

  init(_ base: FakePlayer, tracks numbers: [UInt64] = [6, 7, 8]) {
    self.base = base
    base.show { $0.canEditTracks = true }
    state = Mutex(State(tracks: numbers.map { TrackID($0, in: .example) }))
  }

  var trackPathPrefix: TrackPathPrefix { .example }

  func snapshot() -> PlayerSnapshot { base.snapshot() }
  func perform(_ command: PlayerCommand) throws(CommandError) { try base.perform(command) }
  func events() -> AsyncStream<MediaPlayerEvent> { base.events() }

  func tracks() -> [TrackID] { state.withLock { $0.tracks } }

  func metadata(of tracks: [TrackID]) -> [Metadata] {
    state.withLock { state in
      tracks.filter(state.tracks.contains).map { state.metadata[$0] ?? Metadata(.init(trackID: $0, title: "Track")) }
    }
  }

  func perform(_ command: TrackListCommand) throws(CommandError) {
    let refusal = state.withLock { state in
      state.commands.append(command)
      if state.refusal == nil { state.apply(command) }
      return state.refusal
    }
    if let refusal { throw refusal }
    base.send(.changed)
  }
}

extension FakeJukebox {
  var playlistOrderings: [PlaylistOrdering] { [.alphabetical, .modified, .played] }

  func playlists() -> [Playlist] {
    state.withLock { state in
      state.playlistReads += 1
      return state.playlists
    }
  }

  func activePlaylist() -> Playlist.ID? { state.withLock { $0.active } }

  func activate(_ playlist: Playlist.ID) throws(CommandError) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    state.withLock { $0.active = playlist }
    base.send(.changed)
  }
}

// MARK: - Script

extension FakeJukebox {
  /// What has been asked of the track list, in order.
  var commands: [TrackListCommand] { state.withLock { $0.commands } }

  /// Shows other tracks from now on and says so.
  func show(tracks numbers: [UInt64]) {
    state.withLock { $0.tracks = numbers.map { TrackID($0, in: .example) } }
    base.send(.changed)
  }

  /// Knows another title of a track from now on and says so.
  func learn(_ title: String, of track: TrackID) {
    state.withLock { $0.metadata[track] = Metadata(.init(trackID: track, title: title)) }
    base.send(.trackMetadataChanged(track))
  }

  var playlistReads: Int { state.withLock { $0.playlistReads } }

  /// Has other playlists from now on and says so.
  func show(playlists: [Playlist]) {
    state.withLock { $0.playlists = playlists }
    base.send(.changed)
  }

  func refuse(with error: CommandError) { state.withLock { $0.refusal = error } }
}

extension FakeJukebox.State {
  fileprivate mutating func apply(_ command: TrackListCommand) {
    switch command {
    case .add(_, let place, _):
      lastNumber += 1
      let index =
        switch place {
        case .start: 0
        case .end: tracks.count
        case .after(let track): tracks.firstIndex(of: track).map { $0 + 1 } ?? tracks.count
        }
      tracks.insert(TrackID(lastNumber, in: .example), at: index)
    case .remove(let track): tracks.removeAll { $0 == track }
    case .goTo: break
    }
  }
}
