import Synchronization

/// The track list in the last signals; reads go to the player.
///
/// Signals are throttled, so a client may read a track before `TrackAdded` reports it; it recognises the track by its
/// ID. If a client has read a list to which the next signals do not lead, the whole list is signalled.
final class PublishedTrackList: Sendable {
  private struct State {
    var tracks: [MPRISTrackID] = []
    var revision: UInt64 = 0
    /// The lists that clients have read since the last signals, if they differ from the list in the signals.
    ///
    /// Two are enough: one of them differs from any list.
    var read: [[MPRISTrackID]] = []
    /// The metadata that has been sent for tracks in the list.
    var metadata: [MPRISTrackID: MPRISMetadata] = [:]

    /// Whether a client may have a list that becomes another one than `list` by the changes from the published one.
    func isOutdated(by list: [MPRISTrackID]) -> Bool { read.contains { $0 != list } }
  }

  private let player: any MPRISTrackListPlayer
  private let state: Mutex<State>

  init(_ player: any MPRISTrackListPlayer) {
    self.player = player
    state = Mutex(State(tracks: player.tracks()))
  }

  /// The published track list.
  var published: [MPRISTrackID] { state.withLock { $0.tracks } }

  /// Returns the current list for a read; it contains the track that `Metadata` shows.
  ///
  /// While a change of `Metadata` is delayed, its track may have left the list already. The published list is then
  /// returned, so that the two reads agree.
  func readable(showing current: MPRISTrackID?) -> [MPRISTrackID] {
    let tracks = player.tracks()
    return state.withLock { state in
      if let current, !tracks.contains(current), state.tracks.contains(current) { return state.tracks }
      if tracks != state.tracks, state.read.count < 2, !state.read.contains(tracks) { state.read.append(tracks) }
      return tracks
    }
  }

  /// A number that differs for each published list.
  var revision: UInt64 { state.withLock { $0.revision } }

  /// Updates the published list from the player and returns the changes to emit.
  func update() -> [TrackListChange] {
    let tracks = player.tracks()
    return state.withLock { state in
      let changes = state.isOutdated(by: tracks) ? [.replaced] : TrackListChange.from(state.tracks, to: tracks)
      state.read = []
      guard !changes.isEmpty else { return [] }
      state.tracks = tracks
      state.revision += 1
      let present = Set(tracks)
      state.metadata = state.metadata.filter { present.contains($0.key) }
      return changes
    }
  }

  /// Whether the player's list differs from the published one, or from one that a client has read since.
  var isLate: Bool {
    let tracks = player.tracks()
    return state.withLock { $0.tracks != tracks || $0.isOutdated(by: tracks) }
  }

  /// Returns the metadata of tracks for a client, and records it as sent.
  func metadata(of tracks: [MPRISTrackID]) -> [MPRISMetadata] {
    let found = player.metadata(of: tracks)
    state.withLock { state in
      for metadata in found { if let track = metadata.trackID { state.metadata[track] = metadata } }
    }
    return found
  }

  /// Returns the metadata of a track if it differs from the sent one; nil if none was sent or it is unchanged.
  func changedMetadata(of track: MPRISTrackID) -> MPRISMetadata? {
    guard state.withLock({ $0.metadata[track] != nil }), let metadata = player.metadata(of: [track]).first else {
      return nil
    }
    return state.withLock { $0.metadata.updateValue(metadata, forKey: track) == metadata ? nil : metadata }
  }
}
