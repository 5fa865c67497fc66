/// How far the current item is in the engine, or why it is not there.
///
/// Invariants: there is a stream exactly in `loading` and `ready`. A position to start at exists only while loading; the
/// time of the next attempt only where something was lost.
enum StreamPhase: Sendable {
  case none
  /// Requested; fails if it is not ready by the deadline.
  case loading(LoadedStream, Loading)
  /// Ready to play: prerolled.
  case ready(LoadedStream)
  /// Paused for so long that the output was released; the position is kept.
  case released(isAtEnd: Bool)
  /// The output failed; it is opened again at `retry`.
  case outputLost(retry: MonotonicTime)
  /// A broadcast was lost; it is opened again at `retry`, if it is to play.
  case sourceLost(retry: MonotonicTime)

  struct Loading: Sendable {
    var deadline: MonotonicTime
    /// Where playback starts; nil for the beginning.
    var start: SeekTarget?
  }

  var isNone: Bool { if case .none = self { true } else { false } }
  var isLoading: Bool { if case .loading = self { true } else { false } }
  var isReady: Bool { if case .ready = self { true } else { false } }
  var isReleased: Bool { if case .released = self { true } else { false } }
  /// Whether the engine has the item.
  var isLoaded: Bool { isLoading || isReady }

  /// The stream; reading it while there is none returns ``LoadedStream/none``, and writing it then is ignored.
  var stream: LoadedStream {
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

  /// Where a stream that is being loaded starts; writing it otherwise is ignored.
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

  /// The stream is ready; returns where it is to start.
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
