/// Limits the time of playback without progress, while the output runs and has nothing left to play.
///
/// The data of an item may stop without an end and without an error, for example where `avdemux_dsf` reads the end of a
/// truncated file again and again. The engine reports when all decoded data has reached the output, so no timer fires
/// while an item plays, except beyond its stated duration. Two measurements decide, because the process may not have run
/// for some time.
extension PlaybackMachine {
  /// Whether a position that does not advance is judged here.
  ///
  /// Waits for data and for a successor have separate limits, but a gap lies in data that has arrived.
  private var mayStandStill: Bool {
    guard isRunning, timebase.isRunning, !loaded.isSeeking else { return false }
    return loaded.standstill.gap != nil
      || !loaded.isLive && loaded.ended == nil && !watchesArrival && loaded.sourceFailure == nil
  }

  /// The end of the data at the output, or before a gap, in time of the item; nil if more is decoded, or is to arrive.
  private var playedData: Duration? {
    if let gap = loaded.standstill.gap { return itemTime(gap.start, of: token) }
    let buffer = loaded.buffer
    let waits = queue.current?.isLocal == false && buffer.progress.isQueueEmpty && !loaded.isRead
    return waits ? nil : itemTime(loaded.standstill.dataEnd, of: token)
  }

  /// The position at which playback ends as far as is known.
  private var expectedEnd: Duration? {
    playedData.lesser(current.details.duration.map { max($0, loaded.standstill.beyond) })
  }

  /// The instant of the next check whether playback makes progress; nil while it does.
  var standstillDeadline: MonotonicTime? {
    guard mayStandStill else { return nil }
    let standstill = loaded.standstill
    if let doubt = standstill.doubt { return doubt }
    if let measurement = standstill.measurement { return measurement.instant + Standstill.interval }
    // A stream that is decoded to its end only has to end.
    let isEnding = loaded.isRead
    guard let end = expectedEnd else { return isEnding ? standstill.since + configuration.loadTimeout : nil }
    let reached = standstill.reached ?? timebase.anchor.instant(reaching: end, from: timebase.anchor.instant)
    let limit = isEnding ? configuration.pipelineTimeout : configuration.loadTimeout
    return reached.map { max($0, standstill.since) + limit }
  }

  /// Handles that all decoded data of a stream has reached the output.
  mutating func ranOut(_ stream: StreamToken, _ progress: StreamProgress, now: MonotonicTime) {
    loaded.successors.update(stream) { $0.progress = progress }
    guard stream == token else { return }
    follow(progress, of: stream)
    loaded.standstill.note(progress, now: now)
  }

  /// Performs a check that is due; returns whether the item has ended or failed.
  mutating func passStandstill(now: MonotonicTime) -> Bool {
    guard let due = standstillDeadline, due <= now else { return false }
    if loaded.standstill.doubt != nil {
      standsStill(at: min(playedData ?? position(at: now), position(at: now)), now: now)
      return true
    }
    // A check that is late shows that the process did not run for some time.
    guard due + Standstill.interval >= now else {
      loaded.standstill.begin(at: now)
      return false
    }
    loaded.standstill.doubt = now + Standstill.interval
    perform(.samplePosition(of: token))
    return false
  }

  /// Evaluates a measured position of the item; returns whether the item has ended or failed.
  mutating func followStandstill(at measured: Duration, _ progress: StreamProgress, now: MonotonicTime) -> Bool {
    let isRequested = loaded.standstill.doubt.take() != nil
    loaded.standstill.note(progress, now: now)
    if let gap = loaded.standstill.gap, let last = itemTime(max(gap.start, gap.end), of: token),
      measured > last + Self.endTolerance
    {
      loaded.standstill.passGap()
    }
    guard mayStandStill, let end = expectedEnd else {
      // The duration may have become unknown since the first measurement.
      if isRequested { loaded.standstill.begin(at: now) }
      return false
    }
    let isAtEnd = measured + Self.endTolerance >= end
    // The position runs on in a gap, so its start may have been reached long before.
    let gone = loaded.standstill.gap == nil ? .zero : max(.zero, (measured - end) / timebase.anchor.rate)
    loaded.standstill.reached = isAtEnd ? loaded.standstill.reached ?? now + (.zero - gone) : nil
    guard isRequested else { return false }
    let isInGap = loaded.standstill.gap != nil && playedData.map { measured + Self.endTolerance >= $0 } ?? false
    if let measurement = loaded.standstill.measurement {
      if isInGap || measurement.position == measured && isAtEnd {
        standsStill(at: measured, now: now)
        return true
      }
      loaded.standstill.begin(at: now)
      // The media is longer than stated.
      if isAtEnd { loaded.standstill.beyond = measured }
    } else {
      loaded.standstill.measurement = Standstill.Measurement(position: measured, instant: now)
    }
    return false
  }

  /// Ends the current item if its data has been played, and otherwise fails it.
  private mutating func standsStill(at end: Duration, now: MonotonicTime) {
    // Data that was read beyond a gap has not been played.
    let isRead = loaded.isRead && loaded.standstill.gap == nil
    let isPlayed = current.details.duration.map { $0 - end < Self.endTolerance } ?? false
    let shown = position(at: now)
    // The position that is shown has advanced without the output.
    if PositionAnchor.isJump(from: shown, to: end) { emitTimeJump(from: shown, to: end) }
    // Readers see no small step back.
    let isNear = shown > end && shown - end < Self.endTolerance
    timebase.stand(at: isNear ? shown : end)
    if isRead || isPlayed {
      // The engine does not report the end, so no successor would begin.
      loaded.successors = []
      return ended(token, at: loaded.standstill.dataEnd, now: now)
    }
    fail(loaded.sourceFailure ?? gapFailure ?? noProgress("and the media has not ended"), now: now)
  }

  /// The failure of an item whose data before a gap has been played; nil without a gap.
  var gapFailure: PlayerError? {
    loaded.standstill.gap.map { _ in noProgress("because the time stamps of the media jump") }
  }

  private func noProgress(_ reason: String) -> PlayerError {
    PlayerError(code: .noProgress, message: "no audio follows for \(configuration.loadTimeout), \(reason)")
  }
}
