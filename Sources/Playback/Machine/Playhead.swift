/// The state of the playhead at one instant: the part of the machine that the time observers need.
struct Playhead: Sendable {
  var item: Player.Item?
  /// The stream of the item.
  var stream: StreamToken
  var duration: Duration?
  var chapters: [Chapter]
  var lyrics: [LyricsLine]
  /// The titles of a radio station.
  var titles: [StreamTitle]
  /// The ID3 tags of the stream.
  var tags: [TimedTag]
  var anchor: PositionAnchor
  /// The current position; it follows the anchor while `isMoving`.
  var position: Duration
  var playbackRun: (number: UInt64, start: Duration)
  var isMoving: Bool
  var isSeeking: Bool
  /// The instant at which the engine last reported its position.
  var measured: MonotonicTime
  /// The position at which the position stands after a fade-out; nil without one.
  var fadedOut: Duration?
  /// The end of the item if it ends now.
  var end: Duration
  /// The item before the current one, while it fades out.
  var outgoing: OutgoingStream?
  /// Whether playback advances; seeks do not change this.
  var advances: Bool
  /// Whether playback is stopped and nothing is loaded.
  var isStopped: Bool
}
