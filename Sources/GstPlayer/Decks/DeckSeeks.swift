import Joining

/// The seeks of a deck: the one that waits, the last one that was sent, and its repetition.
///
/// - Of several seeks that wait, only the newest one is sent.
/// - A seek that has missed its target is sent again. An end that arrives before the flush of this repetition belongs to the wrong
///   data: it is withheld, and becomes the end of the passage if the seek is not repeated after all.
struct DeckSeeks {
  struct Seek: Sendable {
    var passage: Passage
    var target: Duration
    var exactly: Bool
    var format: PCMFormat?
  }

  /// A repetition of a seek, until its flush.
  private struct Repetition {
    /// The number of the seek that missed.
    let seek: UInt64
    /// The passage that has ended since.
    var ended: Passage?
  }

  private var waiting: Seek?
  /// The last seek that was sent, which may have to be repeated.
  private(set) var sent: Seek?
  private var repetition: Repetition?

  /// Begins with the seek to the start of a stream; nil if it begins at its beginning.
  init(_ start: Seek?) { waiting = start }

  /// Replaces the seek that waits.
  mutating func request(_ seek: Seek) { waiting = seek }

  /// Removes the seek that waits, which is sent now.
  mutating func send() -> Seek? {
    guard let seek = waiting.take() else { return nil }
    sent = seek
    return seek
  }

  /// Removes the seek that waits, which cannot be sent.
  mutating func refuse() -> Seek? { waiting.take() }

  /// Notes that the data of a seek is too far from its target.
  mutating func noteMissed(_ number: UInt64) { repetition = Repetition(seek: number) }

  /// Notes that a seek that has missed its target is not repeated; returns the passage that has ended since.
  mutating func giveUpRepetition(of number: UInt64) -> Passage? {
    repetition?.seek == number ? repetition.take()?.ended : nil
  }

  /// Notes the end of a passage; returns whether it is withheld.
  mutating func withholdsEnd(of passage: Passage) -> Bool {
    repetition?.ended = passage
    return repetition != nil
  }

  /// Notes that the data of the last seek follows.
  mutating func flushed() { repetition = nil }
}
