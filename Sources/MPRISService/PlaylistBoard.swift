import DBus
import Synchronization

/// The playlists as clients have been told of them; nothing is known of them before somebody asks.
final class PlaylistBoard: Sendable {
  private struct State {
    var isOpen = false
    /// What the first who asks finds is no news to anybody.
    var isAwake = false
    var playlists: [Playlist] = []
    var active: Playlist?
    var countRevision: UInt64 = 0
    var activeRevision: UInt64 = 0
  }

  private let player: any PlaylistPlayer
  private let state = Mutex(State())

  init(_ player: any PlaylistPlayer) { self.player = player }

  /// From now on it is clients who ask; before, the rows are only being checked.
  func open() { state.withLock { $0.isOpen = true } }

  /// Other numbers when there is another count of playlists, or another active one.
  var revisions: PlaylistRevisions {
    state.withLock { PlaylistRevisions(count: $0.countRevision, active: $0.activeRevision) }
  }

  /// The playlists by name, for somebody who asks.
  var playlists: [Playlist] {
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

  /// The playlist that plays, for somebody who asks; nil for none.
  var active: Playlist? { active(of: playlists) }

  private func active(of playlists: [Playlist]) -> Playlist? {
    player.activePlaylist().flatMap { id in playlists.first { $0.id == id } }
  }

  /// Takes over what the player has now.
  ///
  /// - Returns: The playlists that have another name or picture than was told.
  func update() -> [Playlist] {
    guard state.withLock({ $0.isAwake }) else { return [] }
    let playlists = player.playlists()
    let active = active(of: playlists)
    return state.withLock { state in
      if active?.value != state.active?.value { state.activeRevision += 1 }
      state.active = active
      guard playlists != state.playlists else { return [] }
      if playlists.count != state.playlists.count { state.countRevision += 1 }
      let told = Dictionary(state.playlists.map { ($0.id, $0.value) }) { first, _ in first }
      state.playlists = playlists
      return playlists.filter { playlist in told[playlist.id].map { $0 != playlist.value } ?? false }
    }
  }
}

/// Numbers that differ when the count of playlists, or the active one, differs.
struct PlaylistRevisions: Equatable {
  var count: UInt64 = 0
  var active: UInt64 = 0
}
