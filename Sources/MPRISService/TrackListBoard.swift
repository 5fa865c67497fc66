import Synchronization

/// The track list as the signals have last reported it; reads go to the player.
///
/// Signals are throttled, so a client may read a track before `TrackAdded` reports it: the identities tell.
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

  /// The list of the last signal.
  var published: [TrackID] { state.withLock { $0.tracks } }

  /// Returns the present list for a read, with the track in it that `Metadata` shows at that moment.
  ///
  /// While `Metadata` is held back, its track may have left the list already. The list of the last signal is returned
  /// then, so that the two reads agree.
  func readable(showing current: TrackID?) -> [TrackID] {
    let tracks = player.tracks()
    guard let current, !tracks.contains(current) else { return tracks }
    let published = published
    return published.contains(current) ? published : tracks
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
      for metadata in found { if let track = metadata.trackID { state.metadata[track] = metadata } }
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
