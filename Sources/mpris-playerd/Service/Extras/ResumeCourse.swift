/// Decides what is remembered of long files as they play, and where one goes on; a value.
struct ResumeCourse: Sendable {
  /// What is seen of the player.
  struct View: Sendable {
    /// The current track's number and URI; nil for none, and while stopped.
    var track: (number: UInt64, uri: String)?
    var position = Duration.zero
    var duration: Duration?
    var isPlaying = false

    fileprivate var isLong: Bool { duration.map { $0 >= ResumePositions.shortest } ?? false }
  }

  /// What is to be done.
  struct Outcome: Equatable, Sendable {
    /// Where the track goes on.
    var target: Duration?
    /// Whether the positions are to be written soon.
    var isWritten = false
  }

  private(set) var positions: ResumePositions
  /// Whether a long file plays, whose position is worth a look now and then.
  private(set) var isFollowing = false
  /// The track that has been looked at; it is taken to its place once.
  private var seen: UInt64?

  init(_ positions: ResumePositions) { self.positions = positions }

  /// A track has been played to its end.
  mutating func ended(_ uri: String) -> Outcome {
    let isKnown = positions.position(of: uri) != nil
    positions.forget(uri)
    return Outcome(isWritten: isKnown)
  }

  mutating func look(at view: View) -> Outcome {
    let wasFollowing = isFollowing
    isFollowing = view.track != nil && view.isPlaying && view.isLong
    guard let track = view.track else { return Outcome(isWritten: wasFollowing) }
    if seen != track.number {
      seen = track.number
      // What was started elsewhere on purpose stays there.
      let target = view.position < .seconds(1) ? positions.position(of: track.uri) : nil
      if let target { return Outcome(target: target, isWritten: wasFollowing) }
    }
    if view.isLong, view.duration.map({ view.position < $0 }) ?? false {
      positions.record(view.position, of: track.uri)
    }
    return Outcome(isWritten: wasFollowing && !isFollowing)
  }
}
