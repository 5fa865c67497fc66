/// An effect of a decision of the machine.
enum Effect: Equatable, Sendable {
  /// The engine carries out a command.
  case command(EngineCommand)
  /// The source of loudness measures these files ahead, see ``LoudnessSource/announce(_:)``.
  case announceFiles([[String]])
  /// The source of loudness reports the known loudness of a file, see ``LoudnessSource/request(_:for:asSuccessor:)``.
  case requestLoudness(of: String, for: StreamToken, asSuccessor: Bool)
  /// A caller of `seek` receives the result.
  case finishSeek(SeekTicket, Bool)
  /// Observers and readers of events receive an event.
  case emit(Player.Event)
  /// The error log receives an entry.
  case log(Player.ErrorLogEntry)
}
