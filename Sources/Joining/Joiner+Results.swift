extension Joiner {
  /// The result of ``Joiner/next(_:lead:)``.
  package enum Step: Equatable, Sendable {
    /// The next samples of the output, interleaved.
    case samples([UInt8])
    /// Samples of this passage are needed, and its deck has not decoded them.
    case waiting(Passage)
    /// The next part begins too far ahead of the audible sample: continues when this frame is audible.
    case holding(until: Int64)
    /// The next part has another format: continues after ``Joiner/reopened(_:)``, when all frames have been played.
    case reopening(PCMFormat)
    /// Nothing is left of the plan.
    case ended
  }

  /// An event of the output that a listener can notice.
  package enum Event: Equatable, Sendable {
    /// A part is audible from this media time on.
    case began(Part.ID, at: Duration)
    /// The last sample of a part was audible; its media ended at this time.
    case ended(Part.ID, at: Duration)
  }
}
