/// The position over time: the playhead, its rate, and the schedule of measurements.
///
/// Invariants: the position is computed from `anchor`, never counted. Apart from measurements, only `jump(to:)` and
/// `enterItem(with:at:)` make it jump. These, a measurement that moves it back, and another rate begin another playback run
/// (`playbackRun`), so observers never mistake a jump for playback. A position that stops advancing cancels the scheduled
/// measurement.
struct Timebase: Codable, Sendable {
  private(set) var anchor = PositionAnchor(position: .zero)
  /// The number of the current run of uninterrupted playback, and the position at which it began.
  var playbackRun: (number: UInt64, start: Duration) { (runNumber, runStart) }
  private var runNumber: UInt64 = 0
  private var runStart = Duration.zero
  /// The instant at which the engine last measured the position.
  private(set) var measured = MonotonicTime(nanoseconds: 0)
  /// The instant of the next measurement.
  private(set) var nextSample: MonotonicTime?
  /// The instant at which the last measurement was requested, or playback or an item began after it.
  private(set) var lastSample = MonotonicTime(nanoseconds: 0)
  /// The instant at which playback or an item began.
  private var started = MonotonicTime(nanoseconds: 0)
  /// Whether the last measurement differed by so much that another one is needed to believe it.
  private var isDoubted = false
  /// The last measured position of an item whose end is not announced.
  private var lastMeasured: Duration?

  /// The times of the measurements after a start: the output may start late, and its clock is exact only some time later.
  private static let startSamples: [Duration] = [.milliseconds(150), .milliseconds(250), .milliseconds(1250)]
  /// The time after a start within which a measurement applies at once; the last one of ``startSamples`` is in it.
  private static let startTime = Duration.seconds(2)
  /// Returns the difference after a start that is corrected at once: the media that is played in 250 ms.
  private static func startTolerance(rate: Double) -> Duration { .milliseconds(250) * max(1, rate) }
  /// The interval of the later measurements, as long as they are needed.
  static let sampleInterval = Duration.seconds(1)
  /// The age of a measurement after which a reader requests another, because clocks drift apart.
  private static let readerInterval = Duration.seconds(5)

  var isRunning: Bool { anchor.isRunning }

  func position(at now: MonotonicTime) -> Duration { anchor.position(at: now) }

  // MARK: Changes of the playhead

  /// Lets the position advance from `position`, as measured by the engine; returns whether that is a jump.
  ///
  /// `duration` is the item's duration; nil if unknown.
  @discardableResult
  mutating func run(
    from position: Duration, rate: Double, at now: MonotonicTime, duration: Duration? = nil
  ) -> Bool {
    measured = now
    lastMeasured = nil
    begin(at: now)
    let shown = PositionAnchor(position: anchor.position(at: now), instant: now, rate: rate)
    // A start that is only a little earlier than shown holds the position until it is reached. Before an earlier one the output
    // has stood unnoticed, for example because its device was suspended.
    let isHeld = shown.position - position < Self.startTolerance(rate: rate)
    return adopt(position, instead: shown, at: now, duration: duration, gently: false, jumps: !isHeld)
  }

  /// Stops the position at `position`, which playback has reached without a jump.
  mutating func stand(at position: Duration) {
    anchor = PositionAnchor(position: position)
    nextSample = nil
  }

  /// Moves the position; it then does not advance.
  mutating func jump(to position: Duration) {
    stand(at: position)
    lastMeasured = nil
    beginRun(at: position)
  }

  /// Begins another run of playback at the shown position; observers count the remaining time from there again.
  mutating func beginRun(at position: Duration) {
    runNumber += 1
    runStart = position
  }

  /// Begins another item during playback; playback has already reached `anchor` in it.
  mutating func enterItem(with anchor: PositionAnchor, at now: MonotonicTime) {
    jump(to: .zero)
    self.anchor = anchor
    begin(at: now)
    if !anchor.isRunning { nextSample = nil }
  }

  private mutating func begin(at now: MonotonicTime) {
    (started, lastSample, isDoubted) = (now, now, false)
    nextSample = Self.startSamples.first.map { now + $0 }
  }

  // MARK: Measurements

  /// Schedules a measurement at `instant` at the latest.
  mutating func sampleBy(_ instant: MonotonicTime) { nextSample = min(nextSample ?? instant, instant) }

  /// Schedules the next measurement at `instant`.
  mutating func sample(at instant: MonotonicTime) { nextSample = instant }

  /// Records that a reader has requested a measurement.
  mutating func noteRequest(at now: MonotonicTime) { lastSample = now }

  /// Records that the engine has measured the position.
  mutating func noteMeasurement(at now: MonotonicTime) { measured = now }

  /// Records a measurement now, and schedules the next one after `interval`; by default only the measurements after a
  /// start.
  mutating func takeSample(at now: MonotonicTime, then interval: Duration?) {
    let next = Self.startSamples.first { started + $0 > now }
    lastSample = now
    nextSample = interval.map { now + $0 } ?? next.map { started + $0 }
  }

  func wantsReaderSample(at now: MonotonicTime) -> Bool { now - lastSample > Self.readerInterval }

  /// Records a measurement; returns whether the position is the same as in the last one, or nil if this is the first.
  mutating func noteMeasured(_ position: Duration) -> Bool? {
    defer { lastMeasured = position }
    return lastMeasured.map { $0 == position }
  }

  /// Corrects the position by a measurement; returns whether that is a jump, or nil if the position was right within
  /// 2 ms, after a start within 0.2 ms.
  ///
  /// `duration` is the item's duration; nil if unknown. A large difference is measured again.
  mutating func correct(to position: Duration, at now: MonotonicTime, duration: Duration? = nil) -> Bool? {
    let difference = (position - anchor.position(at: now)).magnitude
    // A correction in progress is not requested again.
    let drift = (position - anchor.position(at: now) - anchor.bend(after: now)).magnitude
    let tolerance = Self.startTolerance(rate: anchor.rate)
    // The output may still stand, or not have reached the item. A second measurement shows that the position is wrong.
    let isWrong = isDoubted && difference >= tolerance
    isDoubted = !isWrong && difference >= tolerance
    let isStart = now - started < Self.startTime && drift < tolerance
    guard isWrong || drift > (isStart ? .microseconds(200) : .milliseconds(2)) else { return nil }
    if isDoubted { sampleBy(now + Self.sampleInterval) }
    // Starting takes some time; a later or larger difference comes from an unsteady clock. With a correction in progress,
    // the position may be far from the measured one, and would be held for as long.
    let isHeld = isStart && difference < tolerance
    return adopt(position, instead: anchor, at: now, duration: duration, gently: !isHeld, jumps: isWrong)
  }

  /// Replaces the position that is shown by a measured one; returns whether that is a jump.
  private mutating func adopt(
    _ position: Duration, instead shown: PositionAnchor, at now: MonotonicTime, duration: Duration?, gently: Bool,
    jumps: Bool = false
  ) -> Bool {
    let old = shown.position(at: now)
    guard jumps || PositionAnchor.isJump(from: old, to: position) else {
      anchor = shown.corrected(to: position, at: now, gently: gently)
      return false
    }
    anchor = PositionAnchor(position: position, instant: now, rate: shown.rate)
    isDoubted = false
    // After a jump back, the parts that were reported too early are played now; the parts that a jump forward passes
    // were played unnoticed. Positions beyond the stated duration are not distinguished.
    if position < old, duration.map({ position < $0 }) ?? true { beginRun(at: position) }
    return true
  }
}
