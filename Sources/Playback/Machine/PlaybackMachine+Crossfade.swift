/// Decides which items crossfade, and when; see ``CrossfadePhase``.
///
/// The next item is opened beside the current one some seconds before its fade-in. What its media shows then decides: items
/// of one album follow gaplessly, and so does an item that is not ready in time. It becomes current with its first sample;
/// the end of the item before is reported when its last sample has been played.
extension PlaybackMachine {
  /// The time in which an item is to become ready, before the engine must have the times of the crossfade.
  private static func preparation(of item: Player.Item) -> Duration {
    item.isLocal ? .seconds(4) : .seconds(12)
  }

  /// The least part of that time for an item that is opened late, after a seek towards the end or in a short item.
  private static func shortPreparation(of item: Player.Item) -> Duration {
    item.isLocal ? .milliseconds(500) : .seconds(4)
  }

  /// The shortest crossfade that remains of a longer one after a late decision.
  private static let shortest = Duration.seconds(1)

  /// The delay of the times at which a crossfade still begins as planned; the output may have played on in a pause.
  private static let lateness = Duration.milliseconds(200)

  /// The position at which the current item ends if another one follows: where the silence at its end begins, if that is
  /// skipped, and otherwise its duration; nil while unknown.
  private var followedEnd: Duration? {
    current.details.duration.map { duration in
      queue.current?.end == nil ? min(duration, current.silence ?? duration) : duration
    }
  }

  /// The next item, if the end of the current one may overlap its start, as far as is known before it is opened.
  private var crossfadeFollower: Player.Item? {
    guard let end = followedEnd, settings.crossfade.length > .zero || end != current.details.duration,
      !settings.isCrossfadeSuspended, settings.rate == 1,
      loaded.segment.rate == 1, loaded.gaplessQueue.isEmpty, loaded.sourceFailure == nil, loaded.foundEnd == nil,
      !loaded.isLive, !isStation,
      !loaded.isEstimated, loaded.segment.cut == nil, current.details.chapters.isEmpty,
      isLongEnough(end), let item = queue.current,
      item.end == loaded.segment.end, item.isWithin(media: loaded.media), let next = follower(), next.id != item.id,
      next.start == .zero,
      next.id != current.gaplessFollower, !current.rejectedSuccessors.contains(next.id)
    else { return nil }
    return next
  }

  /// Whether an item is long enough for crossfades at both of its ends, and not so long that it resumes where it was left.
  private func isLongEnough(_ duration: Duration) -> Bool {
    duration >= settings.crossfade.length + settings.crossfade.length && duration < .longItem
  }

  // MARK: The next item

  /// Opens the next item, when that is due.
  private mutating func prepareNext(now: MonotonicTime) {
    guard let next = crossfadeFollower, let end = followedEnd else { return }
    // The output's clock may have drifted since the last measurement by more than the times may be late.
    timebase.sampleBy(now)
    let earliest = timebase.anchor.outputPosition(at: now) + loaded.outputLead + Self.shortPreparation(of: next)
    let start = max(end - settings.crossfade.length, earliest)
    guard end - start >= min(settings.crossfade.length, Self.shortest) else {
      // What remains is too short.
      current.gaplessFollower = next.id
      return
    }
    var successor = GaplessSuccessor(item: next, token: nextToken())
    successor.outputLead = settings.outputLead(for: next)
    successor.cut = endOfClips(from: next, at: 1, media: nil)
    crossfade = .incoming(
      IncomingStream(successor: successor, start: start, end: end, lead: loaded.outputLead))
    shapeVolume(of: next, successor.token)
    perform(.prepare(uri: next.uri, successor.token, headers: next.httpHeaders))
    if let cut = successor.cut { perform(.endStream(successor.token, at: cut)) }
  }

  /// Handles that the stream of the next item is ready.
  mutating func incomingSettled(_ stream: StreamToken, _ facts: StreamFacts) {
    let facts = itemFacts(facts, of: stream)
    crossfade.updateIncoming(stream) {
      ($0.isReady, $0.isLive) = (true, facts.isLive)
      $0.successor.state.details = $0.successor.state.details.with(duration: facts.duration)
      $0.successor.state.isSeekable = facts.isSeekable
    }
  }

  /// Sends the times of the crossfade to the engine, or closes the next item, which then follows gaplessly.
  private mutating func scheduleCrossfade(now: MonotonicTime) {
    guard var incoming = crossfade.incoming, !incoming.isScheduled else { return }
    let earliest = timebase.anchor.outputPosition(at: now) + incoming.lead - Self.lateness
    (incoming.start, incoming.isScheduled) = (max(incoming.start, earliest), true)
    guard incoming.length >= min(settings.crossfade.length, Self.shortest), mayCrossfade(to: incoming) else {
      return playGaplessly(to: incoming)
    }
    crossfade = .incoming(incoming)
    perform(
      .crossfade(
        to: incoming.successor.token, at: incoming.start + (queue.current?.start ?? .zero),
        CrossfadeShape(length: incoming.length, curve: settings.crossfade.curve)))
  }

  /// Closes the next item if its tags or chapters, which arrived late, exclude a crossfade.
  mutating func reviewCrossfade() {
    guard let incoming = crossfade.incoming, incoming.isScheduled, !incoming.hasStarted, !mayCrossfade(to: incoming)
    else { return }
    playGaplessly(to: incoming)
  }

  /// Whether the current item crossfades to the next one, now that it has been opened.
  private func mayCrossfade(to incoming: IncomingStream) -> Bool {
    let (next, details) = (incoming.successor, incoming.successor.state.details)
    return crossfadeFollower?.id == next.item.id && followedEnd == incoming.end && incoming.isReady
      && !incoming.isLive && details.chapters.isEmpty && next.queued ?? 100 == 100
      && next.item.isWithin(media: next.media) && details.duration.map(isLongEnough) ?? false && !isOneAlbum(with: next)
  }

  /// Whether the next item may be of the album of the current one: the same folder and the same album tag.
  ///
  /// Without any tags of the next item, the tag is not known.
  private func isOneAlbum(with next: GaplessSuccessor) -> Bool {
    guard let album = current.details.metadata.album, let item = queue.current, item.folder == next.item.folder else {
      return false
    }
    let metadata = next.state.details.metadata
    return metadata == MediaMetadata() || metadata.album == album
  }

  /// Closes the next item, which follows gaplessly.
  private mutating func playGaplessly(to incoming: IncomingStream) {
    current.gaplessFollower = incoming.successor.item.id
    perform(.release(incoming.successor.token))
    crossfade = .none
  }

  /// Returns whether the current item has no gapless successor, because it crossfades.
  ///
  /// Its data may have been read before the times of the crossfade are due.
  mutating func crossfadesInstead(now: MonotonicTime) -> Bool {
    scheduleCrossfade(now: now)
    return crossfade.isScheduled && crossfade.outgoing == nil
  }

  /// Handles a failure of the stream of the next item, which is reported when the item becomes current.
  ///
  /// An output that plays one stream only fades the current item out, and the next one in.
  mutating func incomingFailed(_ incoming: IncomingStream, _ error: PlayerError) {
    if incoming.hasStarted {
      return crossfade.updateIncoming(incoming.successor.token) { $0.successor.failure = error }
    }
    // The item may have been found to be shorter meanwhile.
    let fades =
      crossfadeFollower?.id == incoming.successor.item.id && followedEnd == incoming.end && incoming.length > .zero
    playGaplessly(to: incoming)
    guard error.code == .output, fades, !incoming.isScheduled, !isOneAlbum(with: incoming.successor) else { return }
    current.gaplessFollower = nil
    let half = incoming.length / 2
    crossfade = .alone
    perform(
      .crossfade(
        to: nil, at: incoming.start + half + (queue.current?.start ?? .zero),
        CrossfadeShape(length: half, curve: settings.crossfade.curve)))
  }

  /// Handles that the stream of the next item starts; it becomes audible after `delay` more of playback.
  mutating func incomingStarted(_ stream: StreamToken, in delay: Duration, _ facts: StreamFacts, now: MonotonicTime) {
    incomingSettled(stream, facts)
    let since = isRunning ? now : nil
    crossfade.updateIncoming(stream) { ($0.successor.remaining, $0.successor.since) = (delay, since) }
    if delay <= .zero { enterIncoming(now: now) }
  }

  /// Makes the next item current, because its first sample is due; the item before fades out.
  mutating func enterIncoming(now: MonotonicTime) {
    guard let incoming = crossfade.incoming, let item = queue.current else { return }
    // The position may be an old measurement, and the output may have stood since then.
    let anchor = PositionAnchor(position: incoming.start, instant: now, rate: 1)
    let outgoing = OutgoingStream(
      item: item, token: token, anchor: timebase.isRunning ? anchor : timebase.anchor, duration: incoming.end)
    endSkipFade(now: now)
    perform(.enter(incoming.successor.token))
    crossfade = .outgoing(outgoing)
    begin(incoming.successor, endsPrevious: false, now: now)
  }

  // MARK: The previous item

  /// Handles that the last sample of the previous item has been played, or that its stream has failed.
  mutating func outgoingEnded() {
    guard let outgoing = crossfade.outgoing else { return }
    crossfade = .none
    emit(.itemDidPlayToEnd(outgoing.item))
  }

  /// Ends a crossfade at once: of two items that are audible, the current one continues alone at its full level.
  mutating func endCrossfade() {
    guard let token = crossfade.token ?? (crossfade.isScheduled ? token : nil) else { return }
    perform(.release(token))
    if crossfade.outgoing != nil { outgoingEnded() } else { crossfade = .none }
  }

  /// Closes the stream of the next item if that is no longer the item that follows.
  mutating func updateCrossfade() {
    guard crossfade.outgoing == nil else { return }
    let next = crossfadeFollower
    if next == nil || crossfade.incoming.map({ $0.successor.item.id != next?.id }) ?? false { endCrossfade() }
  }

  // MARK: Time

  /// The instant of the next step of a crossfade; nil if none is due, or if the pipeline does not run.
  var crossfadeDue: MonotonicTime? {
    guard timebase.isRunning, !loaded.isSeeking else { return nil }
    switch crossfade {
    case .none:
      guard let next = crossfadeFollower, let end = followedEnd else { return nil }
      let lead = loaded.outputLead + Self.preparation(of: next)
      return timebase.anchor.outputInstant(reaching: end - settings.crossfade.length - lead)
    case .incoming(let incoming) where !incoming.isScheduled:
      return timebase.anchor.outputInstant(reaching: incoming.start - incoming.lead)
    case .incoming(let incoming): return incoming.successor.start
    // The engine reports the end.
    case .outgoing(let outgoing): return outgoing.end.map { $0 + configuration.pipelineTimeout }
    case .alone: return nil
    }
  }

  /// Performs a step of a crossfade that is due.
  mutating func passCrossfade(now: MonotonicTime) {
    guard let due = crossfadeDue, due <= now else { return }
    switch crossfade {
    case .none: prepareNext(now: now)
    case .incoming(let incoming) where !incoming.isScheduled: scheduleCrossfade(now: now)
    case .incoming: enterIncoming(now: now)
    case .outgoing: endCrossfade()
    case .alone: break
    }
  }

  /// Fades the current item out while a command selects another one.
  mutating func fadeAtSkip(now: MonotonicTime) {
    let length = settings.crossfade.skipLength
    guard length > .zero, intent == .playing, isAudible else { return }
    endCrossfade()
    perform(.leave(token, CrossfadeShape(length: length, curve: settings.crossfade.curve)))
    skipped = SkippedStream(token: token, end: now + length)
    // The engine has no loaded stream any more.
    phase = .none
  }

  /// Ends the fade-out of a skipped item at once.
  mutating func endSkipFade(now: MonotonicTime) {
    if let skipped, now < skipped.end { perform(.release(skipped.token)) }
    skipped = nil
  }

  /// Handles that a stream is silent from a media time to its end; ignores it if the next item cannot begin there even
  /// when it is opened at once.
  mutating func silenceFound(_ stream: StreamToken, from time: Duration, now: MonotonicTime) {
    guard let silence = itemTime(time, of: stream), silence > .zero, let item = item(of: stream) else { return }
    if stream == token {
      let lead =
        loaded.outputLead + Self.shortPreparation(of: follower() ?? item)
        + min(settings.crossfade.length, Self.shortest)
      guard crossfade.incoming == nil, position(at: now) + lead < silence else { return }
    }
    changeItem(of: stream) { $0.silence = silence }
  }

  /// Sets the crossfades.
  mutating func setCrossfade(_ new: Player.Crossfade) {
    guard new != settings.crossfade else { return }
    change { $0.crossfade = new }
    if crossfade.outgoing == nil { endCrossfade() }
    current.gaplessFollower = nil
  }
}
