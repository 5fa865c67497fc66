/// The state of the current item's stream, from its load to its release.
///
/// Invariants: a value lives as long as its stream and is replaced as a whole, so no state of one stream reaches another. It
/// runs and seeks only after it is ready. The `successors` follow this stream, so a seek closes them.
struct LoadedStream: Codable, Sendable {
  /// Whether the stream is played.
  enum RunState: Codable, Equatable, Sendable {
    /// Paused.
    case held
    /// Set to play, but not yet confirmed by the engine.
    case starting
    case running
    /// Paused at the end of the item, which stays current.
    case ended
  }

  let token: StreamToken
  /// The gain by its measured loudness.
  private(set) var gain = MeasuredGain.decided(nil)
  /// How its part of the plan begins.
  private(set) var join: PartJoin
  /// The instant at which the stream fails if it is not ready, or if its seek has not finished.
  private(set) var deadline: MonotonicTime
  /// The instant up to which arriving data may defer the deadline of the load.
  private var latestDeadline: MonotonicTime
  /// The position for which the stream was opened.
  let opened: Duration
  private(set) var run = RunState.held
  /// The instant since which the stream has been paused; nil while it is to play.
  private(set) var pausedSince: MonotonicTime?
  /// The position at which playback starts, and the seeks.
  var seek = SeekState()
  /// The speed at which it plays: the player's speed if the item is seekable, and otherwise 1.
  private(set) var rate = 1.0
  /// The duration of the media, which the item may use only in part; nil if unknown.
  private(set) var media: Duration?
  /// The difference between the positions of the item and of the stream: the position at which a reopened broadcast
  /// continues, or the error of an estimated position.
  private(set) var offset = Duration.zero
  /// Whether the positions are estimates, because the last seek went to a position that was computed from bytes.
  private(set) var isEstimated = false
  /// The last duration that was compared with the samples, and the number of these comparisons.
  private var check: DurationCheck?
  /// The deadline for a measurement when the end of the item is long overdue; the measurement shows whether the end was
  /// reached.
  private(set) var endDoubt: MonotonicTime?
  /// The media time of the end that the engine has reported; nil before that.
  private(set) var foundEnd: Duration?
  /// Whether all samples up to the end of its part are decoded.
  private(set) var isRead = false
  /// The instant at which its last sample was played; nil before that.
  private(set) var ended: MonotonicTime?
  /// The items that follow it.
  var successors = Successors()
  var buffer: StreamBuffer
  private(set) var isLive = false
  /// The early end of the connection: reported when the received data has been played.
  private(set) var sourceFailure: PlayerError?
  var standstill = Standstill()

  private struct DurationCheck: Codable {
    var duration: Duration
    var count = 0
  }

  /// The placeholder that is read while no stream is loaded.
  static let none = LoadedStream(token: StreamToken(number: 0), timeout: .zero, now: MonotonicTime(nanoseconds: 0))

  /// Creates the state of a stream that begins to load.
  init(
    token: StreamToken, at position: Duration = .zero, join: PartJoin = .gapless, timeout: Duration, now: MonotonicTime
  ) {
    (self.token, opened, self.join) = (token, position, join)
    (deadline, latestDeadline) = (now, now)
    buffer = StreamBuffer(now: now)
    limitLoad(to: timeout, now: now)
  }

  /// Creates the state of a successor that has begun; the output continues as before.
  init(
    _ successor: Successor, after previous: LoadedStream, rate: Double = 1, join: PartJoin = .gapless,
    timeout: Duration,
    now: MonotonicTime
  ) {
    self.init(token: successor.token, join: join, timeout: timeout, now: now)
    (run, isRead, isLive, media) = (previous.run, successor.isRead, successor.isLive, successor.media)
    (gain, self.rate, successors, pausedSince) = (successor.gain, rate, previous.successors, previous.pausedSince)
    buffer = StreamBuffer(of: successor, now: now)
    standstill.note(successor.progress, now: now)
  }

  mutating func setGain(_ gain: MeasuredGain) { self.gain = gain }

  // MARK: Loading

  /// Begins the time limit of the load, which data that arrives may double.
  mutating func limitLoad(to timeout: Duration, now: MonotonicTime) {
    (deadline, latestDeadline) = (now + timeout, now + timeout + timeout)
  }

  /// Defers the deadline of the load, because data arrives; it takes twice its time at most, as headers may arrive without end.
  mutating func deferLoad(by timeout: Duration, now: MonotonicTime) { deadline = min(now + timeout, latestDeadline) }

  /// Defers the deadline of a seek.
  mutating func deferSeek(by timeout: Duration, now: MonotonicTime) { deadline = now + timeout }

  /// Records the facts of a stream that is ready.
  mutating func becomeReady(isLive: Bool, rate: Double) { (self.isLive, self.rate) = (isLive, rate) }

  // MARK: Playing

  /// Whether the stream is to be played.
  var isWanted: Bool { run == .starting || run == .running }

  /// Lets the stream play or pause, unless it already does.
  mutating func setWanted(_ run: RunState, now: MonotonicTime) {
    let wasWanted = isWanted
    self.run = run
    guard wasWanted != isWanted else { return }
    buffer.playbackChanges()
    // The wait for a successor begins again.
    if ended != nil { ended = now }
  }

  /// Records that the engine plays a stream that is to be played.
  mutating func confirm() { if isWanted { run = .running } }

  /// Records that the output of a stream that runs has stopped, and starts again.
  mutating func interrupt() { if run == .running { run = .starting } }

  /// Ends a pause.
  mutating func resume(now: MonotonicTime) {
    pausedSince = nil
    buffer.awaitData(now: now)
  }

  /// Begins a pause.
  mutating func pause(now: MonotonicTime) { pausedSince = now }

  mutating func setRate(_ rate: Double) { self.rate = rate }

  // MARK: Seeks

  /// Whether the engine is carrying out a seek.
  var isSeeking: Bool { seek.isSeeking }

  /// Begins a seek; `isAlone` is whether nothing is audible beside the stream, and `isPlaying` whether the intent is to play.
  mutating func begin(_ newSeek: EngineSeek, isAlone: Bool, isPlaying: Bool, timeout: Duration, now: MonotonicTime) {
    seek.begin(newSeek)
    successors.close()
    (isRead, ended, endDoubt, foundEnd, check) = (false, nil, nil, nil, nil)
    // What sounded beside it has ended.
    if isAlone { join = .gapless }
    // The amount of data buffered at the target is unknown.
    buffer.flush()
    standstill = Standstill()
    deadline = now + timeout
    run = isWanted ? .starting : .held
    if isPlaying { pausedSince = nil }
  }

  /// Records that the stream is ready, or that its seek is done; estimated positions then begin again.
  mutating func settle(isEstimated: Bool, _ progress: StreamProgress) {
    if self.isEstimated, isSeeking { offset = .zero }
    self.isEstimated = isEstimated
    buffer.follow(progress)
  }

  // MARK: Duration and position

  mutating func setMedia(_ duration: Duration?) { media = duration }

  /// Corrects estimated positions.
  mutating func shift(by error: Duration) { offset += error }

  /// Continues a broadcast, which was opened again, at the position of its loss.
  mutating func continueBroadcast(at position: Duration) { offset = position }

  /// Returns how often a duration was compared with the samples.
  func checks(of duration: Duration) -> Int { check.map { $0.duration == duration ? $0.count : 0 } ?? 0 }

  mutating func noteCheck(of duration: Duration) {
    check = DurationCheck(duration: duration, count: checks(of: duration) + 1)
  }

  // MARK: The end

  /// Waits until an instant for a measurement, which shows whether the overdue end was reached.
  mutating func doubtEnd(until deadline: MonotonicTime) { endDoubt = deadline }

  mutating func stopDoubting() { endDoubt = nil }

  /// Begins the next of the items that share the stream.
  mutating func enterClip() { (check, endDoubt) = (nil, nil) }

  /// Records where the media ends; nil after a seek, which makes it unknown.
  mutating func noteEnd(at time: Duration?) { foundEnd = time }

  /// Records that all samples are decoded.
  mutating func read() { isRead = true }

  /// Records that the last sample was played, and a successor is awaited.
  mutating func awaitSuccessor(now: MonotonicTime) { (isRead, ended) = (true, now) }

  /// Lets the end be handled again when playback resumes.
  mutating func forgetEnd() { ended = nil }

  // MARK: The source

  /// Records that the source ended early while the stream loads; no more data arrives, so the deadline is brought forward.
  mutating func cutWhileLoading(_ error: PlayerError, timeout: Duration, now: MonotonicTime) {
    sourceFailure = sourceFailure ?? error
    deadline = min(deadline, now + timeout)
  }

  /// Records that the source ended early; the received data is played, and nothing follows.
  mutating func cut(_ error: PlayerError) {
    sourceFailure = error
    successors.close()
    buffer.close()
  }

  /// Removes the failure that occurred while the stream loaded.
  mutating func takeFailure() -> PlayerError? { sourceFailure.take() }

  // MARK: Checks and recording

  /// The violated rules; empty in a correct program.
  var violations: [String] {
    let rules = [
      ("an ended item does not seek", run != .ended || !isSeeking),
      ("a seek: no item follows yet", !isSeeking || successors.isEmpty),
      ("successors have later tokens", successors.first.map { token.number < $0.token.number } ?? true),
      ("the fill level is at least that of the queue", buffer.percent >= buffer.queued),
    ]
    return rules.filter { !$0.1 }.map(\.0) + successors.violations
  }

  /// The stream with short texts.
  var recorded: LoadedStream {
    var stream = self
    stream.sourceFailure = sourceFailure?.recorded
    for next in successors { stream.successors.changeItem(of: next.token) { $0 = $0.recorded } }
    return stream
  }
}
