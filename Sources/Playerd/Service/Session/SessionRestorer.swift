import Playback

/// Restores a saved queue into a player.
struct SessionRestorer: Sendable {
  /// The playback state after a restore.
  enum Resume: String, CaseIterable, Sendable {
    /// The current track is loaded and paused at its position.
    case paused
    /// The current track plays if it was playing.
    case playing
    /// Nothing is loaded; Play starts the current track from its start.
    case off
  }

  let resume: Resume

  /// Restores the queue and its position; the shuffled order only if the player is shuffled.
  func restore(_ session: SavedSession, into player: Player) {
    guard !session.queue.isEmpty else { return }
    let order = player.snapshot.isShuffled ? session.order : nil
    player.replaceQueue(with: session.items, startingAt: session.place.current, playOrder: order)
    guard resume != .off, session.place.state != .stopped else { return }
    if resume == .playing, session.place.state == .playing { player.play() } else { player.load() }
    if session.place.position > 0 { player.seek(to: .microseconds(Int64(session.place.position * 1e6))) }
  }
}
