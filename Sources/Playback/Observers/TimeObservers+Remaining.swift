extension TimeObservers {
  /// The remaining times that are still to be reported for an item: each once per playback of the item.
  enum Countdown: Equatable, Sendable {
    /// All remaining times.
    case whole
    /// The remaining times at or after a position to which playback has jumped back.
    case from(Duration)
    /// The remaining times that are less than this wall time.
    case below(Duration)

    /// Returns the state after a jump within the item: after a jump back, the times after the target are reported
    /// again.
    ///
    /// A change of rate is not a jump, although it begins another playback run.
    func jumped(from old: Duration, to new: Duration) -> Countdown {
      guard self != .whole, new < old else { return self }
      return new == .zero ? .whole : .from(new)
    }
  }

  /// Returns the position from which less than `remaining` of wall time is left; nil if that was reported or is
  /// unknown.
  static func boundary(remaining: Duration, in playbackRun: PlaybackRun) -> Duration? {
    guard let duration = playbackRun.duration else { return nil }
    let boundary = duration - (playbackRun.rate == 1 ? remaining : remaining * playbackRun.rate)
    switch playbackRun.countdown {
    case .whole: break
    case .from(let position): guard boundary >= position else { return nil }
    case .below(let least): guard remaining < least else { return nil }
    }
    // If the item or the rest of it is shorter, the time is reported as soon as playback begins.
    return max(playbackRun.origin, boundary)
  }

  /// Returns the state after playback up to `end`, during which these crossings were reported.
  func countdown(after playbackRun: PlaybackRun, upTo end: Duration, reported: [Crossing]) -> Countdown {
    guard let duration = playbackRun.duration else { return playbackRun.countdown }
    var least = max(.zero, duration - end) / playbackRun.rate
    if case .below(let before) = playbackRun.countdown { least = min(least, before) }
    for crossing in reported {
      if case .remaining(let remaining) = kinds[crossing.observer] { least = min(least, remaining) }
    }
    return .below(least)
  }
}
