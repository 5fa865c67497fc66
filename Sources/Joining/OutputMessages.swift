package import Playback

/// A command to the output of an engine.
///
/// The samples come from the decks, in the order in which each has decoded them.
package enum OutputCommand: Codable, Equatable, Sendable {
  /// Replaces the plan: the current part first, then the parts that follow it.
  case plan([Part], from: PlanEdit)
  /// Discards the samples of a passage.
  case discard(Passage)
  /// Replaces all settings.
  case settings(EngineSettings)
  case setPlaying(Bool)
  /// Starts the next samples of a plan at an instant, instead of the written samples; nil for at once.
  case start(at: MonotonicTime?, [Part])
  /// Changes the volume of everything from now on; from the present volume, unless another one is given.
  ///
  /// A change to silence is reported by ``OutputEvent/fadeOutEnds(in:)``.
  case fade(from: Double?, to: Double, over: Duration)
  /// Closes and opens the device.
  case reopen
  /// Plays nothing more, and releases the device once the last samples were played.
  case end
  /// Requests ``OutputReport/sampled(_:)``, if the part sounds.
  case sample(Part.ID)
  /// Requests ``OutputReport/tail(_:_:)`` of a passage.
  case tail(Passage)

  /// The maximum number of parts of a plan: the audible part, parts that fade out, and parts that follow.
  package static let partLimit = 16
}

/// The frame from which on a changed plan is audible.
package enum PlanEdit: Codable, Equatable, Sendable {
  /// The first frame that can be replaced, because a volume has changed.
  case now
  /// The first frame for which the plan differs from the written samples.
  case difference
}

/// A report of the output of an engine.
package enum OutputReport: Codable, Sendable {
  /// The audible media time of a part.
  package struct Position: Codable, Equatable, Sendable {
    package var part: Part.ID
    package var time: Duration

    package init(_ part: Part.ID, _ time: Duration) { (self.part, self.time) = (part, time) }
  }

  /// A part is audible from now on.
  case began(Position)
  /// The last sample of a part was played.
  case ended(Position)
  /// A part that was to fade out does not sound; its media time is nil if it never did.
  case silent(Part.ID, at: Duration?)
  /// The audible parts continue, after the output was opened, flushed or paused, or after ``dry(_:)``.
  case resumed([Position])
  /// The output has samples, and has not begun to play within the time that it has for that.
  case startMissed([Position])
  /// The last sample of the plan was played.
  case playedOut
  /// The output is silent, because the samples of this passage are missing.
  case dry(Passage)
  /// The next samples of a passage are missing; the output has other samples for this time. With `isDecoding`, the passage has had
  /// samples.
  case owed(Passage, rest: Duration, isDecoding: Bool)
  /// The samples of ``owed(_:rest:isDecoding:)`` have arrived, or the passage has ended.
  case supplied(Passage)
  /// All samples of a passage up to this media time are decoded; it is the end of its part, or later.
  case decoded(Passage, until: Duration)
  /// The position of a part that sounds, as requested.
  case sampled(Position)
  /// The samples of a passage that have arrived end at this media time; zero if there are none.
  case tail(Passage, Duration)
  /// The deck of a passage has to convert it to this format, for an overlap.
  case conversion(Passage, PCMFormat)
  case event(OutputEvent)
  /// A condition that is worth a line in the log.
  case warning(String)
}
