/// One call of `seek` whose caller awaits the result.
struct SeekTicket: Codable, Hashable, Sendable {
  var number: UInt64
}

/// The target of a seek.
struct SeekTarget: Codable, Equatable, Sendable {
  var position: Duration
  var ticket: SeekTicket?
  /// The distance from the position at which the seek may end.
  var tolerance = Player.SeekTolerance.zero
}

/// A seek that the engine carries out, and the latest one requested in the meantime.
///
/// GStreamer reports several seeks by one message that names none of them, so one is carried out at a time. The demuxer
/// decides where a tolerant seek lands, whatever the flags; a result outside of the tolerance is sought again, exactly.
struct EngineSeek: Codable, Equatable, Sendable {
  var target: SeekTarget
  /// The seek that follows this one.
  fileprivate(set) var next: SeekTarget?
  /// Whether the seek is not reported as a jump: it only sets the start of a stream, or keeps its position.
  var isSilent = false
  /// The position before the first of several seeks.
  var origin: Duration

  /// The position that readers see.
  var shown: Duration { next?.position ?? target.position }

  init(to target: SeekTarget, from origin: Duration, isSilent: Bool = false) {
    (self.target, self.origin, self.isSilent) = (target, origin, isSilent)
  }
}

/// The position at which a stream is to start, or the seek in it, and the callers that await one of them.
///
/// ```
/// idle ◀── ready ── starting      (while the stream loads)
///   └──begin──▶ seeking ──settled──▶ done, or another seek
///                  └──refused, abandoned──▶ idle ◀── refused ── done
/// ```
///
/// Invariants: only a stream that loads starts, and only one that is ready seeks. The engine carries out one seek at a time;
/// the last of the later ones follows it. A function that removes a ticket returns its reply, or the ticket itself.
struct SeekState: Codable, Sendable {
  private enum Stage: Codable, Sendable {
    case idle
    case starting(SeekTarget)
    case seeking(EngineSeek)
    /// The last seek was reported as done.
    ///
    /// The report may belong to a pause shortly before the seek; the seek can still be refused then.
    case done(EngineSeek)
  }

  /// The replies to callers.
  typealias Replies = [(ticket: SeekTicket, isDone: Bool)]

  private var stage = Stage.idle

  /// The position at which the stream is to start; nil for the beginning, and once it is ready.
  private var start: SeekTarget? { if case .starting(let start) = stage { start } else { nil } }
  /// The seek that the engine carries out.
  private var current: EngineSeek? { if case .seeking(let seek) = stage { seek } else { nil } }

  var isStarting: Bool { if case .starting = stage { true } else { false } }
  /// Whether the engine carries out a seek.
  var isSeeking: Bool { if case .seeking = stage { true } else { false } }
  /// Whether another seek follows the present one.
  var hasNext: Bool { current?.next != nil }
  /// The position that readers see; nil unless it is the target of a start or of a seek.
  var shown: Duration? {
    switch stage {
    case .idle, .done: nil
    case .starting(let start): start.position
    case .seeking(let seek): seek.shown
    }
  }
  /// The position before the seek in progress.
  var origin: Duration? { current?.origin }
  /// Whether the seek in progress is reported as a jump.
  var isReported: Bool { current.map { !$0.isSilent } ?? false }

  private static func replies(_ tickets: SeekTicket?..., isDone: Bool) -> Replies {
    tickets.compactMap { ticket in ticket.map { ($0, isDone) } }
  }

  // MARK: The start of a stream that loads

  /// Starts at a position other than the beginning; returns the replies to the callers that await an earlier start.
  mutating func start(at target: SeekTarget) -> Replies {
    defer { stage = .starting(target) }
    return Self.replies(start?.ticket, isDone: false)
  }

  /// Removes the ticket of the start, whose caller is to await the start of another stream.
  mutating func takeStartTicket() -> SeekTicket? {
    guard var start, let ticket = start.ticket.take() else { return nil }
    stage = .starting(start)
    return ticket
  }

  /// Removes the start, because the stream is ready; the caller replies to its ticket.
  mutating func takeStart() -> SeekTarget? {
    guard let start else { return nil }
    stage = .idle
    return start
  }

  // MARK: Seeks in a stream that is ready

  /// Begins a seek.
  mutating func begin(_ seek: EngineSeek) {
    assert(!isSeeking, "the callers of another seek get no reply")
    stage = .seeking(seek)
  }

  /// Lets another seek follow the one in progress; returns the replies to the callers that await an earlier one.
  mutating func follow(with target: SeekTarget) -> Replies {
    guard var seek = current else { return Self.replies(target.ticket, isDone: false) }
    let replies = Self.replies(seek.target.ticket, seek.next?.ticket, isDone: false)
    seek.target.ticket = nil
    (seek.next, seek.isSilent) = (target, false)
    stage = .seeking(seek)
    return replies
  }

  /// Lets a seek to the same position follow the one in progress, unless another one does.
  mutating func repeatTarget() {
    guard var seek = current, seek.next == nil else { return }
    seek.next = SeekTarget(position: seek.target.position, ticket: seek.target.ticket.take())
    stage = .seeking(seek)
  }

  /// The result of a seek that the engine reports as done.
  enum Outcome {
    /// Another seek is to begin.
    case further(EngineSeek)
    /// The position of the stream is `position`, which is not the target of a seek with a tolerance.
    case landed(EngineSeek, at: Duration)
  }

  /// Ends the seek in progress at a measured position; nil if there is none.
  mutating func finish(at measured: Duration?) -> (outcome: Outcome, replies: Replies)? {
    guard var seek = current else { return nil }
    if let next = seek.next {
      stage = .idle
      let further = EngineSeek(to: next, from: seek.origin, isSilent: seek.isSilent)
      return (.further(further), Self.replies(seek.target.ticket, isDone: true))
    }
    var landed = seek.target.position
    if !seek.target.tolerance.isExact {
      // The stream may only support other positions than the requested one; the requested tolerance still applies.
      guard let measured, seek.target.tolerance.allows(measured, for: landed) else {
        stage = .idle
        seek.target.tolerance = .zero
        return (.further(seek), [])
      }
      landed = measured
    }
    let replies = Self.replies(seek.target.ticket.take(), isDone: true)
    stage = .done(seek)
    return (.landed(seek, at: landed), replies)
  }

  /// Ends a seek that the engine has refused; returns nil if there was none.
  ///
  /// `isLate` is true if it was reported as done before.
  mutating func refuse() -> (seek: EngineSeek, isLate: Bool, replies: Replies)? {
    switch stage {
    case .idle, .starting: return nil
    case .seeking(let seek): return (seek, false, abandon())
    case .done(let seek):
      stage = .idle
      return (seek, true, [])
    }
  }

  /// Finishes every pending seek with false; the seek that the engine has begun is carried out, but no later one.
  mutating func cancel() -> Replies {
    if var seek = current {
      let replies = Self.replies(seek.target.ticket.take(), seek.next.take()?.ticket, isDone: false)
      stage = .seeking(seek)
      return replies
    }
    return takeStartTicket().map { [($0, false)] } ?? []
  }

  /// Ends everything with false.
  mutating func abandon() -> Replies {
    defer { stage = .idle }
    return Self.replies(start?.ticket, current?.target.ticket, current?.next?.ticket, isDone: false)
  }
}
