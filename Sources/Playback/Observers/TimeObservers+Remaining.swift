extension TimeObservers {
  /// What is still to be told of the time that remains of an item: once for each passage through it.
  enum Countdown: Equatable, Sendable {
    /// Everything.
    case whole
    /// What lies at or after a position that play has gone back to.
    case from(Duration)
    /// Less wall time than this.
    case below(Duration)

    /// The same after a jump within the item: what play has gone back before is to be told again.
    ///
    /// A change of speed is no jump, though it begins another stretch.
    func jumped(from old: Duration, to new: Duration) -> Countdown {
      if self == .whole || new == .zero { return .whole }
      return new < old ? .from(new) : self
    }
  }

  /// Where less than `remaining` of wall time is left; nil when that was told, or is not to be known.
  static func boundary(remaining: Duration, in stretch: Stretch) -> Duration? {
    guard let duration = stretch.duration else { return nil }
    let boundary = duration - (stretch.rate == 1 ? remaining : remaining * stretch.rate)
    switch stretch.countdown {
    case .whole: break
    case .from(let position): guard boundary >= position else { return nil }
    case .below(let least): guard remaining < least else { return nil }
    }
    // Where there never was so much, it is told as play begins.
    return max(stretch.origin, boundary)
  }

  /// What is to be told after a look at `end`, in which these crossings were told.
  func countdown(after stretch: Stretch, upTo end: Duration, told: [Crossing]) -> Countdown {
    guard let duration = stretch.duration else { return stretch.countdown }
    var least = max(.zero, duration - end) / stretch.rate
    if case .below(let before) = stretch.countdown { least = min(least, before) }
    for crossing in told {
      if case .remaining(let remaining) = kinds[crossing.observer] { least = min(least, remaining) }
    }
    return .below(least)
  }
}
