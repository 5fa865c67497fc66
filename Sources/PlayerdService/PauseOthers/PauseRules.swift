import DBus
import PlayerdConfiguration

/// Decides which players pause when this one or another one starts; a pure value.
///
/// The events are the signals of all players in the order of the bus, this player's own ones included. So two programs with
/// these rules see the same order, and the one that started last plays.
struct PauseRules: Sendable {
  typealias Instant = SuspendingClock.Instant

  /// The settings: the keys `pause-others` and `pause-for-others`.
  struct Policy: Equatable, Sendable {
    var pausesOthers = false
    var forOthers = PauseForOthers.off
    var isOff: Bool { !pausesOthers && forOthers == .off }
  }

  /// An event.
  enum Event: Equatable, Sendable {
    /// The signals are received from now on; `isStart` is true if this player has just started to play.
    case began(isPlaying: Bool, isStart: Bool)
    /// The status of this player has changed.
    case own(isPlaying: Bool)
    /// The status of a player that was on the bus before the first event.
    case found(BusName, isPlaying: Bool)
    /// The status of another player has changed, or that player is new.
    case other(BusName, isPlaying: Bool)
    /// Another player has left the bus.
    case gone(BusName)
    /// The time of ``Step/wait`` has passed.
    case waited
  }

  /// An action; actions are taken in order.
  enum Step: Equatable, Sendable {
    /// Pause another player.
    case pauseOther(BusName)
    case pause(for: BusName)
    /// This player stays paused, now for this other one.
    case stayPaused(for: BusName)
    /// Wait for ``settling``, unless another step to wait or ``stopWaiting`` follows.
    case wait
    case stopWaiting
    /// Play again, unless the user has given a command since the pause.
    case resume
  }

  /// The time in which players answer each other, and in which a player that changes its track may seem to stop.
  static let settling = Duration.seconds(1)
  /// The limit of other players; a program may own any number of names.
  static let limit = 64

  private struct Other: Sendable {
    var isPlaying = false
    /// When this player paused it; nil for never.
    var pausedAt: Instant?
  }

  private var isPlaying = false
  /// Whether this player has started since the first event, so that the players before it are older.
  private var hasStarted = false
  private var others: [BusName: Other] = [:]
  /// The player for which this one is paused.
  private var cause: BusName?
  /// When this player was resumed last by ``Step/resume``.
  private var resumedAt: Instant?
  /// Whether this player may resume after the present pause.
  private var mayResume = false

  /// Whether the status of another player is known.
  func knows(_ other: BusName) -> Bool { others[other] != nil }

  mutating func steps(for event: Event, _ policy: Policy, at now: Instant) -> [Step] {
    switch event {
    case .began(let isPlaying, let isStart):
      (self.isPlaying, hasStarted) = (isPlaying, isPlaying && isStart)
      return []
    case .own(let isPlaying): return own(isPlaying, policy, now)
    case .found(let other, let isPlaying):
      guard admit(other) else { return [] }
      others[other]?.isPlaying = isPlaying
      return hasStarted && self.isPlaying && isPlaying && policy.pausesOthers ? [pause(other, now)] : []
    case .other(let other, let isPlaying):
      guard admit(other), others[other]?.isPlaying != isPlaying else { return [] }
      others[other]?.isPlaying = isPlaying
      return isPlaying ? started(other, policy, now) : stopped(policy)
    case .gone(let other):
      let wasPlaying = others.removeValue(forKey: other)?.isPlaying ?? false
      return wasPlaying ? stopped(policy) : []
    case .waited:
      guard cause != nil, mayResume, policy.forOthers == .resume, playingOther == nil else { return [] }
      (cause, resumedAt) = (nil, now)
      return [.resume]
    }
  }

  private mutating func own(_ isPlaying: Bool, _ policy: Policy, _ now: Instant) -> [Step] {
    guard isPlaying != self.isPlaying else { return [] }
    self.isPlaying = isPlaying
    guard isPlaying else { return [] }
    (hasStarted, cause) = (true, nil)
    let playing = policy.pausesOthers ? others.filter(\.value.isPlaying).keys.sorted { $0.rawValue < $1.rawValue } : []
    return [.stopWaiting] + playing.map { pause($0, now) }
  }

  private mutating func pause(_ other: BusName, _ now: Instant) -> Step {
    others[other]?.pausedAt = now
    return .pauseOther(other)
  }

  private mutating func started(_ other: BusName, _ policy: Policy, _ now: Instant) -> [Step] {
    guard policy.forOthers != .off else { return [] }
    // A player that starts again at once reacts to the pause; it would pause this one in turn.
    if let pausedAt = others[other]?.pausedAt, pausedAt.duration(to: now) < Self.settling { return [] }
    guard isPlaying else { return cause == nil ? [] : [.stopWaiting] }
    // A player that starts at once after this one has resumed resumes after this one, too.
    mayResume = resumedAt.map { $0.duration(to: now) >= Self.settling } ?? true
    cause = other
    return [.pause(for: other)]
  }

  /// Another player has stopped: this one resumes if no other plays.
  private mutating func stopped(_ policy: Policy) -> [Step] {
    guard let cause else { return [] }
    guard let playing = playingOther else {
      return mayResume && policy.forOthers == .resume ? [.wait] : []
    }
    guard others[cause]?.isPlaying != true else { return [] }
    self.cause = playing
    return [.stayPaused(for: playing)]
  }

  /// Returns another player that plays, always the same one of several; nil for none.
  private var playingOther: BusName? { others.filter(\.value.isPlaying).keys.min { $0.rawValue < $1.rawValue } }

  /// Adds a player unless it is known or too many are; returns whether it is known now.
  private mutating func admit(_ other: BusName) -> Bool {
    if others[other] != nil { return true }
    guard others.count < Self.limit else { return false }
    others[other] = Other()
    return true
  }
}
