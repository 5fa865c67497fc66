import PlayerdStorage

/// Decides when to save the positions of long files and when to resume there; a pure value.
struct ResumePolicy: Sendable {
  /// The state of the player that the decisions depend on.
  struct View: Sendable {
    /// The current track's number and URI; nil for none, and while stopped.
    var track: (number: UInt64, uri: String)?
    /// Whether the start position of the track was requested.
    var hasStart = false
    var position = Duration.zero
    var duration: Duration?
    var isPlaying = false

    fileprivate var isLong: Bool { duration.map { $0 >= ResumePositions.shortest } ?? false }
  }

  /// The actions to take.
  struct Outcome: Equatable, Sendable {
    /// The position to resume at.
    var target: Duration?
    /// Whether to write the positions soon.
    var isWritten = false
  }

  private(set) var positions: ResumePositions
  /// Whether a long file is playing; its position is then read periodically.
  private(set) var isFollowing = false
  /// The last track that was checked; its position is restored only once.
  private var seen: UInt64?
  /// Whether a position was saved since the positions were last to be written.
  private var isUnwritten = false

  init(_ positions: ResumePositions) { self.positions = positions }

  /// Removes the position of a track that has played to its end.
  mutating func ended(_ uri: String) -> Outcome {
    let isKnown = positions.position(of: uri) != nil
    positions.forget(uri)
    return Outcome(isWritten: isKnown)
  }

  /// Applies the present state of the player, which an event or the time of the track has reported.
  mutating func update(with view: View, isTick: Bool = false) -> Outcome {
    // A track may end with a tick; its end, and the next track, are reported after it.
    if isTick, view.track?.number != seen { return Outcome() }
    // A paused track that is left is written too.
    let isLeft = view.track.map { $0.number != seen } ?? true
    let isWritten = isUnwritten && (isLeft || isFollowing && !view.isPlaying)
    if isWritten { isUnwritten = false }
    isFollowing = view.track != nil && view.isPlaying && view.isLong
    guard let track = view.track else { return Outcome(isWritten: isWritten) }
    if seen != track.number {
      seen = track.number
      // A track that was started at another position on purpose is not moved.
      let target = view.hasStart || view.position >= .seconds(1) ? nil : positions.position(of: track.uri)
      if let target { return Outcome(target: target, isWritten: isWritten) }
    }
    if view.isLong, view.duration.map({ view.position < $0 }) ?? false {
      positions.record(view.position, of: track.uri)
      isUnwritten = !isWritten
    }
    return Outcome(isWritten: isWritten)
  }
}
