/// The state of the current item, or of a successor before it becomes current, apart from its stream.
///
/// Invariants: a value describes one item and is replaced when another item becomes current, so no fact about one item
/// reaches the next. `openAgain()` resets the state of one attempt to play the item, and keeps the facts about its
/// media.
struct CurrentItem: Codable, Sendable {
  var details = ItemDetails.unknown
  /// The duration that was found instead of the one that the media claims; kept when the item is opened again.
  private(set) var correction: DurationCorrection?
  /// The position from which the item is silent to its end, if that is skipped; nil if there is none, or while unknown.
  var silence: Duration?
  var audio = AudioSelection()
  private(set) var status = Player.ItemStatus.unknown
  var isSeekable = false
  /// The titles of a radio station, in the order in which they become audible.
  var titles: [StreamTitle] = []
  /// The ID3 tags of the stream that were read since the last seek, in order of time.
  var tags: [TimedTag] = []
  /// The URI after redirects; nil if there were none.
  var redirectedURI: String?
  /// The number of times that the item has followed itself.
  private(set) var loopCount = 0
  /// Whether the item followed another gaplessly and its tags have not arrived; they follow shortly after its first
  /// sample.
  private(set) var awaitsTags = false
  /// Whether an empty buffer or a lost output has interrupted playback; if so, the resumption is reported.
  private(set) var isStalled = false
  /// Whether the item was loaded again because it did not start.
  private var hasStartedAgain = false
  /// The attempts to reconnect to a lost broadcast; kept after they succeed.
  private(set) var reconnection: Reconnection?
  /// The successors that failed before their first sample: they are not offered again, and fail when they become
  /// current.
  private(set) var rejectedSuccessors: Set<Player.Item.ID> = []

  /// Creates the state of an item about which nothing is known.
  init(isSeekable: Bool = false, loopCount: Int = 0) { (self.isSeekable, self.loopCount) = (isSeekable, loopCount) }

  /// Resets the state for opening the item again from its start; the facts about its media are kept.
  mutating func openAgain() {
    var item = CurrentItem(isSeekable: isSeekable, loopCount: loopCount)
    (item.details, item.correction, item.silence, item.audio) = (details, correction, silence, audio)
    self = item
  }

  // MARK: Playing

  /// Records that the item is ready; nil keeps the known duration.
  mutating func becomeReady(isSeekable: Bool, claimed: Duration?) {
    (status, self.isSeekable) = (.readyToPlay, isSeekable)
    details = details.with(duration: duration(claimed: claimed))
  }

  mutating func fail() { status = .failed }

  /// Counts that the item follows itself, or begins to count if it follows another one.
  mutating func begins(isRepetition: Bool) { loopCount = isRepetition ? loopCount + 1 : 0 }

  /// Begins an item that continues in the same stream.
  mutating func enterClip(duration: Duration?) {
    rejectedSuccessors = []
    details = details.with(duration: duration)
  }

  /// Stops waiting for the tags: they have arrived, or the item is without a title.
  mutating func stopAwaitingTags() { awaitsTags = false }

  /// Does not offer a successor again.
  mutating func reject(_ successor: Player.Item.ID) { rejectedSuccessors.insert(successor) }

  // MARK: Interruptions

  /// Records that playback is interrupted; returns whether it was not before.
  mutating func stall() -> Bool {
    defer { isStalled = true }
    return !isStalled
  }

  /// Records that the item plays; returns whether playback was interrupted.
  mutating func play(at now: MonotonicTime) -> Bool {
    reconnection?.succeed(at: now)
    defer { isStalled = false }
    return isStalled
  }

  /// Records that the engine has started the item, which may be loaded again after a later start.
  mutating func starts() { hasStartedAgain = false }

  /// Records that the item did not start; returns whether it may be loaded again.
  mutating func startsAgain() -> Bool {
    defer { hasStartedAgain = true }
    return !hasStartedAgain
  }

  /// Returns the next attempt to reconnect.
  func reconnection(at now: MonotonicTime) -> Reconnection { reconnection?.next(at: now) ?? Reconnection(at: now) }

  /// Whether the broadcast was lost and has not played again.
  var isReconnecting: Bool { reconnection.map { $0.found == nil } ?? false }

  mutating func reconnects(_ attempt: Reconnection) { reconnection = attempt }

  // MARK: Duration

  /// The duration of media that claims a wrong one.
  struct DurationCorrection: Codable {
    var claimed: Duration
    /// The duration that was found; nil if the media is longer than it claims, by an unknown time.
    var found: Duration?
  }

  /// Sets the duration that was found; nil if only the claimed one is known to be too short.
  mutating func correctDuration(to found: Duration?) {
    let isCorrected = correction.map { $0.found == details.duration } ?? false
    if let claimed = isCorrected ? correction?.claimed : details.duration, claimed != found {
      correction = DurationCorrection(claimed: claimed, found: found)
    }
    details = details.with(duration: found)
  }

  /// Returns the duration of media that claims a duration; nil keeps the known one.
  func duration(claimed: Duration?) -> Duration? {
    if let correction, claimed == correction.claimed { return correction.found }
    return claimed ?? details.duration
  }
}

extension CurrentItem {
  /// Creates the state of a successor that has begun after `previous`.
  ///
  /// A repetition keeps the tags, the selected audio track and a corrected duration, because the media is the same.
  init(_ successor: Successor, isRepetition: Bool, after previous: CurrentItem) {
    self = successor.state
    if isRepetition {
      correction = correction ?? previous.correction
      details = previous.details.with(duration: duration(claimed: details.duration) ?? previous.details.duration)
      audio = audio.keeping(previous.audio.chosen)
    }
    status = .readyToPlay
    loopCount = previous.loopCount
    awaitsTags = !isRepetition && details.metadata.title == nil
  }
}
