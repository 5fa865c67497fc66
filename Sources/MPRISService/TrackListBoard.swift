import Synchronization

/// What clients have been told of the track list, which is what they read of it until they are told more.
///
/// A client that reads the list and then follows the signals would otherwise count a track twice.
final class TrackListBoard: Sendable {
  private struct State {
    var tracks: [TrackID] = []
    var revision: UInt64 = 0
    /// What has been told of the tracks of the list that somebody has heard or asked of.
    var metadata: [TrackID: Metadata] = [:]
  }

  private let player: any TrackListPlayer
  private let state: Mutex<State>

  init(_ player: any TrackListPlayer) {
    self.player = player
    state = Mutex(State(tracks: player.tracks()))
  }

  /// The list as it was told; while that is empty, what is to be told of it as a whole.
  var tracks: [TrackID] {
    let told = state.withLock { $0.tracks }
    return told.isEmpty ? player.tracks() : told
  }

  /// Another number for each list.
  var revision: UInt64 { state.withLock { $0.revision } }

  /// Takes the player's present list over and returns what is to be told of it.
  func update() -> [TrackListNews] {
    let tracks = player.tracks()
    return state.withLock { state in
      let news = TrackListNews.from(state.tracks, to: tracks)
      guard !news.isEmpty else { return [] }
      state.tracks = tracks
      state.revision += 1
      let present = Set(tracks)
      state.metadata = state.metadata.filter { present.contains($0.key) }
      return news
    }
  }

  /// Whether the player's list is another than the one told.
  var isLate: Bool { player.tracks() != state.withLock { $0.tracks } }

  /// What is known of tracks, which counts as told from now on.
  func metadata(of tracks: [TrackID]) -> [Metadata] {
    let found = player.metadata(of: tracks)
    state.withLock { state in
      let present = Set(state.tracks)
      for metadata in found {
        guard let track = metadata.trackID, present.contains(track) else { continue }
        state.metadata[track] = metadata
      }
    }
    return found
  }

  /// What is to be told of a track: what is known of it, when that is not what was told; nil when nobody has heard of it.
  func changedMetadata(of track: TrackID) -> Metadata? {
    guard state.withLock({ $0.metadata[track] != nil }), let metadata = player.metadata(of: [track]).first else {
      return nil
    }
    return state.withLock { $0.metadata.updateValue(metadata, forKey: track) == metadata ? nil : metadata }
  }
}
