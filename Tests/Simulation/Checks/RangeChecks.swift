import Playback

/// The record of the loaded range of a network stream, as events have published it.
struct RangeRecord {
  var stream: UInt64 = 0
  var run: UInt64 = 0
  var duration: Duration?
  var range: Range<Duration>?
  /// The instant since which the range is the same.
  var since: Int64 = 0
}

extension Checker {
  /// The part of a second for which a range stays the same.
  private static let interval: Int64 = 250_000_000
  /// The time by which the position may have left the published range: a report may come so late.
  private static let lateness = Duration.seconds(1)

  /// Checks the loaded range in the snapshot of an event.
  func checkPublishedRange(_ seen: Player.Snapshot) {
    let after = world.player.inspection
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
    if isSame, let old = ranges.range, let range, old != range {
      require(.rangeNeverShrinks, range.upperBound >= old.upperBound, "from \(old) to \(range)")
      require(
        .rangeChangesSlowly, now - ranges.since >= Self.interval || !old.contains(seen.position),
        "from \(old) to \(range) after \((now - ranges.since) / 1_000_000) ms")
    }
    if !isSame || ranges.range != range { ranges.since = now }
    (ranges.stream, ranges.run, ranges.duration, ranges.range) = (after.stream, after.playbackRun, seen.duration, range)
  }

  /// Checks that the range that clients know still applies.
  func checkKnownRange(_ after: PlayerInspection) {
    let seen = after.snapshot
    guard after.isAdvancing, ranges.stream == after.stream, ranges.run == after.playbackRun, let range = ranges.range
    else { return }
    require(
      .rangeContainsPosition, seen.position < range.upperBound + Self.lateness.scaled(by: max(1, seen.rate)),
      "\(range) was published, the position is \(seen.position)")
  }
}
