/// An effect of a decision of the machine.
enum Effect: Equatable, Sendable {
  /// The engine carries out a command.
  case command(EngineCommand)
  /// A caller of `seek` gets its answer.
  case finishSeek(SeekTicket, Bool)
  /// Observers and readers of events get an event.
  case emit(PlayerEvent)
}
