import Synchronization

extension Player {
  /// The player's state, to be observed; each call gives the same object.
  ///
  /// Observation begins with the first call. Its values are those of ``snapshot`` or follow them within moments; who
  /// needs them at once, with the position, or off the actor reads ``snapshot``.
  public var state: PlayerState {
    stateFeed.withLock { feed in
      if let feed { return feed.state }
      let new = PlayerStateFeed(core)
      feed = new
      return new.state
    }
  }
}

/// What keeps a ``PlayerState`` up to date until its player is closed.
struct PlayerStateFeed: Sendable {
  let state: PlayerState
  /// Ends with the player's events, and takes over what came before their end: it is never cancelled.
  let consumer: Task<Void, Never>

  init(_ core: PlayerCore) {
    // In this order: what changes in between is told.
    let events = core.events()
    let state = PlayerState(core.snapshot)
    self.state = state
    consumer = Task { @PlayerActor in
      for await _ in events { state.update(core.snapshot) }
    }
  }
}
