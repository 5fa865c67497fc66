import Synchronization

extension Player {
  /// The player's observable state, updated on ``Player/StateActor``; the same as ``state(on:)`` for that actor.
  public var state: Player.State { state(on: Player.StateActor.self) }

  /// Creates or returns the player's observable state that is updated on a global actor, such as `MainActor`.
  ///
  /// The state can be read anywhere, and is observed on that actor. Observation begins with the first call. The values
  /// follow ``snapshot`` after a short delay, as soon as the actor is free. For immediate values or the position, read
  /// ``snapshot``.
  ///
  /// - Parameter actor: The actor. `MainActor` requires a program whose main thread runs its jobs, such as one with an
  ///   async `main`.
  /// - Returns: The state, which is the same object in each call for the same actor.
  public func state<Isolation: GlobalActor>(on actor: Isolation.Type) -> Player.State {
    stateFeeds.withLock { feeds in
      if let feed = feeds[ObjectIdentifier(actor)] { return feed.state }
      let new = Player.feed(from: core, on: Isolation.shared)
      feeds[ObjectIdentifier(actor)] = new
      return new.state
    }
  }

  /// A state, and the task that applies the events to it until they end; the task is never cancelled, so the events
  /// before the end are applied.
  typealias StateFeed = (state: Player.State, consumer: Task<Void, Never>)

  private static func feed(from core: PlayerCore, on actor: any Actor) -> StateFeed {
    // In this order, so that changes in between are reported.
    let events = core.events()
    let state = Player.State(core.snapshot)
    // An ordinary task would begin on the shared thread pool before it changes to the actor.
    return (state, Task.immediate { await Player.apply(events, of: core, to: state, on: actor) })
  }

  private static func apply(
    _ events: AsyncStream<Player.Event>, of core: PlayerCore, to state: Player.State, on actor: isolated any Actor
  ) async {
    for await _ in events { state.update(core.snapshot) }
  }
}
