/// The state of the current item's stream, from its load to its release.
///
/// Invariants: a value lives as long as its stream and is replaced as a whole, so no state of one stream reaches
/// another. `run` changes only after the stream is ready. The `successors` follow this stream.
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

  struct DurationCheck: Codable {
    var duration: Duration
    var count = 0
  }

  let token: StreamToken
  /// The gain by its measured loudness.
  var gain = MeasuredGain.decided(nil)
  /// How its part of the plan begins.
  var join = PartJoin.gapless
  /// The instant at which the stream fails if it is not ready, or if its seek has not finished.
  var deadline: MonotonicTime
  /// The instant up to which arriving data may defer the deadline.
  var latestDeadline: MonotonicTime
  /// The position for which the stream was opened.
  var opened = Duration.zero
  var run = RunState.held
  /// The position at which playback starts, and the seeks.
  var seek = SeekState()
  /// Whether the engine is carrying out a seek.
  var isSeeking: Bool { seek.isSeeking }
  /// The speed at which it plays: the player's speed if the item is seekable, and otherwise 1.
  var rate = 1.0
  /// The duration of the media, which the item may use only in part; nil if unknown.
  var media: Duration?
  /// The difference between the positions of the item and of the stream: the position at which a reopened broadcast
  /// continues, or the error of an estimated position.
  var offset = Duration.zero
  /// Whether the positions are estimates, because the last seek went to a position that was computed from bytes.
  var isEstimated = false
  /// The last duration that was compared with the samples, and the number of these comparisons.
  var check: DurationCheck?
  /// The deadline for a measurement when the end of the item is long overdue; the measurement shows whether the end was
  /// reached.
  var endDoubt: MonotonicTime?
  /// The media time of the end that the engine has reported; nil before that.
  var foundEnd: Duration?
  /// Whether all samples up to the end of its part are decoded.
  var isRead = false
  /// The instant at which its last sample was played; nil before that.
  var ended: MonotonicTime?
  var successors: [Successor] = []
  /// The instant at which the buffer of the next successor last reported data.
  var successorArrival = MonotonicTime(nanoseconds: 0)
  var buffer = StreamBuffer()
  var isLive = false
  /// The early end of the connection: reported when the received data has been played.
  var sourceFailure: PlayerError?
  var standstill = Standstill()
  /// The instant since which the stream has been paused; nil while it is to play.
  var pausedSince: MonotonicTime?

  /// The placeholder that is read while no stream is loaded.
  static let none = LoadedStream(token: StreamToken(number: 0), timeout: .zero, now: MonotonicTime(nanoseconds: 0))

  /// Whether the stream is to be played.
  var isWanted: Bool { run == .starting || run == .running }
}

extension LoadedStream {
  /// Creates the state of a stream that begins to load.
  init(token: StreamToken, timeout: Duration, now: MonotonicTime) {
    self.init(token: token, deadline: now, latestDeadline: now)
    limitLoad(to: timeout, now: now)
  }

  /// Begins the time limit of the load, which data that arrives may double.
  mutating func limitLoad(to timeout: Duration, now: MonotonicTime) {
    (deadline, latestDeadline) = (now + timeout, now + timeout + timeout)
  }

  /// Creates the state of a successor that has begun; the output continues as before.
  init(_ successor: Successor, after previous: LoadedStream, timeout: Duration, now: MonotonicTime) {
    self.init(token: successor.token, timeout: timeout, now: now)
    (run, isRead, isLive, media) = (previous.run, successor.isRead, successor.isLive, successor.media)
    gain = successor.gain
    successors = previous.successors
    buffer.progress = successor.progress
    standstill.note(successor.progress, now: now)
    buffer.queued = successor.queued ?? 100
    buffer.isAnnounced = successor.queued != nil
    buffer.arrival = now
    pausedSince = previous.pausedSince
  }
}
