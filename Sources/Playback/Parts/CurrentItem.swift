/// What is known of the current item, apart from its stream.
///
/// Invariants: a value describes one item, and is replaced when another becomes current; what was found out about one
/// item cannot reach the next. `openAgain()` forgets what belongs to one attempt to play the item, and keeps what is
/// true of its media.
struct CurrentItem: Sendable {
  var details = ItemDetails.unknown
  var audio = AudioSelection()
  var status = Player.ItemStatus.unknown
  var isSeekable = false
  /// The number of times that the item has followed itself.
  var loopCount = 0
  /// The item followed another gaplessly, and its tags arrive shortly after its first sample.
  var awaitsTags = false
  /// Playback was interrupted by an empty buffer or a lost output, and its resumption is reported.
  var isStalled = false
  /// The item was loaded again because it did not start.
  var hasStartedAgain = false
  /// The broadcast was lost, and is searched for or has been found again.
  var reconnection: Reconnection?
  /// Successors that failed before their first sample: they are not offered again, and fail in their turn.
  var unfitSuccessors: Set<PlayerItem.ID> = []

  /// The item is opened again from its start; what its media said is still true.
  mutating func openAgain() {
    self = CurrentItem(details: details, audio: audio, isSeekable: isSeekable, loopCount: loopCount)
  }
}

extension CurrentItem {
  /// The item of a gapless successor that has begun after `previous`.
  ///
  /// A repetition keeps the tags and the choice of the audio track: the media is the same.
  init(_ successor: HandOver.Successor, isRepetition: Bool, after previous: CurrentItem) {
    details = successor.details
    if isRepetition {
      details = previous.details.with(duration: successor.details.duration ?? previous.details.duration)
    }
    audio = successor.audio.keeping(isRepetition ? previous.audio.chosen : nil)
    status = .readyToPlay
    isSeekable = successor.isSeekable
    loopCount = previous.loopCount
    awaitsTags = !isRepetition && details.metadata.title == nil
  }
}
