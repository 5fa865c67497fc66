/// Compares the duration with the samples, and estimated positions with the duration.
///
/// The duration of media may be wrong: the header of the first of several joined files describes that file alone, and
/// the last playlist of a broadcast only its last segments. Samples beyond the duration show that.
extension PlaybackMachine {
  /// The time before and after the duration at which the samples are compared with it; decoding is ahead by more.
  private static let checkDistance = Duration.milliseconds(500)

  /// The instant of the next comparison; nil if none is needed.
  ///
  /// If the samples have not passed the duration shortly after it, an end is on its way. A part that ends by the clock is
  /// measured before its end, because the output may have stood; the samples after the end belong to the next part.
  var durationCheck: MonotonicTime? {
    guard isRunning, timebase.isRunning, !loaded.isSeeking, !loaded.isLive, loaded.sourceFailure == nil,
      let duration = current.details.duration
    else { return nil }
    let target: Duration
    switch checks(of: duration) {
    case 0 where queue.current?.end == nil || clipEndInstant != nil: target = duration - Self.checkDistance
    case 1 where queue.current?.end == nil: target = duration + Self.checkDistance
    default: return nil
    }
    return timebase.anchor.outputInstant(reaching: target)
  }

  private func checks(of duration: Duration) -> Int {
    loaded.check?.duration == duration ? loaded.check?.count ?? 0 : 0
  }

  /// Requests a measurement, to compare its progress with the duration.
  mutating func checkDuration() {
    guard let duration = current.details.duration else { return }
    loaded.check = LoadedStream.DurationCheck(duration: duration, count: checks(of: duration) + 1)
    perform(.samplePosition(of: token))
  }

  /// Corrects the duration if samples lie beyond it; `measured` is the position of the output.
  ///
  /// The new duration is estimated from the bytes, and never shorter than the decoded part. If they are not counted, it is the end of the decoded samples the
  /// first time, and unknown if more follow.
  mutating func correctDuration(reached measured: Duration) {
    guard let duration = current.details.duration, queue.current?.end == nil, !loaded.isEstimated else { return }
    let reached = max(measured, decodedEnd)
    guard reached > duration + Self.endTolerance else { return }
    let estimate = loaded.buffer.progress.estimatedEnd().map { max(reached, itemTime($0)) }
    let found = estimate ?? (current.correction == nil ? reached : nil)
    loaded.media = found.map { $0 + (queue.current?.start ?? .zero) }
    current.correctDuration(to: found)
  }

  /// Forgets the duration that the media claims if another one was found before.
  mutating func keepCorrection(of claimed: Duration?) {
    guard claimed != nil, claimed != current.details.duration, queue.current?.end == nil else { return }
    loaded.media = current.details.duration.map { $0 + (queue.current?.start ?? .zero) }
  }

  /// Whether the current item has already been played beyond a duration that its media claims.
  func isTooShort(_ media: Duration?, now: MonotonicTime) -> Bool {
    guard let media, phase.isReady, !loaded.isSeeking, !loaded.isEstimated else { return false }
    return max(timebase.position(at: now), decodedEnd) > itemTime(media) + Self.endTolerance
  }

  /// Corrects an estimated position so that the item ends at its duration, when the rest of the data shows the error.
  ///
  /// The time of the rest is itself an estimate, which becomes exact towards the end. The first blocks after a seek say
  /// little, because they also contain data before the target.
  mutating func correctEstimate(at media: Duration) {
    guard loaded.isEstimated, let duration = current.details.duration,
      let end = loaded.buffer.progress.estimatedEnd(from: .seconds(5))
    else { return }
    let error = duration - itemTime(end)
    let uncertainty = max(.zero, end - media) / 4
    if error.magnitude >= max(PositionAnchor.tolerance, uncertainty) { loaded.offset += error }
  }
}
