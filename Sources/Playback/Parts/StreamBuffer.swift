/// The fill level of a stream's buffer.
///
/// Invariants: `percent` is at least `queued`, and 100 until the engine reports a buffer (`isAnnounced`). `held` is zero
/// where less than `stallMargin` is left to play.
struct StreamBuffer: Equatable, Sendable {
  /// How much of the forward buffer is held ahead of the position.
  var percent = 100
  /// How full GStreamer's own queue is.
  ///
  /// Below 100 it fills, or has run empty; data that has left it may still wait to be played.
  var queued = 100
  /// How far the stream has come, as reported last.
  var progress = StreamProgress()
  /// What seemed to be held when nothing more was decoded: half a frame, or an error of the estimate.
  var surplus = Duration.zero
  /// How much was held ahead of the position at the last look.
  var held = Duration.zero
  /// The engine reports the fill level.
  var isAnnounced = false
  /// When data last arrived, or was last waited for anew.
  var arrival = MonotonicTime(nanoseconds: 0)
  /// Nothing arrives: the position stands, and no message reports it.
  var isStarved = false
  /// All that had arrived was played while the pipeline ran.
  var isDry = false
  /// Playback does not wait for a full buffer, until this one is empty.
  var isEnoughUnlessEmpty = false

  /// The size of the forward buffer when no other is set.
  static let usualForwardBuffer = Duration.seconds(2)
  /// The duration of the data that is left when playback stalls; it is played afterwards, before the clock of the output
  /// passes it.
  static let stallMargin = Duration.milliseconds(50)
  /// The least duration held for playback that does not wait for a full buffer.
  static let leastStart = Duration.milliseconds(250)

  /// The data from here on is not known: the stream continues elsewhere.
  mutating func flush() {
    progress = StreamProgress()
    surplus = .zero
  }

  /// Takes over how much is held ahead of the position, of a forward buffer of the size `goal`.
  mutating func hold(_ duration: Duration, of goal: Duration) {
    held = duration > Self.stallMargin ? duration : .zero
    percent = max(queued, Int(min(1, held / goal) * 100))
  }

  /// The source has ended: no more data arrives.
  mutating func close() {
    percent = 100
    queued = 100
    isStarved = false
  }
}
