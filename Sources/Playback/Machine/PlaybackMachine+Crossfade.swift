/// Decides whether the end of the current item overlaps with the start of the next one, and where.
///
/// The next item is opened some seconds before. Its media then decides: items of one album follow gaplessly, and an item that is
/// not ready in time follows gaplessly too. The rule is applied after each decision, as long as the next item is not audible.
extension PlaybackMachine {
  /// The time in which an item is to become ready for an overlap.
  static func preparation(of item: Player.Item) -> Duration { item.isLocal ? .seconds(4) : .seconds(12) }

  /// The least part of that time for an item that is opened late, after a seek towards the end or in a short item.
  static func shortPreparation(of item: Player.Item) -> Duration {
    item.isLocal ? .milliseconds(500) : .seconds(4)
  }

  /// The shortest overlap that remains of a longer one after a late decision.
  static let shortest = Duration.seconds(1)

  /// The time before an overlap in which the engine needs its times.
  static let lead = Duration.milliseconds(500)

  /// The position at which the current item ends if another one follows: where the silence at its end begins, if that is
  /// skipped, and otherwise its duration; nil while unknown.
  var followedEnd: Duration? {
    current.details.duration.map { duration in
      queue.current?.end == nil ? min(duration, current.silence ?? duration) : duration
    }
  }

  /// Whether the end of the current item may overlap with the start of the next one, as far as is known before that is
  /// opened.
  func crossfades(to next: Player.Item) -> Bool {
    guard let item = queue.current, let end = followedEnd else { return false }
    return (settings.crossfade.length > .zero || end != current.details.duration) && !settings.isCrossfadeSuspended
      && loaded.sourceFailure == nil && loaded.ended == nil && !loaded.isLive && !isStation
      && current.details.chapters.isEmpty && isLongEnough(end) && next.id != item.id
      && (next.uri != item.uri || !next.isClip && !item.isClip) && item.isWithin(media: loaded.media)
  }

  /// Whether an item is long enough for overlaps at both of its ends, and not so long that it resumes where it was left.
  private func isLongEnough(_ duration: Duration) -> Bool {
    let length = settings.crossfade.length * settings.rate
    return duration >= length + length && duration < .longItem
  }

  /// Decides how the first successor begins.
  mutating func updateOverlap(now: MonotonicTime) {
    // After the end of the current item, nothing is to be decided.
    guard loaded.ended == nil, let next = loaded.successors.first else { return }
    let overlap = overlap(with: next, now: now)
    if overlap != next.overlap { loaded.successors[0].overlap = overlap }
  }

  private func overlap(with next: Successor, now: MonotonicTime) -> Successor.Overlap? {
    let details = next.state.details
    // The output has one speed.
    guard let end = followedEnd, crossfades(to: next.item), !next.isLive, details.chapters.isEmpty,
      rate(isSeekable: next.state.isSeekable) == loaded.rate,
      next.item.isWithin(media: next.media), details.duration.map(isLongEnough) ?? false, !isOneAlbum(with: next)
    else { return nil }
    if let overlap = next.overlap, overlap.end == end { return overlap }
    guard next.isSettled, next.queued ?? 100 == 100 else { return nil }
    let length = settings.crossfade.length * loaded.rate
    let start = max(end - length, position(at: now) + Self.lead * loaded.rate)
    guard end - start >= min(length, Self.shortest * loaded.rate) else { return nil }
    return Successor.Overlap(start: start, end: end)
  }

  /// Whether the next item may be of the album of the current one: the same folder and the same album tag.
  ///
  /// Without any tags of the next item, the tag is not known.
  private func isOneAlbum(with next: Successor) -> Bool {
    guard let album = current.details.metadata.album, let item = queue.current, item.folder == next.item.folder else {
      return false
    }
    let metadata = next.state.details.metadata
    return metadata == MediaMetadata() || metadata.album == album
  }

  /// Handles that the last sample of the previous item has been played, that its stream has failed, or that a command ends the
  /// overlap at once.
  mutating func outgoingEnded() {
    guard let outgoing = outgoing.take() else { return }
    emit(.itemDidPlayToEnd(outgoing.item))
  }

  // MARK: Ends that are not reported

  /// The instant at which a stream that has faded out is closed, although the engine has not reported its end; nil if none
  /// fades out, or while it stands.
  var fadingDeadline: MonotonicTime? { outgoingDeadline.lesser(skipped?.deadline) }

  private var outgoingDeadline: MonotonicTime? { outgoing?.end.map { $0 + configuration.pipelineTimeout } }

  /// Closes streams that have faded out without a report of their end: a stream that hangs never delivers its last
  /// sample.
  mutating func passFading(now: MonotonicTime) {
    if let deadline = outgoingDeadline, deadline <= now { outgoingEnded() }
    if let deadline = skipped?.deadline, deadline <= now { skipped = nil }
  }

  // MARK: Commands

  /// Fades the current item out while a command selects another one.
  mutating func fadeAtSkip(now: MonotonicTime) {
    let length = settings.crossfade.skipLength
    guard length > .zero, intent == .playing, isAudible else { return }
    outgoingEnded()
    let shape = CrossfadeShape(length: length, curve: settings.crossfade.curve)
    var part = currentPart
    part.fadeOut = shape
    skipped = SkippedStream(part: part, shape: shape, deadline: now + length + configuration.pipelineTimeout)
    phase = .none
  }

  /// Sets the crossfades.
  mutating func setCrossfade(_ new: Player.Crossfade) {
    guard new != settings.crossfade else { return }
    settings.crossfade = new
    if phase.isLoaded { decideOverlapsAgain() }
  }

  /// Forgets the overlaps, which are then decided again at the end of the decision.
  mutating func decideOverlapsAgain() {
    for index in loaded.successors.indices { loaded.successors[index].overlap = nil }
  }
}
