import DBus
import Synchronization

/// The published state of the playlists; they are not read before a client requests them.
///
/// A count or an active playlist that a client reads before it is published is signalled by the next update, also if it
/// has changed back by then.
final class PublishedPlaylists: Sendable {
  private struct State {
    var isOpen = false
    /// Whether a client has read the playlists.
    ///
    /// The first read only sets the published state and causes no signals.
    var isAwake = false
    var playlists: [MPRISPlaylist] = []
    var active: MPRISPlaylist?
    var revisions = PlaylistRevisions()
  }

  private let player: any MPRISPlaylistPlayer
  private let state = Mutex(State())

  init(_ player: any MPRISPlaylistPlayer) { self.player = player }

  /// Enables access to the playlists: reads before this call only check the rows.
  func open() { state.withLock { $0.isOpen = true } }

  var revisions: PlaylistRevisions { state.withLock { $0.revisions } }

  /// The playlists by name, for a client's request.
  var playlists: [MPRISPlaylist] {
    guard state.withLock({ $0.isOpen }) else { return [] }
    let playlists = player.playlists()
    state.withLock { state in
      guard !state.isAwake else { return }
      state.isAwake = true
      state.playlists = playlists
      state.active = active(of: playlists)
    }
    return playlists
  }

  /// The number of playlists, for a client's request.
  var count: Int {
    let count = playlists.count
    state.withLock { if count != $0.playlists.count { $0.revisions.count += 1 } }
    return count
  }

  /// The active playlist, for a client's request; nil if there is none.
  var active: MPRISPlaylist? {
    let active = active(of: playlists)
    state.withLock { if active?.value != $0.active?.value { $0.revisions.active += 1 } }
    return active
  }

  private func active(of playlists: [MPRISPlaylist]) -> MPRISPlaylist? {
    player.activePlaylist().flatMap { id in playlists.first { $0.id == id } }
  }

  /// Updates the published state from the player.
  ///
  /// - Returns: The playlists whose name or icon differs from the published one.
  func update() -> [MPRISPlaylist] {
    guard state.withLock({ $0.isAwake }) else { return [] }
    let playlists = player.playlists()
    let active = active(of: playlists)
    return state.withLock { state in
      if active?.value != state.active?.value { state.revisions.active += 1 }
      state.active = active
      guard playlists != state.playlists else { return [] }
      if playlists.count != state.playlists.count { state.revisions.count += 1 }
      let published = Dictionary(state.playlists.map { ($0.id, $0.value) }) { first, _ in first }
      state.playlists = playlists
      return playlists.filter { playlist in published[playlist.id].map { $0 != playlist.value } ?? false }
    }
  }
}

/// Revisions that differ if the number of playlists, or the active one, differs, or did when a client read it.
struct PlaylistRevisions: Equatable {
  var count: UInt64 = 0
  var active: UInt64 = 0
}
