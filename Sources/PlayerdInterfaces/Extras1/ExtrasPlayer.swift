public import MPRISService

/// What a player offers for daily wishes: to stop by itself, to repeat a part, chapters, and the output.
public protocol ExtrasPlayer: Sendable {
  /// Accepts a command: when this returns, the snapshot shows what was asked for.
  ///
  /// Called on the message bus's thread, in the order of the calls; it must never block.
  ///
  /// - Throws: ``CommandError`` when the command is refused; nothing has changed then.
  func perform(_ command: ExtrasCommand) throws(CommandError)
}

/// What is asked over `org.playerd.Extras1`; the values have been checked for themselves.
public enum ExtrasCommand: Hashable, Sendable {
  /// Whether the player stops when the current track has ended.
  case setStopAfterCurrent(Bool)
  /// When the player pauses, and whether the track is then played to its end; nil for not at all.
  case setSleepTimer(Duration?, afterTrack: Bool)
  /// Which part of the current track is repeated; nil for none.
  case setABRepeat(Range<Duration>?)
  /// Go to where the next chapter starts.
  case nextChapter
  /// Go to where the chapter starts, or at its start, to the one before.
  case previousChapter
  /// List the outputs anew.
  case refreshAudioOutputs
  /// Play through the output of this id; empty for the one that was configured.
  case setAudioOutput(String)
}

/// What can be read of a player's extras at one moment; the properties of `org.playerd.Extras1`.
public struct ExtrasSnapshot: Hashable, Sendable {
  /// Whether the player stops when the current track has ended.
  public var stopsAfterCurrent = false
  /// When the sleep timer is due: microseconds of `CLOCK_MONOTONIC`; nil for none.
  public var sleepDeadline: Int64?
  /// Whether the track is played to its end then.
  public var sleepsAfterTrack = false
  /// The part of the current track that is repeated.
  public var abRepeat: Range<Duration>?
  /// The outputs, as they were listed last.
  public var audioOutputs: [AudioOutput] = []
  /// The id of the output that was chosen; empty for the one that was configured.
  public var audioOutput = ""

  /// Creates the snapshot of a player of which nothing was asked; the rest is assigned.
  public init() {}

  /// An output that sound can be played on.
  public struct AudioOutput: Hashable, Sendable {
    /// What it is chosen by.
    public var id: String
    /// What a person is shown.
    public var name: String
    /// Whether the sound system plays here by itself.
    public var isDefault: Bool

    /// Creates an output.
    public init(id: String, name: String, isDefault: Bool) {
      (self.id, self.name, self.isDefault) = (id, name, isDefault)
    }
  }
}
