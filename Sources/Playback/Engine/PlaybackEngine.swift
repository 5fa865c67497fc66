/// The engine of a ``Player``: it opens streams, plays the parts of a plan through one output, and reports their events.
///
/// The player makes the decisions, and the engine carries them out. Commands arrive in the order of the decisions,
/// often while the player holds its lock. Therefore ``perform(_:)`` must return at once, and must not report from
/// inside the call.
public protocol PlaybackEngine: Sendable {
  /// Starts the engine, which reports to `client` from now on, on any thread; called once.
  func open(_ client: EngineClient)
  /// Carries out a command after the earlier ones.
  func perform(_ command: EngineCommand)
  /// Returns the progress of a network stream; nil for a stream that the engine does not know.
  ///
  /// Never blocks.
  func progress(of stream: StreamToken) -> StreamProgress?
  /// The ID of the process in which the engine runs; nil if that is the player's process, and while no process runs.
  var processID: Int32? { get }
  /// The restrictions of that process, such as `Landlock 7, seccomp`, or `off`; nil while there is none.
  var restrictions: String? { get }
  /// Closes the engine, which reports nothing afterwards; every later call is ignored.
  func close()
  /// Waits until the engine has released all its resources.
  func closed() async
}

extension PlaybackEngine {
  /// Nil: the engine runs in the process of the player.
  public var processID: Int32? { nil }

  /// Nil: the process of the player is not restricted.
  public var restrictions: String? { nil }
}

/// The player's interface for its engine.
public struct EngineClient: Sendable {
  /// Reports an event, on any thread; never blocks.
  public let report: @Sendable (EngineEvent) -> Void

  /// Creates a client.
  public init(report: @escaping @Sendable (EngineEvent) -> Void) { self.report = report }
}

/// Identifies one passage of one item through the engine: each opening is a new stream.
public struct StreamToken: Codable, Hashable, Sendable {
  /// A number that is unique within a player; a later stream has a larger one.
  public var number: UInt64

  /// Creates the token of a number.
  public init(number: UInt64) { self.number = number }
}

/// The properties of a stream that is ready to play, or whose seek has finished.
public struct StreamFacts: Codable, Equatable, Sendable {
  /// The duration of the media; nil if unknown.
  public var duration: Duration?
  /// Whether the position can be set.
  public var isSeekable: Bool
  /// Whether the media is live, and therefore cannot be paused or seeked.
  public var isLive: Bool
  /// The measured position; nil if unknown.
  public var position: Duration?
  /// The progress of a network stream.
  public var progress: StreamProgress
  /// Whether the position and all later ones are estimates, because the last seek went to a position that was computed
  /// from bytes.
  public var isEstimated = false

  /// Creates facts; the defaults describe a local file of unknown duration.
  public init(
    duration: Duration? = nil, isSeekable: Bool = true, isLive: Bool = false, position: Duration? = nil,
    progress: StreamProgress = StreamProgress()
  ) {
    self.duration = duration
    self.isSeekable = isSeekable
    self.isLive = isLive
    self.position = position
    self.progress = progress
  }
}
