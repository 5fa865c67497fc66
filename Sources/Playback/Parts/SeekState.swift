/// One call of `seek` that somebody waits for.
struct SeekTicket: Hashable, Sendable {
  var number: UInt64
}

/// A position to be reached.
struct SeekTarget: Equatable, Sendable {
  var position: Duration
  var ticket: SeekTicket?
  /// How far from the position the seek may end.
  var tolerance = Player.SeekTolerance.zero
}

/// A seek that the engine carries out, and the newest one requested meanwhile.
///
/// Invariants: a seek that is refused restores `previous`. A ticket is answered by whoever takes it out.
struct SeekState: Equatable, Sendable {
  var target: SeekTarget
  /// The seek that follows this one.
  var next: SeekTarget?
  /// Whether no jump is reported: the seek only places a stream, or keeps its position.
  var isSilent = false
  /// The position before the first of several seeks.
  var origin: Duration
  /// The segment that stays if the seek is refused.
  var previous = Segment()

  /// The position that readers see.
  var shown: Duration { next?.position ?? target.position }

  var tickets: [SeekTicket] { [target.ticket, next?.ticket].compactMap { $0 } }
}

/// The part of a stream's media that the engine plays, and how fast.
struct Segment: Equatable, Sendable {
  var rate = 1.0
  /// The media time at which the segment stops before the end of the media.
  var end: Duration?
  /// The media time at which the output ends the stream before that.
  var cut: Duration?

  /// The media time at which playback stops; nil for the end of the media.
  var stop: Duration? { cut ?? end }
}
