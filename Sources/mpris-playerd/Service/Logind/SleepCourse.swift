/// What to do as the machine goes to sleep, wakes and shuts down; a value.
///
/// <https://systemd.io/INHIBITOR_LOCKS/>
struct SleepCourse: Equatable, Sendable {
  /// What happens.
  enum Event: Equatable, Sendable {
    /// The login service hears us from now on.
    case began
    case sleep
    case wake
    case shutdown
    /// The shutdown does not take place.
    case shutdownCancelled
    /// Whether the player plays; or whether it is to keep the machine awake is another matter now.
    case playing(Bool)
  }

  /// What is to be done, in order.
  enum Step: Equatable, Sendable {
    case pause
    case play
    /// Write what is to last.
    case save
    /// Ask to be waited for when the machine is about to sleep or to shut down.
    case takeDelay
    case releaseDelay
    /// Keep the machine awake.
    case takeBlock
    case releaseBlock
    /// Tell clients the position, of which theirs may have gone astray.
    case tellPosition
  }

  private var isPlaying = false
  private var playedBefore = false
  private var hasBlock = false

  mutating func steps(for event: Event, policy: SleepPolicy, inhibits: Bool) -> [Step] {
    switch event {
    case .began: return [.takeDelay]
    case .sleep:
      playedBefore = isPlaying && policy != .off
      return (playedBefore ? [.pause] : []) + [.save, .releaseDelay]
    case .wake:
      let resumes = playedBefore && policy == .resume
      playedBefore = false
      return [.takeDelay, .tellPosition] + (resumes ? [.play] : [])
    case .shutdown: return [.save, .releaseDelay]
    case .shutdownCancelled: return [.takeDelay]
    case .playing(let isPlaying):
      self.isPlaying = isPlaying
      let wantsBlock = isPlaying && inhibits
      guard wantsBlock != hasBlock else { return [] }
      hasBlock = wantsBlock
      return [wantsBlock ? .takeBlock : .releaseBlock]
    }
  }
}
