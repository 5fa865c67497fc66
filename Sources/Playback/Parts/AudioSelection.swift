/// The audio tracks of an item, and the selected one.
///
/// Invariant: `current` and `chosen` are indices of `tracks`, or of tracks that the engine has not reported yet.
struct AudioSelection: Codable, Equatable, Sendable {
  private(set) var tracks: [AudioTrack] = []
  private(set) var current: Int?
  /// The track that a command selected; nil if the preferred languages decide.
  private(set) var chosen: Int?

  init(tracks: [AudioTrack] = [], current: Int? = nil) { (self.tracks, self.current) = (tracks, current) }

  /// Selects a track.
  mutating func select(_ index: Int) { (current, chosen) = (index, index) }

  /// The tracks with short texts.
  var recorded: AudioSelection {
    var selection = self
    selection.tracks = tracks.map(\.recorded)
    return selection
  }

  /// Returns the same tracks with an earlier choice, which becomes the current track if the tracks include it.
  func keeping(_ chosen: Int?) -> AudioSelection {
    var kept = self
    kept.chosen = chosen
    if let chosen, tracks.indices.contains(chosen) { kept.current = chosen }
    return kept
  }
}
