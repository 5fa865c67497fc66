/// The crossfade at the end of the current item, or the one with which it has begun.
///
/// Invariants: at most one stream exists beside the loaded one, and only while that is ready. `incoming` becomes `outgoing`
/// when the next item becomes current; any other change of the loaded stream, and a seek, release the second stream.
enum CrossfadePhase: Codable, Sendable {
  case none
  /// The stream of the next item is open beside the current one, and is not audible yet.
  case incoming(IncomingStream)
  /// The stream of the previous item fades out, while the current one fades in.
  case outgoing(OutgoingStream)
  /// The current item fades out without a second stream, because the output plays one stream only.
  case alone

  /// Whether the current item fades out or in, or is about to: the engine has its times.
  var isScheduled: Bool {
    switch self {
    case .none: false
    case .incoming(let stream): stream.isScheduled
    case .outgoing, .alone: true
    }
  }

  var incoming: IncomingStream? { if case .incoming(let stream) = self { stream } else { nil } }
  var outgoing: OutgoingStream? { if case .outgoing(let stream) = self { stream } else { nil } }

  /// The stream beside the loaded one; nil for none.
  var token: StreamToken? { incoming?.successor.token ?? outgoing?.token }

  /// Changes the stream of the next item, if it is `token`.
  mutating func updateIncoming(_ token: StreamToken, _ change: (inout IncomingStream) -> Void) {
    guard var stream = incoming, stream.successor.token == token else { return }
    change(&stream)
    self = .incoming(stream)
  }

  /// Sets the time until the next item is audible by the position at which the current one resumes.
  mutating func resume(at position: Duration, now: MonotonicTime) {
    guard case .incoming(var stream) = self, stream.hasStarted else { return }
    (stream.successor.remaining, stream.successor.since) = (max(.zero, stream.start - position), now)
    self = .incoming(stream)
  }

  /// Stops the second stream together with the loaded one.
  mutating func freeze(at now: MonotonicTime) {
    switch self {
    case .none, .alone: break
    case .incoming(var stream):
      stream.successor.freeze(at: now)
      self = .incoming(stream)
    case .outgoing(var stream):
      stream.anchor = PositionAnchor(position: stream.position(at: now))
      self = .outgoing(stream)
    }
  }

  /// Lets the second stream run together with the loaded one.
  mutating func run(from now: MonotonicTime) {
    switch self {
    case .none, .alone: break
    case .incoming(var stream):
      stream.successor.run(from: now)
      self = .incoming(stream)
    case .outgoing(var stream):
      guard !stream.anchor.isRunning else { return }
      stream.anchor = PositionAnchor(position: stream.anchor.position, instant: now, rate: 1)
      self = .outgoing(stream)
    }
  }
}

/// The stream of the next item, which the engine has opened beside that of the current one.
struct IncomingStream: Codable, Sendable {
  var successor: GaplessSuccessor
  /// The position of the current item at which the fade is to begin.
  var start: Duration
  /// The position of the current item at which the fade is to end: its duration, or where skipped silence begins.
  var end: Duration
  /// The time before `start` at which the engine must have the times.
  var lead: Duration
  /// Whether the engine has reported that the stream is ready to play.
  var isReady = false
  var isLive = false
  /// Whether the engine has the times.
  var isScheduled = false

  var length: Duration { end - start }
  /// Whether the engine has reported the start, which may lie ahead.
  var hasStarted: Bool { successor.hasStarted }
}

/// The stream of an item that a command has skipped.
struct SkippedStream: Codable, Sendable {
  let token: StreamToken
  /// The instant at which its fade-out has ended.
  var end: MonotonicTime
}

/// The stream of the item before the current one, which fades out until its end.
struct OutgoingStream: Codable, Sendable {
  @RecordedItem var item: Player.Item
  let token: StreamToken
  /// The position over time; it stands while the current item stands.
  var anchor: PositionAnchor
  /// The position at which it ends.
  var duration: Duration

  func position(at now: MonotonicTime) -> Duration { min(anchor.position(at: now), duration) }

  /// The instant of the last sample; nil while the stream stands.
  var end: MonotonicTime? { anchor.outputInstant(reaching: duration) }
}
