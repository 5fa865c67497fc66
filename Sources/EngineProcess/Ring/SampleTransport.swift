package import Joining

/// Where a deck puts its samples: into the ring of its process, or into an inbox of this one.
package protocol SampleTarget: AnyObject, Sendable {
  /// Adds samples, or the end of a passage; never blocks.
  func put(_ entry: SampleEntry)
}

/// Where the output takes the samples of a deck.
package protocol SampleSource: AnyObject, Sendable {
  /// Removes and returns the entries that have arrived.
  func take() -> [SampleEntry]
  /// Notes that the samples of a passage before a frame were used.
  func use(_ passage: Passage, before frame: Int64)
}

/// Samples of a deck, or the end of a passage.
package enum SampleEntry: Sendable {
  /// Samples, whose memory may be used again after the last copy of the block is gone.
  case block(Block)
  /// Every sample of a passage was decoded.
  case ended(Passage)
}
