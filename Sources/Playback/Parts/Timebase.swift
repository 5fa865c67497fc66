/// The position over time: where playback is, how fast it advances, and when it is measured next.
///
/// Invariants: the position is computed from `anchor`, never counted. It leaves its course only by `jump(to:)` and
/// `enterItem(with:at:)`, which begin another `stretch`, so that observers never take a jump for playback. A position that
/// comes to a stand cancels the measurement that was due.
struct Timebase: Sendable {
  private(set) var anchor = PositionAnchor(at: .zero)
  /// The number of the present stretch of uninterrupted playback, and the position at which it began.
  private(set) var stretch = (number: UInt64(0), start: Duration.zero)
  /// When the engine last measured the position.
  private(set) var measured = MonotonicTime(nanoseconds: 0)
  /// When the position is measured next.
  private(set) var nextSample: MonotonicTime?
  /// When the last measurement was requested.
  private(set) var lastSample = MonotonicTime(nanoseconds: 0)
  /// The last measured position of an item whose end is not announced.
  private var lastMeasured: Duration?

  /// A start takes its moment: the position is measured again after this.
  static let firstSample = Duration.milliseconds(150)
  /// The interval of the measurements that follow, as long as they are needed.
  static let sampleInterval = Duration.seconds(1)
  /// The age of a measurement after which a reader requests another: clocks drift apart.
  static let readerInterval = Duration.seconds(5)

  var isRunning: Bool { anchor.isRunning }

  func position(at now: MonotonicTime) -> Duration { anchor.position(at: now) }

  // MARK: Changes of course

  /// The position advances from `position` on, as the engine has measured.
  mutating func run(from position: Duration, rate: Double, at now: MonotonicTime) {
    anchor = PositionAnchor(position: position, instant: now, rate: rate)
    measured = now
    lastSample = now
    lastMeasured = nil
    sample(at: now + Self.firstSample)
  }

  /// The position stands; without a jump, `position` is where playback has come to.
  mutating func stand(at position: Duration) {
    anchor = PositionAnchor(at: position)
    nextSample = nil
  }

  /// The position stands elsewhere.
  mutating func jump(to position: Duration) {
    stand(at: position)
    lastMeasured = nil
    stretch = (stretch.number + 1, position)
  }

  /// Another item begins in the middle of playback, which has reached `anchor` in it by now.
  mutating func enterItem(with anchor: PositionAnchor, at now: MonotonicTime) {
    jump(to: .zero)
    self.anchor = anchor
    if anchor.isRunning { sample(at: now + Self.firstSample) }
  }

  // MARK: Measurements

  /// Requests no measurement later than `instant`.
  mutating func sampleBy(_ instant: MonotonicTime) { nextSample = min(nextSample ?? instant, instant) }

  /// Sets when the position is measured next.
  mutating func sample(at instant: MonotonicTime) { nextSample = instant }

  /// The position is measured now, and then after `interval`; by default, only as long as playback is young.
  mutating func takeSample(at now: MonotonicTime, then interval: Duration?) {
    lastSample = now
    let interval = interval ?? (now - anchor.instant < Self.sampleInterval ? Self.sampleInterval : nil)
    nextSample = interval.map { now + $0 }
  }

  /// A reader requests a measurement.
  mutating func takeReaderSample(at now: MonotonicTime) { lastSample = now }

  func wantsReaderSample(at now: MonotonicTime) -> Bool { now - lastSample > Self.readerInterval }

  /// Notes a measurement, and returns whether the position stands since the last one; nil if this is the first.
  mutating func noteMeasured(_ position: Duration) -> Bool? {
    defer { lastMeasured = position }
    return lastMeasured.map { $0 == position }
  }

  /// The engine has measured the position of a stream that plays.
  mutating func noteSample(at now: MonotonicTime) { measured = now }

  /// Corrects the position by a measurement; returns the one shown before, or nil if it was right within 2 ms.
  mutating func correct(to position: Duration, at now: MonotonicTime) -> Duration? {
    let shown = anchor.position(at: now)
    let drift = shown < position ? position - shown : shown - position
    guard drift > .milliseconds(2) else { return nil }
    // A start takes its moment; later, or by more than that, the clock wavers.
    let isStart = now - anchor.instant < .milliseconds(500) && drift < .milliseconds(100)
    anchor = anchor.corrected(to: position, at: now, gently: !isStart)
    return shown
  }
}
