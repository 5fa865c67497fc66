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
  var status = Player.ItemStatus.unknown
  var isSeekable = false
  /// The titles of a radio station, in the order in which they become audible.
  var titles: [StreamTitle] = []
  /// The ID3 tags of the stream that were read since the last seek, in order of time.
  var tags: [TimedTag] = []
  /// The URI after redirects; nil if there were none.
  var redirectedURI: String?
  /// The number of times that the item has followed itself.
  var loopCount = 0
  /// Whether the item followed another gaplessly and its tags have not arrived; they follow shortly after its first
  /// sample.
  var awaitsTags = false
  /// Whether an empty buffer or a lost output has interrupted playback; if so, the resumption is reported.
  var isStalled = false
  /// Whether the item was loaded again because it did not start.
  var hasStartedAgain = false
  /// The attempts to reconnect to a lost broadcast; kept after they succeed.
  var reconnection: Reconnection?
  /// The successors that failed before their first sample: they are not offered again, and fail when they become
  /// current.
  var rejectedSuccessors: Set<Player.Item.ID> = []

  /// Resets the state for opening the item again from its start; the facts about its media are kept.
  mutating func openAgain() {
    self = CurrentItem(
      details: details, correction: correction, silence: silence, audio: audio, isSeekable: isSeekable,
      loopCount: loopCount)
  }

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
