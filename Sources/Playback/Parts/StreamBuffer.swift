/// The fill level of a stream's buffer.
///
/// Invariants: `percent` is at least `queued`, and 100 until the engine reports a buffer (`isAnnounced`). `held` is
/// zero if at most `stallMargin` is left to play.
struct StreamBuffer: Codable, Equatable, Sendable {
  /// The filled part of the forward buffer ahead of the position, in percent.
  var percent = 100
  /// The fill level of GStreamer's own queue, in percent.
  ///
  /// Below 100 the queue is filling or has run empty; data that has left it may still wait to be played.
  var queued = 100
  /// The last reported progress of the stream.
  var progress = StreamProgress()
  /// The estimated duration that remained when nothing more was decoded: half a frame, or an error of the estimate.
  var surplus = Duration.zero
  /// The greatest estimate of the end of the received data since the last flush, in time of the item.
  var loadedEnd = Duration.zero
  /// The received range that readers see; nil while nothing is received.
  private(set) var range: Range<Duration>?
  /// The instant since which readers see it.
  private(set) var rangeSince = MonotonicTime(nanoseconds: 0)
  /// The range in the last event.
  var announcedRange: Range<Duration>?
  /// The instant at which an event is to announce the grown range; nil if it was announced.
  var rangeDue: MonotonicTime?
  /// The duration held ahead of the position at the last check.
  var held = Duration.zero
  /// Whether the engine reports the fill level.
  var isAnnounced = false
  /// The instant at which data last arrived, or at which the player last began to wait for data.
  var arrival = MonotonicTime(nanoseconds: 0)
  /// Whether no data arrives: the position does not advance, and no message reports it.
  var isStarved = false
  /// Whether all received data was played while the pipeline ran.
  var isDry = false
  /// Whether a seek has emptied the buffer, and playback has not continued since.
  ///
  /// The fill level after the seek is reported before or after the end of the seek, because two threads of GStreamer report them.
  var isRefilling = false
  /// Whether playback does not wait for a full buffer, until this one is empty.
  var isEnoughUnlessEmpty = false

  /// The size of the forward buffer if none is set.
  static let usualForwardBuffer = Duration.seconds(2)
  /// The duration of the data that is left when playback stalls; it is played after the stall, before the clock of the
  /// output passes it.
  static let stallMargin = Duration.milliseconds(50)
  /// The minimum duration held before playback starts that does not wait for a full buffer.
  static let leastStart = Duration.milliseconds(250)

  /// Resets the progress, because the stream continues at another position, where data may arrive.
  mutating func flush() {
    progress = StreamProgress()
    surplus = .zero
    (loadedEnd, range, announcedRange, rangeDue) = (.zero, nil, nil, nil)
    isStarved = false
    isRefilling = true
  }

  /// The time for which readers see the same range, unless the position leaves it.
  static let rangeInterval = Duration.milliseconds(250)

  /// Whether a range contains a position; the end of the item belongs to the range up to it.
  static func contains(_ position: Duration, _ range: Range<Duration>?, until end: Duration?) -> Bool {
    guard let range, range.lowerBound <= position else { return false }
    return position < range.upperBound || range.upperBound == end
  }

  /// Shows another range; returns false if the present one has been shown for less than ``rangeInterval``, and stays.
  mutating func show(_ new: Range<Duration>?, at position: Duration, until end: Duration?, now: MonotonicTime) -> Bool {
    guard new != range else { return true }
    if new != nil, Self.contains(position, range, until: end), now < rangeSince + Self.rangeInterval { return false }
    (range, rangeSince) = (new, now)
    return true
  }

  /// Sets the duration held ahead of the position, for a forward buffer of the size `goal`.
  mutating func hold(_ duration: Duration, of goal: Duration) {
    held = duration > Self.stallMargin ? duration : .zero
    percent = max(queued, Int(min(1, held / goal) * 100))
  }

  /// Marks the buffer as full, because the source has ended and no more data arrives.
  mutating func close() {
    percent = 100
    queued = 100
    isStarved = false
  }
}
