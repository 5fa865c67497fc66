package import DBus

/// A player that carries out commands elsewhere, and replies when it knows the result.
package protocol LateMPRISPlayer: MPRISPlayer {
  /// Starts a command.
  ///
  /// Called on the message bus's thread, in the order of the calls; it must never block. `reply` is called once, on any
  /// thread, with the error, or nil for success.
  func perform(_ command: MPRISCommand, reply: @escaping @Sendable (DBusError?) -> Void)
}

extension LateMPRISPlayer {
  /// Starts a command without a reply.
  package func perform(_ command: MPRISCommand) throws(MPRISCommandError) { perform(command, reply: { _ in }) }

  /// Starts the command of a rule; nil is no operation.
  func begin(_ command: MPRISCommand?, _ reply: @escaping DBusMethod.Reply) {
    guard let command else { return reply(.success([])) }
    perform(command, reply: { error in reply(error.map { .failure($0) } ?? .success([])) })
  }
}
