/// The progress of the current item in the engine, or the reason why it is not loaded.
///
/// Invariants: a stream exists in `loading` and `ready` only. A start position exists only while loading. The time of
/// the next attempt exists only after a loss.
enum StreamPhase: Codable, Sendable {
  case none
  /// Requested; fails if it is not ready by the deadline.
  case loading(LoadedStream, Loading)
  /// Ready to play: prerolled.
  case ready(LoadedStream)
  /// Paused for so long that the output was released; the position is kept.
  case released(isAtEnd: Bool)
  /// The output failed; it is opened again at `retry`.
  case outputLost(retry: MonotonicTime)
  /// A broadcast was lost; it is opened again at `retry` if the intent is to play.
  case sourceLost(retry: MonotonicTime)

  struct Loading: Codable, Sendable {
    var deadline: MonotonicTime
    /// The position at which playback starts; nil for the beginning.
    var start: SeekTarget?
  }

  var isNone: Bool { if case .none = self { true } else { false } }
  var isLoading: Bool { if case .loading = self { true } else { false } }
  var isReady: Bool { if case .ready = self { true } else { false } }
  var isReleased: Bool { if case .released = self { true } else { false } }
  /// Whether the engine has the item.
  var isLoaded: Bool { isLoading || isReady }

  /// The stream; without a stream, reading returns ``LoadedStream/none``, and writing is ignored.
  @inline(__always) var stream: LoadedStream {
    get {
      switch self {
      case .loading(let stream, _), .ready(let stream): stream
      case .none, .released, .outputLost, .sourceLost: .none
      }
    }
    set {
      switch self {
      case .loading(_, let loading): self = .loading(newValue, loading)
      case .ready: self = .ready(newValue)
      case .none, .released, .outputLost, .sourceLost: break
      }
    }
  }

  /// The start position of a stream that is being loaded; writing it otherwise is ignored.
  var start: SeekTarget? {
    get { if case .loading(_, let loading) = self { loading.start } else { nil } }
    set {
      guard case .loading(let stream, var loading) = self else { return }
      loading.start = newValue
      self = .loading(stream, loading)
    }
  }

  /// Sets the deadline of a stream that is being loaded; ignored otherwise.
  mutating func setDeadline(to deadline: MonotonicTime) {
    guard case .loading(let stream, var loading) = self else { return }
    loading.deadline = deadline
    self = .loading(stream, loading)
  }

  /// Brings the deadline of a stream that is being loaded forward, if it is later.
  mutating func limitDeadline(to limit: MonotonicTime) {
    if case .loading(_, let loading) = self { setDeadline(to: min(loading.deadline, limit)) }
  }

  /// Marks the stream as ready; returns its start position.
  mutating func becomeReady() -> SeekTarget? {
    guard case .loading(let stream, let loading) = self else { return nil }
    self = .ready(stream)
    return loading.start
  }

  /// Whether the item has ended and stays current.
  var isAtEnd: Bool {
    switch self {
    case .ready(let stream): stream.run == .ended
    case .released(let isAtEnd): isAtEnd
    case .none, .loading, .outputLost, .sourceLost: false
    }
  }
}
