import Playback

/// The record of crossfades.
struct CrossfadeRecord {
  /// The instant of the last command.
  var commanded: Int64 = VirtualClock.start
  /// The stream of the next item that became audible last in a crossfade.
  var entered: UInt64?
  var isEntering = false
  /// The URI of an item whose fade-out was ended in this step, without a reason that is known so far.
  var unexplainedCut: String?
  /// The streams with chapters.
  var withChapters: Set<UInt64> = []
  /// The items that fade out, and whose ends have not been reported.
  var outgoing: [Outgoing] = []
  /// Whether the last message reported a failure or a replacement, or an end before the stated one.
  var isFailure = false

  struct Outgoing {
    var item: Player.Item
    var stream: UInt64
    /// The position, and that of the end of the fade, when the next item became current.
    var position: Duration
    var duration: Duration
    /// The duration of the item with the silence that is skipped.
    var whole: Duration
    /// The instant at which the next item became audible.
    var start: Int64
    /// The media time played since then.
    var played = Duration.zero
    var hasEnded = false
    var isCut = false
    var isDisturbed = false
    /// The observers at that time, and the boundaries that were reported since then.
    var observers: [Int]
    var boundaries: [(observer: Int, time: Duration)] = []
    /// Those that were reported while it was the current item.
    var crossed: [(observer: Int, time: Duration)] = []
  }
}

extension Checker {
  // MARK: Commands

  func crossfadeCommand(_ command: EngineCommand) {
    switch command {
    case .plan(let parts): checkOverlaps(parts)
    case .close(let stream): closed(stream.number, world.player.internals)
    // Another output ends a crossfade. A client's choice takes effect when the devices have been listed.
    case .settings(let settings): if settings.sink != engine.settings?.sink { fades.unexplainedCut = nil }
    default: break
    }
  }

  /// Checks the crossfades that a plan begins to contain.
  private func checkOverlaps(_ parts: [PlannedPart]) {
    let seen = world.player.internals
    // A crossfade that has begun may contain another one only after its end.
    guard let first = parts.first, first.stream.number == seen.stream, first.fadeOut == nil, parts.count > 1,
      case .overlap(let shape) = parts[1].join,
      !engine.plan.contains(where: { $0.stream == parts[1].stream && $0.join == parts[1].join })
    else { return }
    let next = parts[1].stream.number
    let snapshot = seen.snapshot
    guard let item = snapshot.currentItem, let duration = snapshot.duration else {
      return broke(.overlapIsPermitted, "the duration is unknown")
    }
    if let end = first.end {
      let ends = [duration, silence(of: item)].compactMap(\.self)
      require(
        .overlapHasLength, ends.contains { abs((end - item.start - $0).wholeNanoseconds) <= 1_000_000 },
        "the fade ends at \(end), the item at \(ends)")
    }
    require(.overlapHasLength, shape.length <= seen.crossfade.length, "\(shape.length)")
    checkPermitted(seen, next)
  }

  /// Checks that the current item and the next one may crossfade.
  private func checkPermitted(_ seen: PlayerInternals, _ stream: UInt64) {
    let snapshot = seen.snapshot
    let length = seen.crossfade.length
    require(.overlapIsPermitted, mayOverlap(seen), "crossfades are off")
    require(.overlapIsPermitted, snapshot.loop != .track, "the item repeats")
    require(.overlapIsPermitted, snapshot.actionAtItemEnd == .advance, "\(snapshot.actionAtItemEnd)")
    require(.overlapIsPermitted, snapshot.transport != .stopped, "stopped")
    guard let item = snapshot.currentItem, let next = seen.follower, let media = world.player.media(of: item),
      let other = world.player.media(of: next)
    else { return broke(.overlapIsPermitted, "no item follows") }
    require(.overlapIsPermitted, item.id != next.id, "to \(next.uri)")
    let hasChapters = fades.withChapters.contains(stream) && !next.isClip
    require(.overlapIsPermitted, !hasChapters, "\(next.uri) has chapters")
    // An item that is not open is unknown.
    for (item, media) in [(item, media), (next, other)] where !item.isClip && media.fault != .silent {
      let hasChapters = item.id == snapshot.currentItem?.id && !media.chapters.isEmpty
      require(.overlapIsPermitted, !media.isEndless && !hasChapters, "\(media)")
      // The duration that was found replaces the stated one.
      let durations = [Duration.milliseconds(media.stated ?? media.length), .milliseconds(media.length)]
      let isPermitted = durations.contains { $0 <= .seconds(1_200) && $0 >= length * min(1, snapshot.rate) }
      require(.overlapIsPermitted, isPermitted, "\(media.length) ms")
    }
    let isOne = media.album != nil && media.album == other.album
    // Another folder is another album.
    let areNeighbours = item.uri.prefix { $0 != ":" } == next.uri.prefix { $0 != ":" }
    require(.albumsFollowGaplessly, !isOne || !areNeighbours, "\(item.uri) and \(next.uri)")
  }

  /// Returns the position from which an item is silent to its end, if that is skipped.
  private func silence(of item: Player.Item) -> Duration? {
    guard item.end == nil, let silence = world.player.media(of: item)?.silence else { return nil }
    return .milliseconds(silence) - item.start
  }

  /// Whether crossfades are on, or the silence at the end of the current item is skipped.
  private func mayOverlap(_ seen: PlayerInternals) -> Bool {
    seen.crossfade.length > .zero || seen.snapshot.currentItem.map { silence(of: $0) != nil } ?? false
  }

  /// Notes that a stream is closed, which may fade out.
  private func closed(_ stream: UInt64, _ seen: PlayerInternals) {
    fades.withChapters.remove(stream)
    guard let index = fades.outgoing.firstIndex(where: { $0.stream == stream }) else { return }
    let outgoing = fades.outgoing[index]
    let rest = outgoing.duration - outgoing.position
    let media = world.player.media(of: outgoing.item)
    // The media is longer than stated.
    let isPlain = media.map { $0.isPlayable && $0.stated == $0.length } ?? false
    let isOverdue = outgoing.played >= rest + .seconds(2)
    // A long pause releases the output.
    let isExplained =
      outgoing.hasEnded || isCommand || seen.snapshot.transport == .paused || fades.isFailure || isOverdue
      || now - progress.disturbed < 15_000_000_000
      || !isPlain || world.model.output.current?.deck.media.isPlayable != true
      // The next item has failed, at the end of the data that was received.
      || items.current.flatMap { world.player.media(of: $0) }?.isPlayable != true
      || world.scenario.behaviour.slowObservers
    if !isExplained { fades.unexplainedCut = outgoing.item.uri }
    fades.outgoing[index].isCut = !outgoing.hasEnded
  }

  // MARK: Messages and events

  func crossfadeMessage(_ event: EngineEvent) {
    fades.isFailure = false
    switch event {
    case .audible(let stream, _): enter(stream.number)
    case .replaced, .output(.failed), .output(.found), .output(.removed), .output(.pauseRequested),
      .output(.resumeRequested):
      fades.isFailure = true
      // Nothing is closed after that.
      if case .replaced = event { for index in fades.outgoing.indices { fades.outgoing[index].isCut = true } }
    case .stream(let stream, let report):
      switch report {
      case .ended, .failed:
        if case .failed = report { fades.isFailure = true }
        if let index = fades.outgoing.firstIndex(where: { $0.stream == stream.number }) {
          fades.outgoing[index].hasEnded = true
          if fades.isFailure { fades.outgoing[index].isCut = true }
        }
        // The media of the next item has ended before the fade: it is shorter than stated.
        if stream.number == world.player.internals.stream, items.current.flatMap(isAsStated) == false {
          fades.isFailure = true
        }
      case .chapters: fades.withChapters.insert(stream.number)
      case .startMissed, .seekRefused, .settled: fades.isFailure = true
      default: break
      }
    case .output, .starting, .warning: break
    }
  }

  /// Whether the media of an item is as long as it states; nil without media.
  private func isAsStated(_ item: Player.Item) -> Bool? {
    world.player.media(of: item).map { $0.stated == $0.length }
  }

  /// Notes that a stream is audible, which may be the next one in a crossfade.
  private func enter(_ stream: UInt64) {
    let (model, seen) = (world.model, world.player.internals)
    guard let overlap = model.overlap, overlap.second == stream, stream != seen.stream, stream != fades.entered,
      let item = items.current, overlap.first == seen.stream
    else { return }
    (fades.entered, fades.isEntering) = (stream, true)
    if now - progress.disturbed > 15_000_000_000, now - fades.commanded > 1_000_000_000, !overlap.isHasty {
      let late = model.deck(stream).map { $0.position - $0.base } ?? 0
      let behaviour = world.scenario.behaviour
      // A pause that is carried out meanwhile delays the message.
      let call = engine.isPlaying ? 0 : behaviour.callDuration
      let delay = model.output.scaled(Int64(behaviour.messageDelay + call + 20) * 1_000_000)
      require(.entryIsOneChange, late <= delay, "\(late / 1_000_000) ms after the first sample")
    }
    // Slow observers learn of the next item later.
    let duration = before?.snapshot.currentItem?.id == item.id ? before?.snapshot.duration : nil
    // Silence that was found when it had begun is not skipped.
    let skipped = silence(of: item).flatMap { $0 + .seconds(1) > position.lastPosition ? $0 : nil }
    let end = duration.map { min($0, skipped ?? $0) }
    // The position may have run ahead of an output that stood unnoticed.
    let planned = engine.plan.first { $0.stream.number == overlap.first }?.end.map { $0 - item.start }
    let isAhead = planned.map { $0 < position.lastPosition } ?? false
    fades.outgoing.append(
      CrossfadeRecord.Outgoing(
        item: item, stream: overlap.first, position: position.lastPosition, duration: end ?? .zero,
        whole: duration ?? .zero, start: now, isDisturbed: duration == nil || isAhead,
        observers: observers.map(\.number)))
  }

  /// Checks the end of an item that fades out; returns whether it is one.
  func endOfOutgoing(_ item: Player.Item) -> Bool {
    guard let index = fades.outgoing.firstIndex(where: { $0.item.id == item.id }) else { return false }
    let outgoing = fades.outgoing.remove(at: index)
    require(
      .outgoingIsHeard, outgoing.hasEnded || outgoing.isCut || isCommand || world.scenario.behaviour.slowObservers,
      "the end of \(item.uri) is reported while it is audible")
    if !outgoing.isCut, outgoing.hasEnded {
      checkHeard(item)
      checkFadedBoundaries(outgoing)
    }
    world.noteTrack()
    return true
  }

  /// Notes a boundary of the item that fades out; returns whether it is one.
  func crossedInFade(_ crossing: Player.BoundaryCrossing, by number: Int) -> Bool {
    guard let index = fades.outgoing.firstIndex(where: { $0.item.id == crossing.item.id }) else { return false }
    // A boundary just before the overlap is crossed in the decision that begins it.
    guard crossing.item.id != items.current?.id else {
      fades.outgoing[index].crossed.append((number, crossing.boundary))
      return false
    }
    let outgoing = fades.outgoing[index]
    let isNew = !outgoing.boundaries.contains { $0 == (number, crossing.boundary) }
    require(.fadedBoundariesOnce, isNew, "\(crossing.boundary) again, observer \(number)")
    checkUnplayed(crossing.boundary, outgoing, number)
    fades.outgoing[index].boundaries.append((number, crossing.boundary))
    return true
  }

  /// Checks that a boundary that is reported in a fade was not passed, and reported, before it.
  private func checkUnplayed(_ boundary: Duration, _ outgoing: CrossfadeRecord.Outgoing, _ number: Int) {
    guard let record = observers.first(where: { $0.number == number }), !outgoing.isDisturbed,
      now - progress.disturbed > 15_000_000_000,
      isAsStated(outgoing.item) == true
    else { return }
    // The boundary of a remaining time depends on the rate.
    if case .observeRemaining = record.action { return }
    require(
      .fadedBoundariesOnce, boundary >= outgoing.position - .milliseconds(1),
      "\(boundary) was passed before the fade at \(outgoing.position), observer \(number)")
  }

  private func checkFadedBoundaries(_ outgoing: CrossfadeRecord.Outgoing) {
    guard !outgoing.isDisturbed, !world.scenario.behaviour.slowObservers, now - progress.disturbed > 15_000_000_000
    else { return }
    // Of an item whose duration has changed, the fractions of the one before were reported.
    for number in outgoing.observers {
      guard let record = observers.first(where: { $0.number == number }) else { continue }
      if case .observeFractions = record.action, isAsStated(outgoing.item) == false { continue }
      for time in record.action.boundaries(outgoing.whole).sorted()
      where time > outgoing.position + .milliseconds(100) && time < outgoing.duration - .milliseconds(1) {
        let isReported = (outgoing.crossed + outgoing.boundaries).contains {
          $0.observer == number && abs(($0.time - time).wholeNanoseconds) < 1_000_000
        }
        require(.fadedBoundariesOnce, isReported, "\(time) is not reported, observer \(number)")
      }
    }
  }

  // MARK: After each event

  func checkCrossfade(_ after: PlayerInternals) {
    require(.outgoingIsHeard, fades.unexplainedCut == nil, "\(fades.unexplainedCut ?? "") is cut")
    checkEntry(after)
    checkAlbum(after)
    if !fades.outgoing.isEmpty { checkOutgoing(after) }
    let voices = world.model.output.voices
    // The item after one without a sample begins at the full level.
    let isSkipped = voices.contains { $0.part.fadeOut != nil } && voices.allSatisfy { !$0.fades.isEmpty }
    // At another rate, fades that have begun before take another time than those after it.
    if isSkipped, now - progress.disturbed > 15_000_000_000, now - world.model.output.rateChanged > 25_000_000_000 {
      require(.overlapIsNotTooLoud, world.model.loudness < 1.02, "the sum is \(world.model.loudness)")
    }
  }

  private func checkEntry(_ after: PlayerInternals) {
    guard fades.isEntering else { return }
    fades.isEntering = false
    require(.enteredIsCurrent, after.stream == fades.entered, "\(after.stream) instead of \(fades.entered ?? 0)")
    guard !world.scenario.behaviour.slowObservers, after.stream == fades.entered else { return }
    let changes = events.count { if case .currentItemChanged = $0 { true } else { false } }
    let jumps = events.count { if case .timeJumped = $0 { true } else { false } }
    require(
      .entryIsOneChange, changes == 1 && jumps == 0 && events.contains(.changed), "\(events.map(\.brief))")
    // A call that hangs delays the message.
    let isLate = now - progress.disturbed < 2_000_000_000
    require(
      .entryIsOneChange, after.snapshot.position < .milliseconds(1_100) || isLate, "at \(after.snapshot.position)")
    let album = after.snapshot.currentItem.flatMap { world.player.media(of: $0) }?.album
    require(
      .entryIsOneChange, after.snapshot.metadata.album == album.map { "album \($0)" },
      "the album is \(after.snapshot.metadata.album ?? "nil")")
  }

  /// Checks that items of one album follow gaplessly.
  private func checkAlbum(_ after: PlayerInternals) {
    guard !events.isEmpty, !isCommand, !world.scenario.behaviour.slowObservers, after.crossfade.length > .zero,
      world.scenario.behaviour.readAhead >= 1_000, now - fades.commanded > 60_000_000_000,
      // After a failure of the output, the item may be read to its end before the seek to its position is done.
      now - max(progress.disturbed, world.model.outputDownUntil, world.model.outputBlockedUntil) > 60_000_000_000,
      after.snapshot.rate == 1,
      after.isReady || after.stream != 0
    else { return }
    for case .currentItemChanged(.some(let old), .some(let new)) in events {
      guard let first = world.player.media(of: old), let second = world.player.media(of: new), first.album != nil,
        first.album == second.album, !old.isClip, !new.isClip
      else { continue }
      let arePlain = [first, second].allSatisfy {
        $0.isLocal && $0.fault == .none && $0.stated == $0.length && $0.length > 5_000
      }
      guard arePlain, items.current?.id == new.id, after.snapshot.actionAtItemEnd == .advance else { continue }
      require(
        .albumsFollowGaplessly, engine.gapless.contains(after.stream), "\(new.uri) is opened after \(old.uri)")
    }
  }

  /// Checks that the item that fades out ends.
  private func checkOutgoing(_ after: PlayerInternals) {
    let rate = before.map { $0.isAdvancing ? $0.snapshot.anchor.rate : 0 } ?? 0
    for index in fades.outgoing.indices {
      // The last check may have been long before the fade.
      let start = max(position.checked, fades.outgoing[index].start)
      fades.outgoing[index].played += Duration.nanoseconds(now - start).scaled(by: rate)
      let outgoing = fades.outgoing[index]
      let rest = outgoing.duration - outgoing.position
      require(
        .outgoingEnds,
        outgoing.played < max(rest, .zero) + .seconds(15).scaled(by: max(1, rate)) || outgoing.isDisturbed
          || world.scenario.behaviour.slowObservers,
        "\(outgoing.item.uri) has not ended")
      if isCommand { fades.outgoing[index].isDisturbed = true }
    }
  }
}

extension Action {
  /// Returns the boundaries of an observer in an item of a duration, apart from those of the remaining time.
  fileprivate func boundaries(_ duration: Duration) -> Set<Duration> {
    switch self {
    case .observeTimes(let times): Set(times.map { .milliseconds($0) })
    case .observeFractions(let fractions): Set(fractions.map { duration * Double($0) / 1000 })
    default: []
    }
  }
}
