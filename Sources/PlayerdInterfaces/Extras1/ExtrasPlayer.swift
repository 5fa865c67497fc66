package import MPRISService

/// A player with extra functions: automatic stop, A-B repeat, chapters and output selection.
package protocol ExtrasPlayer: Sendable {
  /// Accepts a command: when this returns, the snapshot shows the requested state.
  ///
  /// Called on the message bus's thread, in the order of the calls; it must never block.
  ///
  /// - Throws: ``MPRISCommandError`` if the command is refused; the state is then unchanged.
  func perform(_ command: ExtrasCommand) throws(MPRISCommandError)
}

/// A command of `org.playerd.Extras1` with checked values.
package enum ExtrasCommand: Hashable, Sendable {
  /// Sets whether the player stops at the end of the current track.
  case setStopAfterCurrent(Bool)
  /// Sets the delay until the player pauses, and whether it plays the track to its end then; nil turns the timer off.
  case setSleepTimer(Duration?, afterTrack: Bool)
  /// Sets the range of the current track that is repeated; nil for none.
  case setABRepeat(Range<Duration>?)
  /// Seeks to the start of the next chapter.
  case nextChapter
  /// Seeks to the start of the chapter, or, if already there, of the previous one.
  case previousChapter
  /// Lists the outputs again.
  case refreshAudioOutputs
  /// Plays through the output with this ID; empty for the configured one.
  case setAudioOutput(String)
}

/// The state of the extra functions at one time: the properties of `org.playerd.Extras1`.
package struct ExtrasSnapshot: Hashable, Sendable {
  package var stopsAfterCurrent = false
  /// The time at which the sleep timer expires, in microseconds of `CLOCK_MONOTONIC`; nil for none.
  package var sleepDeadline: Int64?
  /// Whether the player then plays the track to its end.
  package var sleepsAfterTrack = false
  /// The range of the current track that is repeated.
  package var abRepeat: Range<Duration>?
  /// The outputs in the last listing.
  package var audioOutputs: [AudioOutput] = []
  /// The ID of the selected output; empty for the configured one.
  package var audioOutput = ""

  package init() {}

  package struct AudioOutput: Hashable, Sendable {
    package var id: String
    package var name: String
    /// Whether this is the default of the sound system.
    package var isDefault: Bool

    package init(id: String, name: String, isDefault: Bool) {
      (self.id, self.name, self.isDefault) = (id, name, isDefault)
    }
  }
}
