import EngineProcess
import Playback

/// A start of samples at an instant, before which the output plays silence.
///
/// An output starts some time after its pipeline, which no one can predict to the millisecond: a server has to be filled
/// and to answer. Therefore the output starts early. When its clock is exact, the time of the instant in its stream is known, and the
/// first sample gets that time. Two engines that start at one instant at PulseAudio differ by 4.5 samples: the median of six starts, at
/// most 24.
///
/// A sink with a ring buffer plays written silence up to the first sample, because the time of a PulseAudio stream stops while the
/// server lacks data. Other sinks wait for their clock.
struct Entrance {
  enum Step {
    /// The samples can be written.
    case ready
    /// The clock is to be read again after a duration.
    case again(after: Duration)
    /// The output does not play yet.
    case starting
  }

  let instant: MonotonicTime
  /// Whether the output has begun without the samples.
  private(set) var isPrimed = false
  /// Whether the first sample has a time.
  private(set) var isPlaced = false
  /// The times of the instant in the stream, by the readings so far.
  private var readings: [Int64] = []

  /// The duration of silence that is written ahead.
  private static let silenceAhead = Duration.milliseconds(600)
  private static let interval = Duration.milliseconds(20)
  /// The duration by which the first sample is at least ahead when it is written.
  private static let margin = Duration.milliseconds(40)
  /// The duration after which the clock of a server is exact; libpulse corrects its estimate by several reports.
  private static let settling = Duration.milliseconds(400)
  /// The duration of the measurement of the clock.
  ///
  /// On a busy machine, the time that libpulse estimates drifts by several milliseconds in the first seconds. The medians of
  /// two outputs then differ half as much.
  private static let measuring = Duration.seconds(2)
  /// The duration before the instant at which a clock that is not exact is used, because the sample has to be written.
  private static let latest = Duration.milliseconds(120)

  init(at instant: MonotonicTime) { self.instant = instant }

  /// Begins again, because the output was paused, flushed or closed.
  mutating func restart() { self = Entrance(at: instant) }

  /// Carries on with an output that is open, and in which no frame was written since it was opened or flushed.
  mutating func advance(_ output: Output, _ clock: any PlaybackClock) -> Step {
    let remaining = instant - clock.now
    guard !isPlaced, isPrimed || remaining > .zero else { return .ready }
    if !isPrimed { output.prime(Self.silenceAhead) }
    isPrimed = true
    guard let now = output.runningTime else { return .starting }
    let isSoon = remaining < Self.settling
    if !output.hasRing || now >= Self.settling || isSoon, let time = output.time(at: instant, of: clock) {
      readings.append(time)
    }
    let isMeasured = !readings.isEmpty && (!output.hasRing || isSoon || now >= Self.measuring)
    guard isMeasured || remaining < Self.latest else {
      // Silence behind the instant would delay the first sample.
      output.writeSilence(for: min(Self.silenceAhead, max(.zero, remaining - Self.margin)))
      return .again(after: Self.interval)
    }
    // A clock that is not exact is better than a late start.
    output.begin(at: readings.isEmpty ? nil : readings.sorted()[readings.count / 2], in: max(remaining, Self.margin))
    isPlaced = true
    return .ready
  }
}
