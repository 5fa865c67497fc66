package import DBus
package import MPRISService

/// A player with extra functions: automatic stop, A-B repeat, chapters and output selection.
package protocol ExtrasPlayer: Sendable {
  /// Accepts a command: when this returns, the snapshot shows the requested state.
  ///
  /// Called on the message bus's thread, in the order of the calls; it must never block.
  ///
  /// - Throws: ``MPRISCommandError`` if the command is refused; the state is then unchanged.
  func perform(_ command: ExtrasCommand) throws(MPRISCommandError)

  /// Lists the outputs again and plays through the one with this ID; an empty ID means the configured output.
  ///
  /// - Returns: Whether the output exists; if not, the present one is kept.
  func setAudioOutput(_ id: String) async -> Bool
}

/// A command of `org.playerd.Extras1` with checked values.
package enum ExtrasCommand: Hashable, Sendable {
  /// Sets the number of tracks, the current one included, after which the player stops; 0 for none.
  case setStopAfterTracks(Int)
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
  /// Sets the time in which the end of a track and the start of the next one are audible together; zero for none.
  case setCrossfade(Duration)
  /// Sets the same at Next, Previous and other choices of a track.
  case setCrossfadeOnSkip(Duration)
  /// Sets whether each track leaves the queue when it was played.
  case setConsume(Bool)
}

/// The state of the extra functions at one time: the properties of `org.playerd.Extras1`.
package struct ExtrasSnapshot: Hashable, Sendable {
  /// The number of tracks, the current one included, after which the player stops; 0 for none.
  package var stopsAfterTracks = 0
  /// Whether the player stops at the end of the current track.
  package var stopsAfterCurrent: Bool { stopsAfterTracks == 1 }
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
  package var crossfade = Duration.zero
  package var crossfadeOnSkip = Duration.zero
  /// Whether each track leaves the queue when it was played.
  package var consumes = false
  /// The name of the other player for which playback is paused; empty for none.
  package var pausedFor = ""
  /// The URI of the folder of the book that the current track belongs to; empty for none.
  package var book = ""

  package init() {}

  package struct AudioOutput: Hashable, DBusConvertible {
    package var id: String
    package var name: String
    /// Whether this is the default of the sound system.
    package var isDefault: Bool

    package init(id: String, name: String, isDefault: Bool) {
      (self.id, self.name, self.isDefault) = (id, name, isDefault)
    }

    package static let dbusType: DBusSignature = "(ssb)"

    package init?(dbusValue: DBusValue) {
      guard case .structure(let fields) = dbusValue, fields.count == 3, let id = fields[0].asString,
        let name = fields[1].asString, let isDefault = fields[2].asBool
      else { return nil }
      self.init(id: id, name: name, isDefault: isDefault)
    }

    package var dbusValue: DBusValue { .structure([.string(id), .string(name), .boolean(isDefault)]) }
  }
}
