import Playback

/// The record of the loaded range of a network stream, as events have published it.
struct RangeRecord {
  var stream: UInt64 = 0
  var run: UInt64 = 0
  var duration: Duration?
  var range: Range<Duration>?
  /// The instants of the last changes.
  var changes: [Int64] = []
}

extension Checker {
  /// The least time of five changes: each range is shown for a quarter of a second, and the first one may be published late.
  private static let timeOfChanges: Int64 = 750_000_000
  /// The time by which the position may have left the published range: a report may come so late.
  private static let lateness = Duration.seconds(1)

  /// Checks the loaded range in the snapshot of an event.
  func checkPublishedRange(_ seen: Player.Snapshot) {
    let after = world.player.internals
    let media = seen.currentItem.flatMap(world.player.media(of:))
    guard !world.scenario.behaviour.slowObservers, let media, !media.isLocal, media.source != .live, after.isReady,
      !after.isSeeking
    else { return ranges = RangeRecord() }
    let range = seen.loadedTimeRanges.first
    if seen.timeControlStatus == .playing {
      let isAtEnd = seen.position == seen.duration
      require(
        .rangeContainsPosition, range?.contains(seen.position) == true || isAtEnd,
        "\(range.map { "\($0)" } ?? "none") at \(seen.position)")
    }
    let isSame = ranges.stream == after.stream && ranges.run == after.playbackRun && ranges.duration == seen.duration
    if !isSame { ranges.changes = [] }
    if isSame, let old = ranges.range, let range, old != range {
      // A stall is noticed late if only the position shows it: the resumption moves the position back, with a report.
      let isBefore = events.last?.isResumption == true && seen.position < old.lowerBound
      require(.rangeNeverShrinks, range.upperBound >= old.upperBound || isBefore, "from \(old) to \(range)")
      // A range that the position has left is replaced at once.
      ranges.changes = old.contains(seen.position) ? ranges.changes.suffix(4) + [now] : []
      let time = now - (ranges.changes.first ?? now)
      require(
        .rangeChangesSlowly, ranges.changes.count < 5 || time >= Self.timeOfChanges, "five in \(time / 1_000_000) ms")
    }
    (ranges.stream, ranges.run, ranges.duration, ranges.range) = (after.stream, after.playbackRun, seen.duration, range)
  }

  /// Checks that the range that clients know still applies.
  func checkKnownRange(_ after: PlayerInternals) {
    let seen = after.snapshot
    // After a suspension of the process, the position is ahead of the output until it is measured.
    guard now - max(progress.disturbed, world.resumed) > 5_000_000_000, after.isAdvancing, progress.measured != nil,
      ranges.stream == after.stream, ranges.run == after.playbackRun, let range = ranges.range
    else { return }
    // The report of a second that has arrived takes the time of a message.
    let lateness = Self.lateness + .milliseconds(world.scenario.behaviour.messageDelay + 20)
    require(
      .rangeContainsPosition, seen.position < range.upperBound + lateness.scaled(by: max(1, seen.rate)),
      "\(range) was published, the position is \(seen.position)")
  }
}
