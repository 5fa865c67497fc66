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
/// GStreamer reports several seeks by one message that names none of them, so one is carried out at a time. The demuxer
/// decides where a tolerant seek lands, whatever the flags; a result outside of the tolerance is sought again, exactly.
///
/// Invariant: the code that removes a ticket sends its reply.
struct SeekState: Codable, Equatable, Sendable {
  var target: SeekTarget
  /// The seek that follows this one.
  var next: SeekTarget?
  /// Whether the seek is not reported as a jump: it only sets the start of a stream, or keeps its position.
  var isSilent = false
  /// The position before the first of several seeks.
  var origin: Duration

  /// The position that readers see.
  var shown: Duration { next?.position ?? target.position }
}
