import MPRISService
import Synchronization
import TestSupport

/// A fake player with a track list and playlists.
///
/// Tracks are numbers, and edits take effect at once.
final class FakeJukebox: MPRISTrackListPlayer, MPRISPlaylistPlayer {
  fileprivate struct State {
    var tracks: [MPRISTrackID]
    var metadata: [MPRISTrackID: MPRISMetadata] = [:]
    var commands: [MPRISTrackListCommand] = []
    var refusal: MPRISCommandError?
    var lastNumber: UInt64 = 100
    var playlists: [MPRISPlaylist] = []
    var active: MPRISPlaylist.ID?
    /// The number of reads of the playlists.
    var playlistReads = 0
  }
  private let state: Mutex<State>
  let base: FakePlayer

  init(_ base: FakePlayer, tracks numbers: [UInt64] = [6, 7, 8]) {
    self.base = base
    base.show { $0.canEditTracks = true }
    state = Mutex(State(tracks: numbers.map { MPRISTrackID($0, in: .example) }))
  }

  var trackPathPrefix: MPRISTrackPathPrefix { .example }

  func snapshot() -> MPRISSnapshot { base.snapshot() }
  func perform(_ command: MPRISCommand) throws(MPRISCommandError) { try base.perform(command) }
  func events() -> AsyncStream<MPRISPlayerEvent> { base.events() }

  func tracks() -> [MPRISTrackID] { state.withLock { $0.tracks } }

  func metadata(of tracks: [MPRISTrackID]) -> [MPRISMetadata] {
    state.withLock { state in
      tracks.filter(state.tracks.contains).map {
        state.metadata[$0] ?? MPRISMetadata(.init(trackID: $0, title: "Track"))
      }
    }
  }

  func perform(_ command: MPRISTrackListCommand) throws(MPRISCommandError) {
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
  var playlistOrderings: [MPRISPlaylistOrdering] { [.alphabetical, .modified, .played] }

  func playlists() -> [MPRISPlaylist] {
    state.withLock { state in
      state.playlistReads += 1
      return state.playlists
    }
  }

  func activePlaylist() -> MPRISPlaylist.ID? { state.withLock { $0.active } }

  func activate(_ playlist: MPRISPlaylist.ID) throws(MPRISCommandError) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    state.withLock { $0.active = playlist }
    base.send(.changed)
  }
}

// MARK: - Script

extension FakeJukebox {
  /// The received commands of the track list, in order.
  var commands: [MPRISTrackListCommand] { state.withLock { $0.commands } }

  /// Replaces the tracks and sends `changed`.
  func show(tracks numbers: [UInt64]) {
    state.withLock { $0.tracks = numbers.map { MPRISTrackID($0, in: .example) } }
    base.send(.changed)
  }

  /// Changes the title of a track and sends `trackMetadataChanged`.
  func learn(_ title: String, of track: MPRISTrackID) {
    state.withLock { $0.metadata[track] = MPRISMetadata(.init(trackID: track, title: title)) }
    base.send(.trackMetadataChanged(track))
  }

  var playlistReads: Int { state.withLock { $0.playlistReads } }

  /// Replaces the playlists and sends `changed`.
  func show(playlists: [MPRISPlaylist]) {
    state.withLock { $0.playlists = playlists }
    base.send(.changed)
  }

  func refuse(with error: MPRISCommandError) { state.withLock { $0.refusal = error } }
}

extension FakeJukebox.State {
  fileprivate mutating func apply(_ command: MPRISTrackListCommand) {
    switch command {
    case .add(_, let place, _):
      lastNumber += 1
      let index =
        switch place {
        case .start: 0
        case .end: tracks.count
        case .after(let track): tracks.firstIndex(of: track).map { $0 + 1 } ?? tracks.count
        }
      tracks.insert(MPRISTrackID(lastNumber, in: .example), at: index)
    case .remove(let track): tracks.removeAll { $0 == track }
    case .goTo: break
    }
  }
}
