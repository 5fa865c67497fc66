/// The audio tracks of an item, and the one that plays.
///
/// Invariant: `current` and `chosen` are indices of `tracks`, or of tracks that the engine has not reported yet.
struct AudioSelection: Equatable, Sendable {
  var tracks: [MediaDescription.AudioTrack] = []
  var current: Int?
  /// The track that a command selected; nil leaves the choice to the languages.
  var chosen: Int?

  /// Returns the same tracks with an earlier choice; one that does not exist is dropped.
  func keeping(_ chosen: Int?) -> AudioSelection {
    var kept = self
    kept.chosen = chosen
    if let chosen, tracks.indices.contains(chosen) { kept.current = chosen }
    return kept
  }
}
