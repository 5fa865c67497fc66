/// The progress of the current item in the engine, or the reason why it is not loaded.
///
/// Invariants: a stream exists in `loading` and `ready` only; otherwise `stream` is ``LoadedStream/none``, which nothing
/// changes. The time of the next attempt exists only after a loss.
struct StreamPhase: Codable, Sendable {
  /// The stream is stored beside the state, because reading one property of an associated value copies all of it.
  enum Stage: Codable, Sendable {
    case none
    /// Requested; fails if it is not ready by the deadline of the stream.
    case loading
    /// Ready to play: prerolled.
    case ready
    /// Paused for so long that the output was released; the position is kept.
    case released(isAtEnd: Bool)
    /// The output failed; it is opened again at `retry`.
    case outputLost(retry: MonotonicTime)
    /// A broadcast was lost; it is opened again at `retry` if the intent is to play.
    case sourceLost(retry: MonotonicTime)
  }

  private(set) var state: Stage
  /// The stream; a change without one is a fault, which tests and the simulation report.
  var stream: LoadedStream {
    didSet {
      assert(isLoaded, "a change of a stream that is not loaded")
      if !isLoaded { stream = .none }
    }
  }

  private init(_ state: Stage, stream: LoadedStream = .none) { (self.state, self.stream) = (state, stream) }

  static let none = StreamPhase(.none)
  static func loading(_ stream: LoadedStream) -> StreamPhase { StreamPhase(.loading, stream: stream) }
  static func released(isAtEnd: Bool) -> StreamPhase { StreamPhase(.released(isAtEnd: isAtEnd)) }
  static func outputLost(retry: MonotonicTime) -> StreamPhase { StreamPhase(.outputLost(retry: retry)) }
  static func sourceLost(retry: MonotonicTime) -> StreamPhase { StreamPhase(.sourceLost(retry: retry)) }

  /// Marks the stream that is loading as ready.
  mutating func becomeReady() { if isLoading { state = .ready } }

  var isNone: Bool { if case .none = state { true } else { false } }
  var isLoading: Bool { if case .loading = state { true } else { false } }
  var isReady: Bool { if case .ready = state { true } else { false } }
  var isReleased: Bool { if case .released = state { true } else { false } }
  var isSourceLost: Bool { if case .sourceLost = state { true } else { false } }
  /// Whether the engine has the item.
  var isLoaded: Bool { isLoading || isReady }

  /// The violated rules; empty in a correct program.
  var violations: [String] {
    let rules = [
      ("a stream: only one that loads or is ready", isLoaded == (stream.token != LoadedStream.none.token)),
      ("a stream that loads neither seeks nor runs", isReady || !stream.isSeeking && stream.run == .held),
      ("a stream that loads has a deadline of its own", !isLoading || stream.deadline.nanoseconds > 0),
      ("only a stream that loads has a start", isLoading || !stream.seek.isStarting),
    ]
    return rules.filter { !$0.1 }.map(\.0) + stream.violations
  }

  /// Whether the item has ended and stays current.
  var isAtEnd: Bool { if case .released(let isAtEnd) = state { isAtEnd } else { stream.run == .ended } }
}
