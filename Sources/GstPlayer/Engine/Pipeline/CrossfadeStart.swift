import CGst
import EngineProcess
import Playback

/// The instant at which the second stream of a crossfade begins: a media time of the first one becomes audible.
///
/// The pipelines of the two streams have a clock each. The running time of the one is converted to that of the other by
/// reading both at the same time.
final class CrossfadeStart: EntranceInstant {
  private let first: PipelineContext
  private let stream: StreamToken
  private let time: Duration
  /// The fade-in of the second stream.
  let shape: CrossfadeShape
  /// Starts the second pipeline; its first sample follows at the instant.
  let begin: @Sendable (CrossfadeStart) -> Void

  /// The duration before the instant at which the second pipeline starts, silently.
  ///
  /// It lets the server report the time of the new output, and the first sample be in the output's buffer before the
  /// server renders it, which is up to 2 s ahead.
  static let lead = Duration.milliseconds(3_200)
  /// The duration after which the clock of a new output is exact; libpulse corrects its estimate by several reports.
  static let settling = Duration.milliseconds(400)
  /// A reading on a busy machine may be wrong by 6 ms.
  let measuring = Duration.seconds(1)

  init(
    of stream: StreamToken, in first: PipelineContext, at time: Duration, _ shape: CrossfadeShape,
    begin: @escaping @Sendable (CrossfadeStart) -> Void
  ) {
    (self.stream, self.first, self.time, self.shape, self.begin) = (stream, first, time, shape, begin)
  }

  /// The running time of the instant in the first pipeline; nil if its stream is not at the output.
  var runningTime: Duration? {
    guard first.streamAtSink == stream else { return nil }
    let segment: GstSegment? =
      unsafe first.output.with { unsafe GLib.withPad("sink", of: $0) { unsafe GstSegment.present(at: $0) } ?? nil }
      ?? nil
    return segment?.runningTime(of: time)
  }

  /// The duration until the instant by the clock of the first pipeline, zero if that was released; nil unless it plays.
  var remaining: Duration? {
    if first.output.value == nil { return .zero }
    guard let instant = runningTime, let now = first.runningTime else { return nil }
    return instant - now
  }

  func measure(in second: PipelineContext) -> (runningTime: Duration, remaining: Duration)? {
    guard let instant = runningTime else { return nil }
    return second.measure { first.exactRunningTime.map { instant - $0 } }
  }
}

/// An instant of `CLOCK_MONOTONIC`.
struct HostInstant: EntranceInstant {
  let instant: MonotonicTime
  /// Twice the time of a crossfade.
  ///
  /// On a busy machine, the time that libpulse estimates drifts by several milliseconds in the first seconds. The medians of two
  /// outputs then differ half as much.
  let measuring = Duration.seconds(2)

  var remaining: Duration? { instant - .now }

  func measure(in context: PipelineContext) -> (runningTime: Duration, remaining: Duration)? {
    context.measure { instant - .now }
  }
}

extension PipelineContext {
  /// The maximum difference of two readings of a clock between which the other one is read.
  private static let tolerance = Duration.microseconds(500)

  /// Returns the running time at which a duration of another clock is over, and that duration; nil while a time is not
  /// known.
  fileprivate func measure(_ remaining: () -> Duration?) -> (runningTime: Duration, remaining: Duration)? {
    var best: (runningTime: Duration, remaining: Duration, spread: Duration)?
    for _ in 0..<5 {
      guard let before = remaining(), let now = exactRunningTime, let after = remaining() else { return nil }
      let (remaining, spread) = ((before + after) / 2, before - after)
      if best.map({ spread < $0.spread }) ?? true { best = (now + remaining, remaining, spread) }
      if spread <= Self.tolerance { break }
    }
    return best.map { ($0.runningTime, $0.remaining) }
  }
}
