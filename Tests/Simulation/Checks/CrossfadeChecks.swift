import Playback

/// The record of crossfades.
struct CrossfadeRecord {
  /// The instant of the last command.
  var commanded: Int64 = VirtualClock.start
  /// The stream that the engine has opened beside the loaded one, and its URI.
  var prepared: (stream: UInt64, uri: String)?
  /// Whether the engine has the times of the crossfade to this stream, and has reported its start.
  var isScheduled = false
  /// Whether the next item starts where the present one ends.
  var isInstant = false
  var hasStarted = false
  /// Whether the loaded stream fades out alone.
  var isAlone = false
  /// The stream that was entered last.
  var entered: UInt64?
  var isEntering = false
  /// The stream that was skipped last.
  var left: UInt64 = 0
  /// The URI of an item whose fade-out was ended in this step, without a reason that is known so far.
  var unexplainedCut: String?
  /// The stream beside the loaded one that has been found to have chapters before it started.
  var withChapters: UInt64?
  /// The items that fade out, and whose ends have not been reported.
  var outgoing: [Outgoing] = []
  /// The streams that were offered as gapless successors last.
  var lastOffers: [UInt64] = []
  /// Whether the last message reported a failure or a replacement.
  var isFailure = false

  struct Outgoing {
    var item: Player.Item
    var stream: UInt64
    /// The position, and that of the end of the fade, when the next item became current.
    var position: Duration
    var duration: Duration
    /// The duration of the item with the silence that is skipped.
    var whole: Duration
    /// The playback since then, in nanoseconds.
    var played: Int64 = 0
    var hasEnded = false
    var isCut = false
    var isDisturbed = false
    /// The observers at that time, and the boundaries that were reported since then.
    var observers: [Int]
    var boundaries: [(observer: Int, time: Duration)] = []
  }
}

extension Checker {
  // MARK: Commands

  func crossfadeCommand(_ command: EngineCommand) {
    let seen = world.player.inspection
    switch command {
    case .prepare(let uri, let stream, _):
      require(.preparedHasReason, fades.prepared == nil, "a second stream is prepared")
      require(.overlapIsPermitted, mayOverlap(seen), "crossfades are off")
      fades.prepared = (stream.number, uri)
      (fades.isScheduled, fades.hasStarted) = (false, false)
    case .crossfade(let stream, let time, let shape): checkSchedule(stream?.number, at: time, shape, seen)
    case .enter(let stream): enter(stream.number, seen)
    case .release(let stream): release(stream.number, seen)
    case .leave(let stream, _):
      requireAlone(command)
      fades.left = stream.number
      fades.isAlone = false
    case .load, .unload, .setSink, .seek:
      requireAlone(command)
      fades.isAlone = false
      // Another output ends a crossfade. A client's choice takes effect when the devices have been listed.
      if case .setSink = command { fades.unexplainedCut = nil }
    default: break
    }
  }

  /// Checks that no second stream is left when the loaded one changes.
  private func requireAlone(_ command: EngineCommand) {
    require(
      .preparedHasReason, fades.prepared == nil, "stream \(fades.prepared?.stream ?? 0) is left at \(command)")
    let left = fades.outgoing.first { !$0.isCut && !$0.hasEnded }
    require(.preparedHasReason, left == nil, "stream \(left?.stream ?? 0) fades out at \(command)")
  }

  private func checkSchedule(_ stream: UInt64?, at time: Duration, _ shape: CrossfadeShape, _ seen: PlayerInspection) {
    require(.crossfadeStreamsKnown, stream == nil || stream == fades.prepared?.stream, "to \(stream ?? 0)")
    require(.crossfadeStreamsKnown, !fades.isScheduled && !fades.isAlone, "the times are sent twice")
    (fades.isScheduled, fades.isAlone) = (stream != nil, stream == nil)
    fades.isInstant = shape.length == .zero
    let snapshot = seen.snapshot
    guard let item = snapshot.currentItem, let duration = snapshot.duration else {
      return broke(.overlapIsPermitted, "the duration is unknown")
    }
    let end = time + shape.length
    let ends = [duration, silence(of: item)].compactMap(\.self)
    require(
      .overlapHasLength, ends.contains { abs((end - item.start - $0).wholeNanoseconds) <= 1_000_000 },
      "the fade ends at \(end), the item at \(ends)")
    require(.overlapHasLength, shape.length <= seen.crossfade.length, "\(shape.length)")
    let pipeline = world.pipeline
    let fixed = Duration.nanoseconds(pipeline.position(at: now) + PipelineModel.fixedAudio)
    // An item may become current just before its first sample, while the output still has the audio of the previous one.
    let isQuiet =
      now - progress.disturbed > 15_000_000_000 && pipeline.commands.isEmpty
      && pipeline.streams.first?.token == seen.stream
    require(.crossfadeIsAnnounced, !isQuiet || fixed <= time, "the output has the audio up to \(fixed), not \(time)")
    checkPermitted(seen, isAlone: stream == nil)
  }

  /// Checks that the current item and the next one may crossfade.
  private func checkPermitted(_ seen: PlayerInspection, isAlone: Bool) {
    let snapshot = seen.snapshot
    let length = seen.crossfade.length
    require(.overlapIsPermitted, mayOverlap(seen), "crossfades are off")
    require(.overlapIsPermitted, snapshot.rate == 1, "rate \(snapshot.rate)")
    require(.overlapIsPermitted, snapshot.loop != .track, "the item repeats")
    require(.overlapIsPermitted, snapshot.actionAtItemEnd == .advance, "\(snapshot.actionAtItemEnd)")
    require(.overlapIsPermitted, snapshot.transport != .stopped, "stopped")
    guard let item = snapshot.currentItem, let next = seen.follower, let media = world.player.media(of: item),
      let other = world.player.media(of: next)
    else { return broke(.overlapIsPermitted, "no item follows") }
    require(.overlapIsPermitted, item.id != next.id && next.start == .zero, "to \(next.uri)")
    require(.overlapIsPermitted, fades.withChapters != fades.prepared?.stream || isAlone, "\(next.uri) has chapters")
    // An item that could not be opened beside the current one is unknown.
    for (item, media) in [(item, media), (next, other)].prefix(isAlone ? 1 : 2)
    where !item.isClip && media.fault != .silent {
      let hasChapters = item.id == snapshot.currentItem?.id && !media.chapters.isEmpty
      require(.overlapIsPermitted, !media.isEndless && !hasChapters, "\(media)")
      // The duration that was found replaces the stated one.
      let durations = [Duration.milliseconds(media.stated ?? media.length), .milliseconds(media.length)]
      let isPermitted = durations.contains { $0 <= .seconds(1_200) && $0 >= length }
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
  private func mayOverlap(_ seen: PlayerInspection) -> Bool {
    seen.crossfade.length > .zero || seen.snapshot.currentItem.map { silence(of: $0) != nil } ?? false
  }

  private func enter(_ stream: UInt64, _ seen: PlayerInspection) {
    require(
      .crossfadeStreamsKnown,
      stream == fades.prepared?.stream && fades.isScheduled && (fades.hasStarted || fades.isInstant),
      "\(stream) is entered")
    require(.overlapIsPermitted, stream != fades.withChapters, "\(stream) has chapters")
    (fades.prepared, fades.entered, fades.isEntering) = (nil, stream, true)
    (fades.isScheduled, fades.hasStarted) = (false, false)
    let model = world.model
    require(.twoStreamsAudible, model.leaving?.audibleLevel ?? 0 == 0, "a skipped stream is audible at the entry")
    let isQuiet =
      now - progress.disturbed > 15_000_000_000 && now - fades.commanded > 1_000_000_000
      && model.overlap?.isHasty == false
    if isQuiet, let prepared = model.prepared {
      let late = prepared.isRunning ? prepared.position(at: now) : 0
      let early = prepared.isRunning ? 0 : model.timeToSecond
      let delay = Int64(world.scenario.behaviour.messageDelay + 20) * 1_000_000
      require(.entryIsOneChange, early <= 10_000_000, "\(early / 1_000_000) ms before the first sample")
      require(.entryIsOneChange, late <= delay, "\(late / 1_000_000) ms after the first sample")
    }
    // A pause and a start reach the two pipelines at different times, so the position of the next item is corrected.
    if model.overlap?.isHasty != false { progress.measured = nil }
    require(.enteredIsCurrent, seen.stream >= stream, "\(seen.stream) is current")
    let faded = model.loaded.streams.first?.token ?? 0
    // Slow observers learn of the next item later.
    let shown = world.scenario.behaviour.slowObservers ? before?.snapshot.currentItem : nil
    guard let item = shown ?? items.current else {
      fades.left = faded
      return
    }
    let duration = before?.snapshot.currentItem?.id == item.id ? before?.snapshot.duration : nil
    // Silence that was found when it had begun is not skipped.
    let skipped = silence(of: item).flatMap { $0 + .seconds(1) > position.lastPosition ? $0 : nil }
    let end = duration.map { min($0, skipped ?? $0) }
    fades.outgoing.append(
      CrossfadeRecord.Outgoing(
        item: item, stream: faded, position: position.lastPosition, duration: end ?? .zero, whole: duration ?? .zero,
        hasEnded: model.loaded.hasEnded,
        isDisturbed: duration == nil,
        observers: observers.map(\.number)))
  }

  private func release(_ stream: UInt64, _ seen: PlayerInspection) {
    if stream == fades.prepared?.stream {
      (fades.prepared, fades.isScheduled, fades.hasStarted) = (nil, false, false)
    } else if let index = fades.outgoing.firstIndex(where: { $0.stream == stream }) {
      let outgoing = fades.outgoing[index]
      let rest = outgoing.duration - outgoing.position
      let media = world.player.media(of: outgoing.item)
      // The media is longer than stated.
      let isPlain = media.map { $0.isPlayable && $0.stated == $0.length } ?? false
      let isOverdue = Duration.nanoseconds(outgoing.played) >= rest + .seconds(2)
      // A long pause releases the output.
      let isExplained =
        outgoing.hasEnded || isCommand || seen.snapshot.transport == .paused || fades.isFailure || isOverdue
        || now - progress.disturbed < 15_000_000_000
        || !isPlain || world.pipeline.streams.first?.media.isPlayable != true
        || world.scenario.behaviour.slowObservers
      if !isExplained { fades.unexplainedCut = outgoing.item.uri }
      fades.outgoing[index].isCut = !outgoing.hasEnded
    } else if stream != fades.left {
      let isCurrent = stream == world.pipeline.streams.first?.token
      require(.currentIsNotReleased, !isCurrent || fades.isAlone, "stream \(stream)")
      require(.crossfadeStreamsKnown, fades.isAlone, "\(stream) is released")
      fades.isAlone = false
    }
  }

  // MARK: Messages and events

  func crossfadeMessage(_ event: EngineEvent) {
    fades.isFailure = false
    switch event {
    case .nextStarted(let stream, _, _, _): if stream.number == fades.prepared?.stream { fades.hasStarted = true }
    case .ended(let stream), .failed(let stream, _):
      if case .failed = event { fades.isFailure = true }
      if let index = fades.outgoing.firstIndex(where: { $0.stream == stream.number }) {
        fades.outgoing[index].hasEnded = true
        if fades.isFailure { fades.outgoing[index].isCut = true }
      }
    case .chapters(let stream, _):
      // A part of a file has no chapters.
      let isWhole = world.player.inspection.follower?.isClip == false
      if stream.number == fades.prepared?.stream, !fades.hasStarted, isWhole { fades.withChapters = stream.number }
    case .replaced, .startMissed, .seekRefused, .outputFound, .outputRemoved, .pauseRequested, .resumeRequested,
      .settled:
      fades.isFailure = true
    default: break
    }
  }

  /// Checks the end of an item that fades out; returns whether it is one.
  func endOfOutgoing(_ item: Player.Item) -> Bool {
    guard let index = fades.outgoing.firstIndex(where: { $0.item.id == item.id }) else { return false }
    let outgoing = fades.outgoing.remove(at: index)
    require(
      .outgoingIsHeard, outgoing.hasEnded || outgoing.isCut || world.scenario.behaviour.slowObservers,
      "the end of \(item.uri) is reported while it is audible")
    if !outgoing.isCut {
      checkHeard(item)
      checkFadedBoundaries(outgoing)
    }
    world.noteTrack()
    return true
  }

  /// Notes a boundary of the item that fades out; returns whether it is one.
  func crossedInFade(_ crossing: Player.BoundaryCrossing, by number: Int) -> Bool {
    guard let index = fades.outgoing.firstIndex(where: { $0.item.id == crossing.item.id }),
      crossing.item.id != items.current?.id
    else { return false }
    let isNew = !fades.outgoing[index].boundaries.contains { $0 == (number, crossing.boundary) }
    require(.fadedBoundariesOnce, isNew, "\(crossing.boundary) again, observer \(number)")
    fades.outgoing[index].boundaries.append((number, crossing.boundary))
    return true
  }

  private func checkFadedBoundaries(_ outgoing: CrossfadeRecord.Outgoing) {
    guard !outgoing.isDisturbed, !world.scenario.behaviour.slowObservers, now - progress.disturbed > 15_000_000_000
    else { return }
    for number in outgoing.observers {
      guard let record = observers.first(where: { $0.number == number }) else { continue }
      for time in record.action.boundaries(outgoing.whole).sorted()
      where time > outgoing.position + .milliseconds(100) && time < outgoing.duration - .milliseconds(1) {
        let isReported = outgoing.boundaries.contains {
          $0.observer == number && abs(($0.time - time).wholeNanoseconds) < 1_000_000
        }
        require(.fadedBoundariesOnce, isReported, "\(time) is not reported, observer \(number)")
      }
    }
  }

  // MARK: After each event

  func checkCrossfade(_ after: PlayerInspection) {
    require(.outgoingIsHeard, fades.unexplainedCut == nil, "\(fades.unexplainedCut ?? "") is cut")
    checkPrepared(after)
    checkEntry(after)
    checkAlbum(after)
    let model = world.model
    let others = model.others
    guard !others.isEmpty || !fades.outgoing.isEmpty else { return }
    let skip = model.leaving == nil ? 0 : 1
    require(.openStreamsBounded, others.count <= 1 + skip, "\(others.map(\.role)) beside the loaded one")
    checkOutgoing(after)
    if model.leaving != nil, now - progress.disturbed > 15_000_000_000 {
      require(.overlapIsNotTooLoud, model.loudness < 1.02, "the sum is \(model.loudness)")
    }
  }

  private func checkPrepared(_ after: PlayerInspection) {
    require(
      .preparedHasReason, after.preparedStream == fades.prepared?.stream,
      "\(fades.prepared?.stream ?? 0) is open, \(after.preparedStream ?? 0) is known")
    guard let prepared = fades.prepared else { return }
    let seen = after.snapshot
    require(.preparedHasReason, after.follower?.uri == prepared.uri, "\(prepared.uri) does not follow")
    require(
      .preparedHasReason,
      after.isReady && !after.isSeeking && seen.transport != .stopped && seen.rate == 1 && seen.loop != .track
        && mayOverlap(after) && seen.actionAtItemEnd == .advance,
      "\(seen.transport), rate \(seen.rate), \(seen.loop), \(seen.actionAtItemEnd)")
  }

  private func checkEntry(_ after: PlayerInspection) {
    if let outgoing = after.outgoingStream {
      require(.enteredIsCurrent, after.stream == fades.entered, "\(after.stream) instead of \(fades.entered ?? 0)")
      require(.enteredIsCurrent, outgoing < after.stream, "\(outgoing) fades out")
    }
    guard fades.isEntering else { return }
    fades.isEntering = false
    guard !world.scenario.behaviour.slowObservers, after.stream == fades.entered else { return }
    let changes = events.count { if case .currentItemChanged = $0 { true } else { false } }
    let jumps = events.count { if case .timeJumped = $0 { true } else { false } }
    require(
      .entryIsOneChange, changes == 1 && jumps == 0 && events.contains(.changed), "\(events.map(\.brief))")
    require(.entryIsOneChange, after.snapshot.position < .milliseconds(1_100), "at \(after.snapshot.position)")
    let album = after.snapshot.currentItem.flatMap { world.player.media(of: $0) }?.album
    require(
      .entryIsOneChange, after.snapshot.metadata.album == album.map { "album \($0)" },
      "the album is \(after.snapshot.metadata.album ?? "nil")")
  }

  /// Checks that items of one album follow gaplessly.
  private func checkAlbum(_ after: PlayerInspection) {
    guard !events.isEmpty, !isCommand, !world.scenario.behaviour.slowObservers, after.crossfade.length > .zero,
      world.scenario.behaviour.aboutToFinish ?? 0 >= 1_000, now - fades.commanded > 60_000_000_000,
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
        .albumsFollowGaplessly, fades.lastOffers.contains(after.stream), "\(new.uri) is loaded after \(old.uri)")
    }
  }

  /// Checks that the item that fades out ends.
  private func checkOutgoing(_ after: PlayerInspection) {
    let time = before?.isAdvancing == true ? now - position.checked : 0
    for index in fades.outgoing.indices {
      fades.outgoing[index].played += time
      let outgoing = fades.outgoing[index]
      let rest = outgoing.duration - outgoing.position
      require(
        .outgoingEnds,
        Duration.nanoseconds(outgoing.played) < max(rest, .zero) + .seconds(15) || outgoing.isDisturbed
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
