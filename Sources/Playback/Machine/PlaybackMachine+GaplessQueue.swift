/// Manages the gapless queue: offers successors, decides when each becomes audible, and changes the current item.
extension PlaybackMachine {
  /// Returns the stream that follows gaplessly after `stream`, which is the current item's or that of its last
  /// successor.
  ///
  /// A streaming thread calls it when the data of `stream` has been read.
  mutating func offerNext(for stream: StreamToken, now: MonotonicTime) -> NextStream? {
    let distance = loaded.gaplessQueue.count + 1
    guard stream == loaded.gaplessQueue.last?.token ?? token, !loaded.gaplessQueue.isClosed, !loaded.isSeeking,
      distance <= GaplessSuccessor.limit, intent != .stopped, settings.rate == 1, loaded.segment.rate == 1,
      let next = follower(distance), !current.rejectedSuccessors.contains(next.id), canBeOffered(next), mayHandOver,
      !crossfadesInstead(now: now)
    else { return nil }
    let successor = nextToken()
    let end = endOfClips(from: next, at: distance, media: nil)
    loaded.gaplessQueue.append(GaplessSuccessor(item: next, token: successor, cut: end))
    loaded.successorExpectedSince = now
    shapeVolume(of: next, successor)
    // A repetition of the same item keeps its audio track.
    let audioTrack = next.id == queue.current?.id ? current.audio.chosen : nil
    return NextStream(
      uri: next.uri, stream: successor, audioTrack: audioTrack, end: end, headers: next.httpHeaders)
  }

  /// Whether the current state allows a successor.
  ///
  /// A short local file may be read to its end before it has prerolled. Too little is known of a network stream then.
  private var mayHandOver: Bool {
    // An item whose source was lost fails at its end.
    if loaded.sourceFailure != nil { return false }
    if let last = loaded.gaplessQueue.last { return last.item.isLocal }
    // An item that starts at an instant seeks, too.
    if scheduledStart != nil, !phase.isReady { return false }
    // An item that is to seek when it has prerolled is read again from the target.
    if loaded.start != nil { return false }
    return phase.isReady && !isStation || queue.current?.isLocal == true
  }

  /// Returns the item at a given distance after the current one that follows without a command; nil if there is none.
  func follower(_ places: Int = 1) -> Player.Item? { advancesByItself ? queue.following(places) : nil }

  /// Withdraws the successors that no longer follow, and updates the ends of the others.
  ///
  /// The stream before a withdrawn successor plays to its last sample and ends.
  mutating func updateGaplessQueue(now: MonotonicTime) {
    updateCrossfade()
    let kept = loaded.gaplessQueue.kept
    if let wrong = kept.indices.first(where: { kept[$0].item.id != follower($0 + 1)?.id }) {
      // Playback has not begun yet.
      guard phase.isReady else { return loadAgain(at: position(at: now), now: now) }
      withdraw(kept[wrong].token, now: now)
    }
    updateStreamEnds()
  }

  /// Withdraws a successor and those after it.
  mutating func withdraw(_ stream: StreamToken, now: MonotonicTime) {
    loaded.gaplessQueue.withdraw(stream)
    loaded.standstill.begin(at: now)
    perform(.withdraw(stream))
  }

  /// Whether the next stream has already reached the output; positions measured now belong to it.
  var isSuccessorAtOutput: Bool { loaded.gaplessQueue.hasFirstStarted }

  /// Changes a successor, if it is one of the current item: a gapless one, or the one of a crossfade.
  mutating func changeSuccessor(_ stream: StreamToken, _ change: (inout GaplessSuccessor) -> Void) {
    if !loaded.gaplessQueue.isEmpty { loaded.gaplessQueue.update(stream, change) }
    crossfade.updateIncoming(stream) { change(&$0.successor) }
  }

  func isHandedOver(_ stream: StreamToken) -> Bool { loaded.gaplessQueue[stream].map { !$0.isWithdrawn } ?? false }

  /// Handles that a successor's stream has reached the output; it becomes audible after `delay` more of playback.
  ///
  /// `previousEnd` is the media time at which the stream before it ended.
  mutating func nextStarted(
    _ stream: StreamToken, in delay: Duration, _ facts: StreamFacts, previousEnd: Duration?, now: MonotonicTime
  ) {
    if let incoming = crossfade.incoming, incoming.successor.token == stream, incoming.isScheduled, !incoming.hasStarted
    {
      return incomingStarted(stream, in: delay, facts, now: now)
    }
    guard let index = loaded.gaplessQueue.index(of: stream), !loaded.gaplessQueue[index].hasStarted else { return }
    let facts = itemFacts(facts, of: stream)
    guard delay <= GaplessSuccessor.latestStart else { return startsTooLate(at: index, previousEnd, now: now) }
    let since = isRunning ? now : nil
    loaded.gaplessQueue.update(stream) {
      $0.state.details = $0.state.details.with(duration: facts.duration ?? $0.state.details.duration)
      $0.state.isSeekable = facts.isSeekable
      $0.progress = facts.progress
      ($0.remaining, $0.since) = (delay, since)
    }
    // A successor without a sample begins and ends at the start of the one after it.
    loaded.gaplessQueue.begin(before: index, in: delay, since: since)
    noteEnd(of: index == 0 ? token : loaded.gaplessQueue[index - 1].token, at: previousEnd)
    if index == 0, delay <= .zero { passIntoNext(now: now) }
  }

  /// Withdraws a successor that would be audible much later than the end of the stream before it, because the time stamps
  /// of that stream are wrong; it is loaded again when the last sample before it has been played.
  private mutating func startsTooLate(at index: Int, _ previousEnd: Duration?, now: MonotonicTime) {
    let (late, before) = (loaded.gaplessQueue[index], index == 0 ? nil : loaded.gaplessQueue[index - 1])
    let gap = before.map(\.progress.gap) ?? loaded.standstill.gap
    let end = itemTime(gap?.start ?? previousEnd, of: before?.token ?? token) ?? .zero
    let played = before == nil ? position(at: now) : .zero
    let rest = (before?.start.map { max(.zero, $0 - now) } ?? before?.remaining ?? .zero) + max(.zero, end - played)
    current.rejectedSuccessors.insert(late.item.id)
    loaded.gaplessQueue.begin(before: index + 1, in: rest, since: isRunning ? now : nil)
    withdraw(late.token, now: now)
    if index == 0, rest <= .zero { passIntoNext(now: now) }
  }

  /// Switches to the stream at the output after the current item, because its first sample is due.
  mutating func passIntoNext(now: MonotonicTime) {
    // If a withdrawn successor had reached the output, loading the next item cuts it off.
    guard loaded.gaplessQueue.first?.isWithdrawn == true else { return switchToNext(now: now) }
    if let failure = loaded.sourceFailure ?? gapFailure { fail(failure, now: now) } else { playedToEnd(now: now) }
  }

  mutating func switchToNext(now: MonotonicTime) {
    if isSuccessorAtOutput { begin(loaded.gaplessQueue.removeFirst(), endsPrevious: true, now: now) }
  }

  /// Makes a successor the current item; the item before has ended, or fades out.
  mutating func begin(_ next: GaplessSuccessor, endsPrevious: Bool, now: MonotonicTime) {
    let old = queue.current
    // A caller may await the start of an item that was not ready, because it has no samples.
    abandonSeeks()
    // After a suspension of the process, only measurements show how much of the item was played.
    let begun = next.start.flatMap { $0 + .seconds(1) < now ? nil : $0 } ?? now
    loaded = LoadedStream(next, after: loaded, timeout: configuration.loadTimeout, now: now)
    skip = SkipPass()
    current = CurrentItem(next, isRepetition: old?.id == next.item.id, after: current)
    let anchor = PositionAnchor(position: .zero, instant: begun, rate: 1)
    timebase.enterItem(with: isRunning ? anchor : PositionAnchor(position: .zero), at: now)
    if let old, endsPrevious { emit(.itemDidPlayToEnd(old)) }
    queue.select(next.item.id)
    entered(next.item, after: old)
    // The pipeline is paused if the stream before it has waited for data.
    reconcile(now: now)
    emit(.changed)
    if let error = next.failure { fail(error, now: now) }
  }

  // MARK: The time limit for a successor that hangs while it is loaded

  /// The next successor, as long as it has not reached the output.
  var awaitedSuccessor: GaplessSuccessor? {
    loaded.gaplessQueue.awaitsFirst ? loaded.gaplessQueue.first : nil
  }

  /// The instant at which the awaited successor is late; nil if there is none, or if the pipeline is not to run.
  ///
  /// The load time-out begins at the end of the current item, if the duration is known. Data that arrives defers it, at most
  /// to twice the time.
  var successorDeadline: MonotonicTime? {
    guard phase.isReady, loaded.isWanted, !loaded.isSeeking, loaded.gaplessQueue.awaitsFirst else { return nil }
    var start = loaded.successorExpectedSince
    if let duration = current.details.duration,
      let end = timebase.anchor.instant(reaching: duration, from: timebase.anchor.instant)
    {
      start = max(start, end)
    }
    let arrival = min(loaded.successorArrival, start + configuration.loadTimeout)
    return max(start, arrival) + configuration.loadTimeout
  }

  /// Gives up the awaited successor; returns whether there was one.
  ///
  /// The successor is not reported as failed: it is loaded again when it becomes current, with its own time-out.
  mutating func giveUpSuccessor(now: MonotonicTime) -> Bool {
    guard let next = awaitedSuccessor else { return false }
    current.rejectedSuccessors.insert(next.item.id)
    if isRunning {
      // The current item ends with its last sample.
      withdraw(next.token, now: now)
    } else {
      // The pipeline waits for the successor before it prerolls or runs.
      loadAgain(at: position(at: now), now: now)
      emit(.changed)
    }
    return true
  }
}
