import PlayerdConfiguration

/// Decides the actions at suspension, wake-up and shutdown of the machine; a pure value.
///
/// <https://systemd.io/INHIBITOR_LOCKS/>
struct SleepStateMachine: Equatable, Sendable {
  /// An event.
  enum Event: Equatable, Sendable {
    /// The signals of logind are received from now on.
    case began
    case sleep
    case wake
    case shutdown
    /// The shutdown is cancelled.
    case shutdownCancelled
    /// Whether the player plays; sent again when the setting to inhibit sleep may have changed.
    case playing(Bool)
  }

  /// An action; actions are taken in order.
  enum Step: Equatable, Sendable {
    case pause
    case play
    /// Save the session and the positions.
    case save
    /// Take a delay lock, so that the machine waits before suspension and shutdown.
    case takeDelay
    case releaseDelay
    /// Take a block lock, so that the machine stays awake.
    case takeBlock
    case releaseBlock
    /// Emit the position to clients, because their own clocks may be wrong now.
    case emitPosition
  }

  private var isPlaying = false
  private var playedBefore = false
  private var hasBlock = false

  mutating func steps(for event: Event, policy: SleepPolicy, inhibits: Bool) -> [Step] {
    switch event {
    case .began, .shutdownCancelled: return [.takeDelay]
    case .sleep:
      playedBefore = isPlaying && policy != .off
      // A pending request may be to play later, although the player is paused.
      return (policy == .off ? [] : [.pause]) + [.save, .releaseDelay]
    case .wake:
      let resumes = playedBefore && policy == .resume
      playedBefore = false
      return [.takeDelay, .emitPosition] + (resumes ? [.play] : [])
    case .shutdown: return [.save, .releaseDelay]
    case .playing(let isPlaying):
      self.isPlaying = isPlaying
      let wantsBlock = isPlaying && inhibits
      guard wantsBlock != hasBlock else { return [] }
      hasBlock = wantsBlock
      return [wantsBlock ? .takeBlock : .releaseBlock]
    }
  }
}
