import GstPlayer
import MPRISService

/// Brings the queue of a session back into a player.
struct SessionRestorer: Sendable {
  /// What becomes of what was played.
  enum Resume: String, CaseIterable, Sendable {
    /// Loaded and held at its position.
    case paused
    /// Played on, if it played.
    case playing
    /// Not loaded; Play starts the current track from its start.
    case off
  }

  let resume: Resume

  /// Restores the queue with its place; the order of a shuffled one only if the player is shuffled.
  func restore(_ session: Session, into player: Player) {
    guard !session.queue.isEmpty else { return }
    let order = player.snapshot.isShuffled ? session.order : nil
    player.replaceQueue(with: session.items, startingAt: session.place.current, playOrder: order)
    guard resume != .off, session.place.state != .stopped else { return }
    if resume == .playing, session.place.state == .playing { player.play() } else { player.prepare() }
    if session.place.position > 0 { player.seek(to: .microseconds(Int64(session.place.position * 1e6))) }
  }
}
