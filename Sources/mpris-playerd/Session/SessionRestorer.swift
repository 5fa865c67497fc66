import GstPlayer
import MPRISService

/// Brings a session back into a player.
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

  /// Restores modes and volume, and the queue with its place unless something else is opened instead.
  func restore(_ session: Session, into player: Player, queue: Bool) {
    player.setVolume(session.volume)
    player.setRate(session.rate)
    player.setLoop(LoopMode(rawValue: session.loop.rawValue) ?? .none)
    player.setShuffled(session.order != nil)
    guard queue, !session.queue.isEmpty else { return }
    player.replaceQueue(with: session.items, startingAt: session.place.current, playOrder: session.order)
    guard resume != .off, session.place.state != .stopped else { return }
    if resume == .playing, session.place.state == .playing { player.play() } else { player.prepare() }
    if session.place.position > 0 { player.seek(to: .microseconds(Int64(session.place.position * 1e6))) }
  }
}
