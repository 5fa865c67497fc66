import CGst
import Playback
import Synchronization

/// Tracks the stream at the output, and ends a stream before the output at an exact media time.
///
/// It observes two pads, because playbin queues about a second of audio between them: the *entry* is the sink pad of
/// the filter, the *exit* is the sink pad of the output. An `EOS` event between the samples ends a stream. The output
/// posts EOS when the last sample has been played, and rejects later data, so that upstream stops decoding.
///
/// <https://gstreamer.freedesktop.org/documentation/additional/design/events.html#eos>
final class OutputGate: Sendable {
  /// The meaning of a `STREAM_START` event at one of the pads.
  enum Start: Equatable, Sendable {
    case load
    case successor
    /// Another track, or another song of a chained stream, of the present stream.
    case again
    /// A successor that was withdrawn.
    case withdrawn
  }

  /// The streams that pass one of the pads.
  private struct PadStreams {
    var stream: StreamToken
    /// The successors that have not reached this pad, in order.
    var upcoming: [StreamToken] = []
    var hasStarted = false
    /// The group ID of the tracks of `stream`.
    var group: UInt32?

    mutating func start(group new: UInt32?, withdrawn: StreamToken?) -> Start {
      let isSame = new != nil && new == group
      let next = hasStarted && !isSame ? upcoming.first : nil
      if let next, let withdrawn, next.number >= withdrawn.number { return .withdrawn }
      group = new
      guard hasStarted else {
        hasStarted = true
        return .load
      }
      guard let next else { return .again }
      upcoming.removeFirst()
      stream = next
      return .successor
    }
  }

  private struct State {
    var entry = PadStreams(stream: StreamToken(number: 0))
    var exit = PadStreams(stream: StreamToken(number: 0))
    /// The first withdrawn stream; later streams have higher numbers and are withdrawn as well.
    var withdrawn: StreamToken?
    /// The requested ends of streams, in media time.
    var ends: [StreamToken: Duration] = [:]
    /// The media time at which a stream has faded out; nil if it does not fade out.
    var fadeEnd: (stream: StreamToken, time: Duration)?
    /// The media time at which the last buffer at the exit ended; nil before the first buffer.
    var passed: Duration?
    /// The same of any stream, until a flush.
    var lastEnd: Duration?
    /// The running time at which the last buffer at the exit ended, since the load or the last flush.
    var runningEnd = Duration.zero
    /// The number of flushes that have passed the exit since the load.
    var flushes = 0
  }

  private let state = Mutex(State())

  /// A tolerance that is shorter than a sample.
  private static let grace = Duration.microseconds(1)

  /// The stream whose samples reach the output.
  var streamAtExit: StreamToken { state.withLock { $0.exit.stream } }

  /// The media time at which the last sample before the output ends, in its own stream; nil if there is none.
  var lastEnd: Duration? { state.withLock { $0.lastEnd } }

  /// The number of flushes that have passed to the output since the load.
  ///
  /// The output of a flushing seek is prerolled only after its flush.
  var flushes: Int { state.withLock { $0.flushes } }

  /// Whether the stream whose start has reached the output was withdrawn after that.
  var isWithdrawnAtExit: Bool {
    state.withLock { state in state.withdrawn.map { state.exit.stream.number >= $0.number } ?? false }
  }

  /// The stream whose samples enter the filter.
  var streamAtEntry: StreamToken { state.withLock { $0.entry.stream } }

  /// Whether a stream is a successor that has not reached the output.
  func isUpcoming(_ stream: StreamToken) -> Bool { state.withLock { $0.exit.upcoming.contains(stream) } }

  // MARK: On the executor

  /// Removes all streams for a new load.
  func begin(_ stream: StreamToken) {
    state.withLock { $0 = State(entry: PadStreams(stream: stream), exit: PadStreams(stream: stream)) }
  }

  /// Withdraws a successor and all streams after it.
  ///
  /// - Returns: Whether an `EOS` event must be sent to the entry, because the successor that would end the stream
  ///   before it may never arrive.
  func withdraw(_ stream: StreamToken) -> Bool {
    state.withLock { state in
      if let withdrawn = state.withdrawn, withdrawn.number <= stream.number { return false }
      state.withdrawn = stream
      return state.entry.upcoming.contains(stream)
    }
  }

  /// Ends a stream at a media time; nil plays it to the end of its segment.
  ///
  /// - Returns: Whether this is still possible: no sample after that time has reached the output.
  func end(_ stream: StreamToken, at time: Duration?) -> Bool {
    state.withLock { state in
      state.ends[stream] = nil
      guard let time else { return true }
      if state.exit.stream == stream {
        if let passed = state.passed, passed > time + Self.grace { return false }
      } else if !state.exit.upcoming.contains(stream) {
        return false
      }
      state.ends[stream] = time
      return true
    }
  }

  /// Ends a stream where it has faded out; nil cancels that.
  func endFade(of stream: StreamToken, at time: Duration?) {
    state.withLock { $0.fadeEnd = time.map { (stream, $0) } }
  }

  /// The media time at which the last sample before the output ends, in the stream whose samples reach the output.
  var passed: Duration? { state.withLock { $0.passed } }

  // MARK: On streaming threads

  /// Adds a successor, before its data is read.
  func append(_ stream: StreamToken, end: Duration?) {
    state.withLock { state in
      state.entry.upcoming.append(stream)
      state.exit.upcoming.append(stream)
      state.ends[stream] = end
    }
  }

  /// Records that a stream starts at the entry, and returns the meaning of the start.
  func startAtEntry(group: UInt32?) -> Start {
    state.withLock { state in state.entry.start(group: group, withdrawn: state.withdrawn) }
  }

  /// Records that a stream starts at the exit.
  ///
  /// - Returns: The meaning of the start, the stream at the exit after it, and the media time at which the previous
  ///   stream ended.
  func startAtExit(group: UInt32?) -> (start: Start, stream: StreamToken, passed: Duration?) {
    state.withLock { state in
      let (previous, passed) = (state.exit.stream, state.passed)
      let start = state.exit.start(group: group, withdrawn: state.withdrawn)
      if start == .successor { (state.passed, state.ends[previous]) = (nil, nil) }
      return (start, state.exit.stream, passed)
    }
  }

  /// Records that a flush has passed; the seek that caused it has set the end of its segment.
  func flushed() {
    state.withLock { state in
      state.passed = nil
      state.lastEnd = nil
      state.runningEnd = .zero
      state.ends[state.exit.stream] = nil
      state.flushes += 1
    }
  }

  /// Returns the gap before a buffer that begins at a media time; nil if the output plays it soon after the one before.
  func gap(before start: Duration, runningTime: Range<Duration>) -> StreamProgress.Gap? {
    state.withLock { state in
      defer { state.runningEnd = runningTime.upperBound }
      let length = runningTime.lowerBound - state.runningEnd
      guard length > StreamProgress.leastGap else { return nil }
      return StreamProgress.Gap(start: state.passed ?? max(.zero, start - length), end: start)
    }
  }

  /// Returns the duration of the first part of a buffer that passes the exit; the arguments are media times.
  func pass(from start: Duration, to end: Duration) -> Duration {
    state.withLock { state in
      var limit = min(end, state.ends[state.exit.stream] ?? end)
      if let fade = state.fadeEnd, fade.stream == state.exit.stream { limit = min(limit, fade.time) }
      (state.passed, state.lastEnd) = (limit, limit)
      return limit == end || start + Self.grace < limit ? limit - start : .zero
    }
  }
}
