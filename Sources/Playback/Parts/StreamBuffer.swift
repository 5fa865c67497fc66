/// The fill level of a stream's buffer, and whether it is enough to play.
///
/// GStreamer's queue is a part of the buffer: data that has left it may still wait to be played.
///
/// Invariants: `percent` is at least `queued`, and 100 until the engine reports a buffer (`isAnnounced`). `held` is zero if at
/// most `stallMargin` is left to play.
struct StreamBuffer: Codable, Equatable, Sendable {
  /// How the data arrives.
  private enum Supply: Codable, Equatable, Sendable {
    case flowing
    /// A seek has emptied the buffer, and playback has not continued since.
    ///
    /// The fill level after the seek is reported before or after the end of the seek, because two threads of GStreamer report
    /// them.
    case refilling
    /// All received data was played while the output ran.
    case dry
    /// No data arrives: the position does not advance, and no message reports it.
    case starved
  }

  private var supply = Supply.flowing
  /// The filled part of the forward buffer ahead of the position, in percent.
  private(set) var percent = 100
  /// The fill level of GStreamer's own queue, in percent; below 100 it is filling or has run empty.
  private(set) var queued = 100
  /// The last reported progress of the stream.
  private(set) var progress = StreamProgress() {
    didSet { noteRanges() }
  }
  /// The media times that the engine keeps of a station, also while a seek is carried out; nil if it keeps none.
  private(set) var kept: Range<Duration>?
  /// The media times that the server of a live stream offers, also while a seek is carried out; nil for another stream.
  private(set) var window: Range<Duration>?
  /// The estimated duration that remained when nothing more was decoded: half a frame, or an error of the estimate.
  private var surplus = Duration.zero
  /// The duration held ahead of the position at the last check.
  private var held = Duration.zero
  /// Whether the engine reports the fill level.
  private(set) var isAnnounced = false
  /// The instant at which data last arrived, or at which the player last began to wait for data.
  private(set) var arrival: MonotonicTime
  /// Whether playback does not wait for a full buffer, until this one is empty.
  private(set) var isEnoughUnlessEmpty = false
  /// The received range that readers see.
  var range = LoadedRange()

  /// The size of the forward buffer if none is set.
  static let usualForwardBuffer = Duration.seconds(2)
  /// The duration of the data that is left when playback stalls; it is played after the stall, before the clock of the
  /// output passes it.
  static let stallMargin = Duration.milliseconds(50)
  /// The minimum duration held before playback starts that does not wait for a full buffer.
  private static let leastStart = Duration.milliseconds(250)

  /// Creates the buffer of a stream that begins to load.
  init(now: MonotonicTime) { arrival = now }

  /// Creates the buffer of a successor that has begun.
  init(of successor: Successor, now: MonotonicTime) {
    arrival = now
    progress = successor.progress
    noteRanges()
    if let queued = successor.queued { (isAnnounced, self.queued) = (true, queued) }
  }

  /// Notes that the engine keeps nothing of a station any more, because the process has ended that did.
  mutating func forgetKept() {
    progress.kept = nil
    kept = nil
  }

  private mutating func noteRanges() {
    if let range = progress.kept { kept = range }
    if let range = progress.window { window = range }
  }

  // MARK: Whether it is enough to play

  /// Whether no data arrives, which only the position shows.
  var isStarved: Bool { supply == .starved }

  /// Whether the buffer holds enough to start without a full one.
  var mayStart: Bool { held >= Self.leastStart }

  /// Whether the buffer holds enough to play: to start, or to continue until all of it has been played.
  ///
  /// `continues` is whether the stream plays, `isFading` whether that is to end with a pause, and `waits` whether a start waits
  /// for a full buffer.
  func isEnough(continues: Bool, isFading: Bool, isLive: Bool, waits: Bool) -> Bool {
    if isStarved { return false }
    if isLive || percent >= 100 { return true }
    if continues, supply == .flowing || supply == .refilling && isFading { return true }
    return (isEnoughUnlessEmpty || !waits) && mayStart
  }

  /// Whether a start that does not wait needs less than a full buffer.
  var isPartlyFilled: Bool { (1..<100).contains(percent) }

  /// Lets playback start with the data that is available.
  mutating func beEnoughUnlessEmpty() { isEnoughUnlessEmpty = true }

  /// Lets the next start wait for a full buffer again.
  mutating func waitUntilFull() { isEnoughUnlessEmpty = false }

  // MARK: Data

  /// Begins to wait for data, because the stream is to play.
  mutating func awaitData(now: MonotonicTime) {
    arrival = now
    if isStarved { supply = .flowing }
  }

  /// Sets the progress of the stream.
  mutating func follow(_ progress: StreamProgress) { self.progress = progress }

  /// Sets the fill level of GStreamer's queue; returns whether it is another one.
  mutating func report(percent: Int, _ progress: StreamProgress, now: MonotonicTime) -> Bool {
    defer { queued = percent }
    (arrival, isAnnounced, self.progress) = (now, true, progress)
    return percent != queued
  }

  /// Returns the end of the received data; `estimate` is computed from its bytes.
  func loadedEnd(decoded: Duration, estimate: Duration) -> Duration { max(decoded, estimate - surplus) }

  /// Compares the duration held ahead of the position with the forward buffer of the size `goal`.
  mutating func hold(_ duration: Duration, of goal: Duration) {
    held = duration > Self.stallMargin ? duration : .zero
    percent = max(queued, Int(min(1, held / goal) * 100))
  }

  /// Records that playback continues, so it does not wait for the rest.
  mutating func playbackContinues() { if supply == .refilling { supply = .flowing } }

  /// Records that playback starts or pauses, which ends the state of a buffer that has run dry.
  mutating func playbackChanges() { if supply == .dry { supply = .flowing } }

  /// Records that the queue has run empty since its last message, and all received data was played.
  mutating func runDry(loaded: Duration, decoded: Duration) {
    supply = .dry
    isEnoughUnlessEmpty = false
    surplus = loaded - decoded + surplus
    queued = 0
  }

  /// Records that the output plays, so the data at the end was not played before.
  mutating func forgetSurplus() { surplus = .zero }

  /// Records that the position stands without data; returns whether it has advanced before.
  mutating func starve() -> Bool {
    defer { supply = .starved }
    return !isStarved
  }

  /// Records that data arrives; returns whether none has arrived before.
  mutating func arrive(now: MonotonicTime) -> Bool {
    arrival = now
    guard isStarved else { return false }
    supply = .flowing
    return true
  }

  /// Resets the progress, because the stream continues at another position, where data may arrive.
  mutating func flush() {
    progress = StreamProgress()
    surplus = .zero
    range.flush()
    supply = .refilling
  }

  /// Marks the buffer as full, because the source has ended and no more data arrives.
  mutating func close() {
    (percent, queued) = (100, 100)
    if isStarved { supply = .flowing }
  }
}
