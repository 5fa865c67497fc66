import Playback

/// The record of the current item and its passages.
struct ItemRecord {
  /// The current item as the events report it.
  var current: Player.Item?
  var loopCount = 0
  /// The number of the present passage: it begins with an item change, a repetition, or a load after a stop.
  var passage = 0
  /// Whether the present passage has ended or failed.
  var hasEnded = false
  /// The failures in a row.
  var failures = 0
  var isStalled = false
  var queueEnded = false
  /// The title of the audible song of a station, and the instant since which it was audible without a disturbance.
  var song: (title: String, since: Int64)?
}

extension Checker {
  func itemEvent(_ event: Player.Event) {
    switch event {
    case .currentItemChanged(let old, let new):
      require(
        .itemChangeReported, old?.id == items.current?.id,
        "from \(old?.uri ?? "nil") instead of \(items.current?.uri ?? "nil")")
      require(.itemChangeReported, old?.id != new?.id || new == nil, "to the same item")
      items.current = new
      items.loopCount = 0
      beginPassage()
    case .itemRepeated(let item, let count):
      require(.repetitionsCounted, item.id == items.current?.id, "of \(item.uri), which is not current")
      require(.repetitionsCounted, count == items.loopCount + 1, "\(count) after \(items.loopCount)")
      items.loopCount = count
      beginPassage()
    case .itemDidPlayToEnd(let item):
      if endOfOutgoing(item) { return }
      require(.passageEndsOnce, item.id == items.current?.id, "the end of \(item.uri), which is not current")
      require(
        .passageEndsOnce, !items.hasEnded || world.scenario.behaviour.slowObservers, "a second end of \(item.uri)")
      checkHeard(item)
      items.hasEnded = true
      items.failures = 0
      world.noteTrack()
    case .itemFailed(let item, let error):
      checkProcessFailure(item, error)
      require(.passageEndsOnce, item.id == items.current?.id, "the failure of \(item.uri), which is not current")
      require(
        .passageEndsOnce, !items.hasEnded || world.scenario.behaviour.slowObservers,
        "a failure of \(item.uri) after its end: \(error)")
      items.hasEnded = true
      // An item that has played for a second was not a failed attempt; the last position that was seen may be older.
      let heard = heard(item) - item.start.wholeNanoseconds
      let wasPlayed = max(position.lastPosition.wholeNanoseconds, heard) > 990_000_000
      items.failures = wasPlayed ? 0 : items.failures + 1
    case .queueEnded: items.queueEnded = true
    default: break
    }
  }

  func beginPassage() {
    if let item = items.current { forgetHeard(item) }
    items.passage += 1
    items.hasEnded = false
    items.isStalled = false
  }

  func stallEvent(_ event: Player.Event) {
    switch event {
    case .playbackStalled(let item):
      require(.stallsAlternate, !items.isStalled, "a second stall of \(item.uri)")
      let media = world.player.media(of: item)
      require(.fileNeverStalls, media?.isLocal != true, "a stall of \(item.uri)")
      items.isStalled = true
    default: items.isStalled = false
    }
  }

  /// Returns the media time up to which the output has played the present passage of an item, in nanoseconds.
  private func heard(_ item: Player.Item) -> Int64 { world.model.heard(of: item.uri, until: knownStream) }

  private func forgetHeard(_ item: Player.Item) { world.model.forgetHeard(of: item.uri, before: knownStream) }

  /// The newest stream whose start the player knows.
  private var knownStream: UInt64 {
    let stream = world.player.internals.stream
    return stream == 0 ? .max : stream
  }

  /// Checks that the output has played the end of an item.
  func checkHeard(_ item: Player.Item) {
    guard let media = world.player.media(of: item), media.source == .file, media.fault == .none, !item.isClip,
      !world.scenario.behaviour.slowObservers
    else { return }
    let heard = heard(item)
    forgetHeard(item)
    let end = Int64(media.silence ?? media.length) * 1_000_000
    let claimed = Int64(media.stated ?? media.length) * 1_000_000
    let slack: Int64 = 700_000_000
    // While a call hangs, no position is measured, and the end follows the clock.
    let isDisturbed = now - progress.disturbed < 5_000_000_000 || world.model.busyUntil > now
    require(
      .endIsHeard, heard >= min(end, claimed) - slack || isDisturbed,
      "\(item.uri) was played to \(heard / 1_000_000) of \(media.length) ms")
  }

  /// Checks that the title of a station is that of the audible song.
  func checkSong(_ after: PlayerInternals) {
    let output = world.model.output
    guard after.isAdvancing, !after.isSeeking, output.isRunning, let deck = output.current?.deck,
      deck.token == after.stream, deck.isCalm, let song = deck.song(at: deck.position),
      !world.scenario.behaviour.slowObservers, now - progress.disturbed > 2_000_000_000
    else {
      items.song = nil
      return
    }
    if items.song?.title != song { items.song = (song, now) }
    let wait = Int64(1_000 + 4 * world.scenario.behaviour.messageDelay) * 1_000_000
    let (title, isNew) = (after.snapshot.metadata.title, items.song.map { now - $0.since <= wait } ?? true)
    require(.songIsHeard, title == song || isNew, "\(title ?? "nil") instead of \(song)")
  }

  func checkItems(_ after: PlayerInternals) {
    let seen = after.snapshot
    require(
      .itemChangeReported, seen.currentItem?.id == items.current?.id || world.scenario.behaviour.slowObservers,
      "the current item is \(seen.currentItem?.uri ?? "nil"), reported was \(items.current?.uri ?? "nil")")
    require(.currentItemInQueue, (seen.currentItem == nil) == (seen.itemCount == 0), "\(seen.itemCount) items")
    require(
      .repetitionsCounted, seen.loopCount == items.loopCount || world.scenario.behaviour.slowObservers,
      "\(seen.loopCount), reported were \(items.loopCount)")
    require(
      .failuresFormOnePass,
      items.failures <= max(1, seen.itemCount) + 1 || isCommand || world.scenario.behaviour.slowObservers,
      "\(items.failures) failures in a queue of \(seen.itemCount)")
    if isCommand { items.failures = 0 }
    if items.queueEnded, !world.scenario.behaviour.slowObservers {
      require(.queueEndStops, seen.transport == .stopped, "\(seen.transport)")
    }
    items.queueEnded = false
    // The item of a stopped player begins another passage when it is played again.
    if seen.transport == .stopped { items.isStalled = false }
    if seen.transport == .stopped || seen.timeControlStatus == .paused, items.hasEnded { items.hasEnded = false }
    if isCommand || before?.snapshot.queueRevision != seen.queueRevision { checkQueue(seen) }
    checkRanges(seen)
    checkAudible(after)
  }

  private func checkQueue(_ seen: Player.Snapshot) {
    let queue = world.player.items
    require(
      .currentItemInQueue,
      seen.currentIndex.map { queue.indices.contains($0) && queue[$0].id == seen.currentItem?.id } ?? queue.isEmpty,
      "index \(seen.currentIndex ?? -1) of \(queue.count)")
    require(.queueWithoutDuplicates, Set(queue.map(\.id)).count == queue.count, "\(queue.count) items")
    if let order = world.player.playOrder {
      require(.orderIsPermutation, order.sorted().elementsEqual(queue.indices), "\(order)")
    }
  }

  private func checkRanges(_ seen: Player.Snapshot) {
    checkRanges(seen.loadedTimeRanges, within: seen.duration)
    checkRanges(seen.seekableTimeRanges, within: seen.duration)
    require(.bufferWithinRange, (0...100).contains(seen.bufferingPercent), "\(seen.bufferingPercent) percent")
    if let item = seen.currentItem, let media = world.player.media(of: item), media.isLocal {
      require(.bufferWithinRange, seen.bufferingPercent == 100, "\(seen.bufferingPercent) percent of a file")
      require(.fileNeverStalls, seen.reasonForWaitingToPlay != .toMinimizeStalls, "a file waits for data")
    }
  }

  private func checkRanges(_ ranges: [Range<Duration>], within duration: Duration?) {
    for range in ranges {
      let isWithin = range.lowerBound >= .zero && duration.map { range.upperBound <= $0 } ?? true
      require(.rangesWithinItem, isWithin, "\(range)")
    }
  }

  private func checkAudible(_ after: PlayerInternals) {
    let output = world.model.output
    guard world.model.isCalm, output.isRunning, output.voices.count == 1, let deck = output.current?.deck,
      let item = after.snapshot.currentItem, after.snapshot.transport == .playing
    else { return }
    require(.audibleItemIsCurrent, deck.token == after.stream, "stream \(deck.token) plays, \(after.stream) is current")
    require(.audibleItemIsCurrent, world.player.media(of: item) == deck.media, "\(item.uri) is current")
    guard deck.media.source == .file, deck.media.fault == .none, !item.isClip,
      !world.scenario.behaviour.correctsDuration
    else { return }
    let claimed = deck.media.stated.map { Duration.milliseconds($0) }
    let real = Duration.milliseconds(deck.media.length)
    // After a seek beyond the end, its target is taken for the end.
    // A file that is longer than it states has an unknown duration, or the part that was read, until its end.
    let isLonger = claimed.map { $0 < real } ?? false
    let lowest = isLonger ? claimed ?? real : real
    let highest = max(real, claimed ?? real)
    let found = after.snapshot.duration
    require(
      .durationOfItem, found == claimed || found.map { $0 >= lowest && $0 <= highest } ?? isLonger,
      "\(after.snapshot.duration.map(String.init(describing:)) ?? "nil") of \(item.uri)")
  }
}
