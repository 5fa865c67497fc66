/// The progress of the current item in the engine, or the reason why it is not loaded.
///
/// Invariants: a stream exists in `loading` and `ready` only; otherwise `stream` is ``LoadedStream/none``. A start
/// position exists only while loading. The time of the next attempt exists only after a loss.
struct StreamPhase: Codable, Sendable {
  /// The stream is stored beside the state, because reading one property of an associated value copies all of it.
  enum Stage: Codable, Sendable {
    case none
    /// Requested; fails if it is not ready by the deadline.
    case loading(Loading)
    /// Ready to play: prerolled.
    case ready
    /// Paused for so long that the output was released; the position is kept.
    case released(isAtEnd: Bool)
    /// The output failed; it is opened again at `retry`.
    case outputLost(retry: MonotonicTime)
    /// A broadcast was lost; it is opened again at `retry` if the intent is to play.
    case sourceLost(retry: MonotonicTime)
  }

  struct Loading: Codable, Sendable {
    var deadline: MonotonicTime
    /// The position at which playback starts; nil for the beginning.
    var start: SeekTarget?
  }

  private(set) var state: Stage
  /// The stream; without a stream, reading returns ``LoadedStream/none``, and writing is ignored.
  var stream: LoadedStream {
    get { storedStream }
    _modify {
      yield &storedStream
      if !isLoaded { storedStream = .none }
    }
  }
  private var storedStream: LoadedStream

  private init(_ state: Stage, _ stream: LoadedStream = .none) { (self.state, storedStream) = (state, stream) }

  static let none = StreamPhase(.none)
  static func loading(_ stream: LoadedStream, _ loading: Loading) -> Self { Self(.loading(loading), stream) }
  static func ready(_ stream: LoadedStream) -> Self { Self(.ready, stream) }
  static func released(isAtEnd: Bool) -> Self { Self(.released(isAtEnd: isAtEnd)) }
  static func outputLost(retry: MonotonicTime) -> Self { Self(.outputLost(retry: retry)) }
  static func sourceLost(retry: MonotonicTime) -> Self { Self(.sourceLost(retry: retry)) }

  var isNone: Bool { if case .none = state { true } else { false } }
  var isLoading: Bool { if case .loading = state { true } else { false } }
  var isReady: Bool { if case .ready = state { true } else { false } }
  var isReleased: Bool { if case .released = state { true } else { false } }
  var isSourceLost: Bool { if case .sourceLost = state { true } else { false } }
  /// Whether the engine has the item.
  var isLoaded: Bool { isLoading || isReady }

  /// The start position of a stream that is being loaded; writing it otherwise is ignored.
  var start: SeekTarget? {
    get { if case .loading(let loading) = state { loading.start } else { nil } }
    set {
      guard case .loading(var loading) = state else { return }
      loading.start = newValue
      state = .loading(loading)
    }
  }

  /// Sets the deadline of a stream that is being loaded; ignored otherwise.
  mutating func setDeadline(to deadline: MonotonicTime) {
    guard case .loading(var loading) = state else { return }
    loading.deadline = deadline
    state = .loading(loading)
  }

  /// Brings the deadline of a stream that is being loaded forward, if it is later.
  mutating func limitDeadline(to limit: MonotonicTime) {
    if case .loading(let loading) = state { setDeadline(to: min(loading.deadline, limit)) }
  }

  /// Marks the stream as ready; returns its start position.
  mutating func becomeReady() -> SeekTarget? {
    guard case .loading(let loading) = state else { return nil }
    state = .ready
    return loading.start
  }

  /// Whether the item has ended and stays current.
  var isAtEnd: Bool {
    switch state {
    case .ready: storedStream.run == .ended
    case .released(let isAtEnd): isAtEnd
    case .none, .loading, .outputLost, .sourceLost: false
    }
  }
}
