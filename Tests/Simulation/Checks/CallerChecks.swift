import Playback

/// The record of the callers that wait.
struct CallerRecord {
  /// The awaited seeks without an answer: the target, the tolerance and the instant of the call.
  var seeks: [(number: Int, since: Int64)] = []
  var seekTarget: (target: Duration, before: Duration, after: Duration)?
  var preparations: [(number: Int, since: Int64)] = []
  var lastNumber = 0
  /// The duration when the newest seek was requested.
  var seekLimit = Duration.zero
  /// The positions of a station that a seek could reach then; nil for another item.
  var seekRange: Range<Duration>?
  /// The number of the newest awaited seek.
  var lastSeek = 0
  /// The answers since the last command.
  var answers: [(number: Int, isDone: Bool)] = []
}

extension Checker {
  // MARK: Seeks

  func seekBegan() -> Int {
    callers.lastNumber += 1
    callers.seeks.append((callers.lastNumber, now))
    return callers.lastNumber
  }

  func seekEnded(_ number: Int, _ isDone: Bool) {
    world.note("    seek \(number) answered \(isDone)")
    mix(isDone ? 21 : 20)
    guard let index = callers.seeks.firstIndex(where: { $0.number == number }) else {
      return broke(.seekAnsweredOnce, "a second answer to seek \(number)")
    }
    callers.seeks.remove(at: index)
    callers.answers.append((number, isDone))
    guard isDone, number == callers.lastSeek, let wanted = callers.seekTarget else { return }
    let seen = world.player.internals.snapshot
    let upper = seen.duration ?? .nanoseconds(Int64.max)
    // The duration may have been found, and be forgotten by a reload.
    var low = max(.zero, min(wanted.target, upper, callers.seekLimit) - wanted.before)
    var high = max(.zero, wanted.target) + wanted.after
    if let range = callers.seekRange {
      let target = range.clamp(wanted.target)
      // What is heard at the present is not received again, and the oldest data may have been removed since.
      (low, high) = (target - wanted.before, target < range.upperBound ? target + wanted.after : upper)
      if let oldest = seen.seekableTimeRanges.first?.lowerBound, oldest > range.lowerBound { high = max(high, oldest) }
    }
    // The media may not be seekable, or be shorter than it claims.
    guard !events.contains(where: \.changesItem) else { return }
    require(
      .seekLands, seen.position >= low - .milliseconds(1) && seen.position <= min(high, upper) + .milliseconds(50),
      "at \(seen.position), wanted \(wanted.target) within \(wanted.before) and \(wanted.after)")
  }

  func checkSeekCommand(_ action: Action, _ before: PlayerInternals, _ after: PlayerInternals) {
    let target: Int
    switch action {
    case .seek(let to): target = to
    case .seekAwaited(let to, let tolerance):
      target = to
      let limit = tolerance < 0 ? Duration.seconds(1_000_000_000) : .milliseconds(tolerance)
      callers.seekTarget = (.milliseconds(to), limit, limit)
      callers.lastSeek = callers.lastNumber
      callers.seekLimit = before.snapshot.duration ?? .nanoseconds(Int64.max)
      callers.seekRange = before.snapshot.stationRange
      require(.newerSeekEndsOlder, callers.seeks.count <= 1, "\(callers.seeks.map(\.number)) are pending")
      if before.snapshot.transport == .stopped || before.snapshot.itemCount == 0 {
        require(
          .seekNeedsItem, callers.answers.last.map { $0.number == callers.lastNumber && !$0.isDone } ?? false,
          "not answered with false")
      }
    default:
      callers.answers = []
      return
    }
    if before.isReady, before.snapshot.isSeekable, before.snapshot.transport != .stopped {
      let upper = before.snapshot.duration ?? .nanoseconds(Int64.max)
      var clamped = min(max(.zero, .milliseconds(target)), upper)
      if let range = before.snapshot.stationRange {
        let isPresent = clamped >= range.upperBound && after.snapshot.position >= range.upperBound
        clamped = isPresent ? after.snapshot.position : range.clamp(clamped)
      }
      require(
        .positionIsTarget, after.snapshot.position == clamped || after.snapshot.duration != before.snapshot.duration,
        "\(after.snapshot.position) instead of \(clamped)")
    }
    callers.answers = []
  }

  // MARK: Preparations

  func preparationBegan() -> Int {
    callers.lastNumber += 1
    callers.preparations.append((callers.lastNumber, now))
    return callers.lastNumber
  }

  func preparationEnded(_ number: Int, _ error: PlayerError?) {
    world.note("    preparation \(number) answered \(error.map(String.init(describing:)) ?? "ready")")
    mix(error == nil ? 23 : 22)
    guard let index = callers.preparations.firstIndex(where: { $0.number == number }) else {
      return broke(.preparationAnswered, "a second answer to preparation \(number)")
    }
    callers.preparations.remove(at: index)
  }
}

extension Player.Snapshot {
  /// The positions of a station that a seek reaches; nil for another item.
  var stationRange: Range<Duration>? { seekableTimeRanges.first { $0 != .zero..<(duration ?? .zero) } }
}

extension Range<Duration> {
  /// Returns the nearest position in a range that includes its end.
  fileprivate func clamp(_ position: Duration) -> Duration { Swift.min(Swift.max(lowerBound, position), upperBound) }
}
