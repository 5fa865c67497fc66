import Playback

/// The record of the requested state.
struct TransportRecord {
  /// Whether the sound server has paused playback, and no command of the script has played or paused since.
  var isInterrupted = false
  /// Whether the server has ended the interruption since the last check.
  var mayResume = false
}

extension Checker {
  /// Notes that a user or a client has requested what happens now.
  func noteCommand() {
    isCommand = true
    fades.commanded = now
    world.model.overlap?.isCommanded = true
  }

  /// Notes a request of the sound server.
  func noteRequest(_ event: EngineEvent) {
    switch event {
    case .output(.pauseRequested):
      if world.player.internals.snapshot.transport == .playing { transport.isInterrupted = true }
    // The music must not continue at another device.
    case .output(.removed) where world.scenario.settings.pausesOnRemoval: transport.isInterrupted = false
    case .output(.resumeRequested): (transport.mayResume, transport.isInterrupted) = (transport.isInterrupted, false)
    default: break
    }
  }

  /// Carries out a step, and checks the conditions that must hold when the call returns.
  func perform(_ action: Action) {
    if action.isOfBus { return world.service?.perform(action) ?? () }
    if action.isFault {
      world.noteFault(until: now)
      if !action.isEndOfProcess { (processes.otherFault, processes.heard) = (now, nil) }
      world.inflict(action)
      progress.measured = nil
      progress.last = now
      return
    }
    noteCommand()
    let before = world.player.internals
    let queue = world.player.items
    let eventCount = events.count
    world.player.perform(action)
    switch action {
    case .play, .playImmediately, .playItem, .playAt, .pause, .stop, .load, .prepare: transport.isInterrupted = false
    default: break
    }
    let after = world.player.internals
    checkTransportCommand(action, before.snapshot, after.snapshot)
    checkSeekCommand(action, before, after)
    checkSetting(action, after.snapshot)
    checkEdit(action, before.snapshot, after.snapshot, queue)
    if action == .shuffleAlbums, before.snapshot.shuffleMode != .albums { checkAlbums(queue) }
    if isRepeated(action, before.snapshot) {
      world.settle()
      // The published anchor may have become inaccurate in the meantime.
      let isAnchor = before.snapshot.anchor != after.snapshot.anchor
      // The loaded range of a stream is announced every 250 ms, by the next decision.
      let isRange = before.snapshot.loadedTimeRanges != after.snapshot.loadedTimeRanges
      // After a suspension, the same decision may find that playback has reached the end of a repeated part, or a chapter.
      let isPart = world.player.internals.isSeeking && !before.isSeeking
      let isChapter = events.dropFirst(eventCount).contains { if case .chapterChanged = $0 { true } else { false } }
      require(
        .noEmptyChange,
        events.count == eventCount || isAnchor || isRange || isPart || isChapter
          || world.scenario.behaviour.slowObservers,
        "\(action) reports \(events.last?.brief ?? "")")
    }
  }

  private func checkTransportCommand(_ action: Action, _ before: Player.Snapshot, _ after: Player.Snapshot) {
    let expected: Player.Transport?
    switch action {
    case .play: expected = before.itemCount == 0 ? before.transport : .playing
    case .playImmediately(let rate): expected = before.itemCount == 0 || rate <= 0 ? before.transport : .playing
    case .playItem, .playAt: expected = before.itemCount == 0 ? before.transport : .playing
    case .pause: expected = before.transport == .playing ? .paused : before.transport
    case .load, .prepare: expected = before.transport == .stopped && before.itemCount > 0 ? .paused : before.transport
    case .stop, .removeAll: expected = .stopped
    case .next, .previous, .seek, .seekToFraction, .seekFromEnd, .seekAwaited, .cancelSeeks, .read, .setRate,
      .setVolume,
      .setMuted,
      .setCrossfade, .setLowPower,
      .setDefaultRate, .setWaits, .setOutput, .selectTrack, .insert, .append, .insertAtStart, .insertClips, .move,
      .setShuffled, .shuffleAlbums:
      expected = before.transport
    default: expected = nil
    }
    if let expected {
      require(.newestCommandWins, after.transport == expected, "\(action) leads to \(after.transport)")
    }
    switch action {
    case .next:
      let hasMoved = before.currentItem?.id != after.currentItem?.id || after.itemCount == 1 && after.loop == .playlist
      require(.neighboursExist, hasMoved == before.hasNext, "next, hasNext is \(before.hasNext)")
    case .previous:
      let hasMoved = before.currentItem?.id != after.currentItem?.id || after.itemCount == 1 && after.loop == .playlist
      require(.neighboursExist, hasMoved == before.hasPrevious, "previous, hasPrevious is \(before.hasPrevious)")
    default: break
    }
  }

  private func checkSetting(_ action: Action, _ after: Player.Snapshot) {
    let isRight: Bool
    switch action {
    case .setVolume(let volume): isRight = after.volume == min(10, max(0, Double(volume) / 100))
    case .setMuted(let isMuted): isRight = after.isMuted == isMuted
    case .setRate(let rate): isRight = rate <= 0 || after.rate == min(4, max(0.25, Double(rate) / 100))
    case .setLoop(let mode): isRight = after.loop == Player.LoopMode.allCases[mode % 3]
    case .setShuffled(let isShuffled): isRight = after.isShuffled == isShuffled
    case .shuffleAlbums: isRight = after.shuffleMode == .albums
    case .setActionAtItemEnd(let choice): isRight = after.actionAtItemEnd == Player.ActionAtItemEnd.allCases[choice % 4]
    case .setWaits(let waits): isRight = after.automaticallyWaitsToMinimizeStalling == waits
    case .setOutput(let number): isRight = after.audioOutput?.id == (number == 0 ? nil : "output-\(number)")
    default: isRight = true
    }
    require(.settingReadBack, isRight, "\(action)")
    require(.settingReadBack, Player.rateRange.contains(after.rate), "rate \(after.rate)")
    require(.settingReadBack, Player.volumeRange.contains(after.volume), "volume \(after.volume)")
  }

  /// Whether a step sets a value that is set already.
  private func isRepeated(_ action: Action, _ before: Player.Snapshot) -> Bool {
    switch action {
    case .setVolume(let volume): before.volume == min(10, max(0, Double(volume) / 100))
    case .setMuted(let isMuted): before.isMuted == isMuted
    case .setRate(let rate): before.rate == min(4, max(0.25, Double(rate) / 100))
    case .setLoop(let mode): before.loop == Player.LoopMode.allCases[mode % 3]
    case .setShuffled(let isShuffled): before.isShuffled == isShuffled
    case .shuffleAlbums: before.shuffleMode == .albums
    case .setWaits(let waits): before.automaticallyWaitsToMinimizeStalling == waits
    case .stop: before.transport == .stopped
    case .pause(let fading): before.transport != .playing && fading
    default: false
    }
  }

  private func checkEdit(_ action: Action, _ before: Player.Snapshot, _ after: Player.Snapshot, _ queue: [Player.Item])
  {
    switch action {
    case .append, .insert, .insertAtStart, .insertAgain, .insertClips, .move, .setShuffled, .shuffleAlbums, .setLoop,
      .setVolume,
      .setMuted, .setWaits,
      .setRate, .pause, .stop, .seek, .seekToFraction, .seekFromEnd, .seekAwaited:
      if before.itemCount > 0 {
        require(
          .editKeepsCurrent, before.currentItem?.id == after.currentItem?.id || action.mayFinishHeldItem, "\(action)")
      }
    case .remove(let place):
      guard !queue.isEmpty else { return }
      let removed = queue[((place % queue.count) + queue.count) % queue.count]
      let isKept = removed.id != before.currentItem?.id
      require(.editKeepsCurrent, !isKept || before.currentItem?.id == after.currentItem?.id, "\(action)")
      require(.editKeepsCurrent, after.itemCount == queue.count - 1, "\(after.itemCount) of \(queue.count) remain")
    default: break
    }
  }

  /// Checks an order of albums that was just made.
  private func checkAlbums(_ queue: [Player.Item]) {
    let folders = queue.map { $0.uri.split(separator: "/").dropLast().joined(separator: "/") }
    let tags = queue.map { world.player.media(of: $0)?.album }
    let albums = queue.indices.map { index in
      let known = queue.indices.filter { folders[$0] == folders[index] && tags[$0] != nil }
      let tag = (known.last { $0 <= index } ?? known.first).flatMap { tags[$0] }
      return "\(folders[index]) \(tag ?? -1)"
    }
    let order = world.player.playOrder ?? []
    for (old, new) in zip(order, order.dropFirst()) where queue.indices.contains(old) && queue.indices.contains(new) {
      let isFirst = albums.firstIndex(of: albums[new]) == new
      let isNext = albums[new] == albums[old] && !albums[old..<max(old, new)].dropFirst().contains(albums[new])
      require(.albumsStayTogether, isFirst || isNext && new > old, "\(new) follows \(old)")
    }
  }

  // MARK: The state after each event

  func checkTransport(_ after: PlayerInternals) {
    let seen = after.snapshot
    require(
      .statusFollowsTransport, seen.transport == .playing || seen.timeControlStatus == .paused,
      "\(seen.transport), \(seen.timeControlStatus)")
    if let before, !isCommand { checkOwnChange(before, after) }
    transport.mayResume = false
    checkReported(after)
    checkOutputState(after)
  }

  private func checkOwnChange(_ before: PlayerInternals, _ after: PlayerInternals) {
    guard before.snapshot.transport != after.snapshot.transport else { return }
    require(
      .transportNeedsCommand,
      after.snapshot.transport != .playing || transport.mayResume && before.snapshot.transport == .paused,
      "playing after \(before.snapshot.transport) without a command")
    if after.snapshot.transport == .playing { return }
    let hasEnded = events.contains { event in
      switch event {
      case .itemDidPlayToEnd, .queueEnded, .itemFailed, .playbackStalled, .warning: true
      default: false
      }
    }
    require(
      .transportNeedsCommand, hasEnded || world.scenario.behaviour.slowObservers,
      "\(after.snapshot.transport) after \(before.snapshot.transport) without a reason")
  }

  private func checkReported(_ after: PlayerInternals) {
    guard let before, !world.scenario.behaviour.slowObservers, !events.contains(where: \.isChanged) else { return }
    var changes: [String] = []
    if before.snapshot.transport != after.snapshot.transport { changes.append("transport") }
    if before.snapshot.timeControlStatus != after.snapshot.timeControlStatus { changes.append("status") }
    if before.snapshot.currentItem?.id != after.snapshot.currentItem?.id { changes.append("current item") }
    if before.snapshot.queueRevision != after.snapshot.queueRevision { changes.append("queue") }
    if before.snapshot.detailsRevision != after.snapshot.detailsRevision { changes.append("details") }
    if before.snapshot.itemStatus != after.snapshot.itemStatus { changes.append("item status") }
    if before.snapshot.rate != after.snapshot.rate { changes.append("rate") }
    if before.snapshot.defaultRate != after.snapshot.defaultRate { changes.append("default rate") }
    if before.snapshot.volume != after.snapshot.volume || before.snapshot.isMuted != after.snapshot.isMuted {
      changes.append("volume")
    }
    if before.snapshot.loop != after.snapshot.loop || before.snapshot.shuffleMode != after.snapshot.shuffleMode {
      changes.append("modes")
    }
    if before.snapshot.hasNext != after.snapshot.hasNext || before.snapshot.hasPrevious != after.snapshot.hasPrevious {
      changes.append("neighbours")
    }
    if before.snapshot.actionAtItemEnd != after.snapshot.actionAtItemEnd { changes.append("action at the end") }
    if before.snapshot.isSeekable != after.snapshot.isSeekable { changes.append("seekable") }
    if before.snapshot.outputStatus != after.snapshot.outputStatus { changes.append("output status") }
    if before.snapshot.audioOutput != after.snapshot.audioOutput { changes.append("output") }
    if before.snapshot.bufferingPercent != after.snapshot.bufferingPercent { changes.append("buffering") }
    if before.snapshot.audioTrackIndex != after.snapshot.audioTrackIndex, after.isReady {
      changes.append("audio track")
    }
    if before.snapshot.loopCount != after.snapshot.loopCount { changes.append("loop count") }
    if before.snapshot.lastError != after.snapshot.lastError { changes.append("last error") }
    if before.snapshot.isSettled != after.snapshot.isSettled { changes.append("settled") }
    require(.changeIsReported, changes.isEmpty, "\(changes) without an event")
  }

  private func checkOutputState(_ after: PlayerInternals) {
    let (model, output) = (world.model, world.model.output)
    guard model.isCalm else { return }
    let seen = after.snapshot
    switch seen.transport {
    case .stopped:
      let isUnloaded = model.decks.isEmpty && output.plan.isEmpty
      require(.stoppedIsUnloaded, isUnloaded || after.isFading, "\(model.decks.count) streams are open")
    case .paused: require(.pausedIsSilent, !output.isRunning || after.isFading, "the output runs")
    case .playing:
      guard seen.timeControlStatus == .playing, let deck = output.current?.deck, deck.media.fault == .none else {
        return
      }
      require(.playingIsAudible, output.isRunning || now < model.outputDownUntil, "the output is paused")
    }
  }
}

extension Action {
  /// Whether the step may carry out the action at the end of an item that is held there.
  fileprivate var mayFinishHeldItem: Bool {
    if case .setLoop = self { true } else { false }
  }
}
