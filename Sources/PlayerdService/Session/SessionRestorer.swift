import Playback
import PlayerdConfiguration
import PlayerdStorage

/// Restores a saved queue into a player.
struct SessionRestorer: Sendable {
  let resume: ResumeChoice

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
