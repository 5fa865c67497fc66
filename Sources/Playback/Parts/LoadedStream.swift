/// What is known of the stream of the current item, from its load to its release.
///
/// Invariants: a value lives as long as its stream and is replaced as a whole, so that nothing of one stream reaches
/// another. `seek` and `run` change only once the stream is ready. The successors in `handOver` follow this stream.
struct LoadedStream: Sendable {
  /// Whether the pipeline runs.
  enum RunState: Equatable, Sendable {
    /// Paused.
    case held
    /// Set to play, which the engine has not confirmed.
    case starting
    case running
    /// Paused at the end of the item, which stays current.
    case ended
  }

  let token: StreamToken
  var run = RunState.held
  /// The seek that the engine carries out.
  var seek: SeekState?
  var segment = Segment()
  /// The duration of the media, of which the item may be a part; nil if unknown.
  var media: Duration?
  /// The position at which a broadcast that was opened again continues.
  var offset = Duration.zero
  /// The end of the item was due long ago: until then a measurement is awaited, which tells whether it was reached.
  var endDoubt: MonotonicTime?
  var handOver = HandOver()
  var buffer = StreamBuffer()
  var isLive = false
  /// The connection has ended early: reported when the data that has arrived has been played.
  var sourceFailure: PlayerError?
  /// Since when the stream has been paused; nil while it is to play.
  var pausedSince: MonotonicTime?

  /// Nothing: what is read of a stream while none is loaded.
  static let none = LoadedStream(token: StreamToken(number: 0))

  init(token: StreamToken) { self.token = token }

  /// The pipeline was set to play.
  var isWanted: Bool { run == .starting || run == .running }
}

extension LoadedStream {
  /// The stream of a gapless successor that has begun, whose pipeline runs on as before.
  init(_ successor: HandOver.Successor, after previous: LoadedStream, now: MonotonicTime) {
    token = successor.token
    run = previous.run
    segment.cut = successor.cut
    media = successor.media
    handOver = previous.handOver
    handOver.expectedSince = now
    buffer.queued = successor.queued ?? 100
    buffer.isAnnounced = successor.queued != nil
    buffer.arrival = now
    pausedSince = previous.pausedSince
  }
}
