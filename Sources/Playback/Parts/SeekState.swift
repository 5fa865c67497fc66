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

/// The seek that the engine carries out, and the latest one requested in the meantime.
///
/// Invariants: a refused seek restores `previous`. The code that removes a ticket sends its reply.
struct SeekState: Codable, Equatable, Sendable {
  var target: SeekTarget
  /// The seek that follows this one.
  var next: SeekTarget?
  /// Whether the seek is not reported as a jump: it only sets the start of a stream, or keeps its position.
  var isSilent = false
  /// The position before the first of several seeks.
  var origin: Duration
  /// The segment that stays if the seek is refused.
  var previous = Segment()

  /// The position that readers see.
  var shown: Duration { next?.position ?? target.position }
}

/// The part of a stream's media that the engine plays, and its rate.
struct Segment: Codable, Equatable, Sendable {
  var rate = 1.0
  /// The media time at which the segment stops before the end of the media.
  var end: Duration?
  /// The media time at which the output ends the stream before that.
  var cut: Duration?

  /// The media time at which playback stops; nil for the end of the media.
  var stop: Duration? { cut ?? end }
}
