/// The audio tracks of an item, and the selected one.
///
/// Invariant: `current` and `chosen` are indices of `tracks`, or of tracks that the engine has not reported yet.
struct AudioSelection: Codable, Equatable, Sendable {
  var tracks: [AudioTrack] = []
  var current: Int?
  /// The track that a command selected; nil if the preferred languages decide.
  var chosen: Int?

  /// Returns the same tracks with an earlier choice, which becomes the current track if the tracks include it.
  func keeping(_ chosen: Int?) -> AudioSelection {
    var kept = self
    kept.chosen = chosen
    if let chosen, tracks.indices.contains(chosen) { kept.current = chosen }
    return kept
  }
}
