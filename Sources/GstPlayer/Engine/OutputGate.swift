import CGst
import Playback
import Synchronization

/// The gate before the output: follows which stream passes, and ends a stream exactly where the machine wants it to end.
///
/// It watches two pads, because playbin queues about a second of audio between them: the *entry* is the sink pad of the
/// filter, the *exit* that of the output. A stream ends by an `EOS` event at its place among the samples. The output
/// posts that end when the last sample has been heard, and refuses what follows, so that upstream stops decoding.
///
/// <https://gstreamer.freedesktop.org/documentation/additional/design/events.html#eos>
final class OutputGate: Sendable {
  enum Side: Sendable { case entry, exit }

  /// The meaning of a `STREAM_START` event at one of the pads.
  enum Start: Equatable, Sendable {
    case load
    case successor
    /// Another track, or another song in the chain, of the stream that is there.
    case again
    /// A successor that is withdrawn.
    case withdrawn
  }

  /// The part of a buffer that passes.
  enum Passage: Equatable, Sendable {
    case whole
    /// What lies before this much of it.
    case head(Duration)
    case none
  }

  /// Streams on their way through one of the pads.
  private struct Course {
    var stream: StreamToken
    /// Those that were handed over and have not come here, in order.
    var upcoming: [StreamToken] = []
    var hasStarted = false
    /// The group of the tracks of `stream`.
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
    var entry = Course(stream: StreamToken(number: 0))
    var exit = Course(stream: StreamToken(number: 0))
    /// The first stream that must not be heard; those after it have higher numbers.
    var withdrawn: StreamToken?
    /// Where streams end before their media does, in media time.
    var ends: [StreamToken: Duration] = [:]
    /// The media time at which the last buffer at the exit ended; nil before any.
    var passed: Duration?
  }

  private let state = Mutex(State())

  /// A time that is shorter than any sample.
  private static let grace = Duration.microseconds(1)

  /// The stream whose samples reach the output.
  var streamAtExit: StreamToken { state.withLock { $0.exit.stream } }

  /// Whether a stream was handed over and has not reached the output.
  func isUpcoming(_ stream: StreamToken) -> Bool { state.withLock { $0.exit.upcoming.contains(stream) } }

  // MARK: From the executor

  /// Forgets all streams for a new load.
  func begin(_ stream: StreamToken) {
    state.withLock { $0 = State(entry: Course(stream: stream), exit: Course(stream: stream)) }
  }

  /// Refuses a successor and those after it.
  ///
  /// - Returns: Whether an `EOS` event must be sent to the entry, since the successor may never come to end the stream
  ///   before it.
  func withdraw(_ stream: StreamToken) -> Bool {
    state.withLock { state in
      if let withdrawn = state.withdrawn, withdrawn.number <= stream.number { return false }
      state.withdrawn = stream
      return state.entry.upcoming.contains(stream)
    }
  }

  /// Ends a stream at a media time; nil lets it play to the end of its segment.
  ///
  /// - Returns: Whether that is still possible: no sample beyond that time has reached the output.
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

  // MARK: From streaming threads

  /// Announces a successor, before its data is read.
  func append(_ stream: StreamToken, end: Duration?) {
    state.withLock { state in
      state.entry.upcoming.append(stream)
      state.exit.upcoming.append(stream)
      state.ends[stream] = end
    }
  }

  /// Notes that a stream starts at a pad; returns its meaning, the stream that is at the pad then, and how long the
  /// media of the stream before was.
  func start(at side: Side, group: UInt32?) -> (start: Start, stream: StreamToken, passed: Duration?) {
    state.withLock { state in
      switch side {
      case .entry:
        let start = state.entry.start(group: group, withdrawn: state.withdrawn)
        return (start, state.entry.stream, nil)
      case .exit:
        let start = state.exit.start(group: group, withdrawn: state.withdrawn)
        let passed = state.passed
        if start == .successor { state.passed = nil }
        return (start, state.exit.stream, passed)
      }
    }
  }

  /// Notes that a flush has passed: the seek that caused it names the end of its segment.
  func flushed() {
    state.withLock { state in
      state.passed = nil
      state.ends[state.exit.stream] = nil
    }
  }

  /// Decides about a buffer at the exit, given by the media times of its start and end.
  func pass(from start: Duration, to end: Duration) -> Passage {
    state.withLock { state in
      guard let limit = state.ends[state.exit.stream], end > limit else {
        state.passed = end
        return .whole
      }
      state.passed = limit
      return start + Self.grace < limit ? .head(limit - start) : .none
    }
  }
}
