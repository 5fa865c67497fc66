/// An effect of a decision of the machine.
enum Effect: Equatable, Sendable {
  /// The engine carries out a command.
  case command(EngineCommand)
  /// A caller of `seek` receives the result.
  case finishSeek(SeekTicket, Bool)
  /// Observers and readers of events receive an event.
  case emit(Player.Event)
  /// The error log receives an entry.
  case log(Player.ErrorLogEntry)
}
