package import DBus

/// Handlers for rows: a rule turns the request into a command, or nil, and the player performs the command.
extension MPRISPlayer {
  func method(
    _ declaration: DBusMethodDeclaration, _ rule: @escaping @Sendable (MPRISSnapshot) -> MPRISCommand?
  ) -> DBusMethod {
    method(declaration) { player, _ in rule(player.snapshot()) }
  }

  func method(
    _ declaration: DBusMethodDeclaration,
    _ rule: @escaping @Sendable (any MPRISPlayer, DBusCall) throws(DBusError) -> MPRISCommand?
  ) -> DBusMethod {
    if let player = self as? any LateMPRISPlayer {
      return DBusMethod(
        declaration, later: { call, reply throws(DBusError) in player.begin(try rule(player, call), reply) })
    }
    return DBusMethod(declaration) { call throws(DBusError) in
      try perform(rule(self, call))
      return []
    }
  }

  func writable(
    _ row: PlayerInterface.Row,
    _ rule: @escaping @Sendable (MPRISSnapshot, DBusValue) throws(DBusError) -> MPRISCommand?
  ) -> PlayerInterface.Row {
    if let player = self as? any LateMPRISPlayer {
      return row.writable(later: { value, _, reply throws(DBusError) in
        player.begin(try rule(player.snapshot(), value), reply)
      })
    }
    return row.writable { value, _ throws(DBusError) in try perform(rule(snapshot(), value)) }
  }

  /// Performs the command of a rule; nil is no operation.
  func perform(_ command: MPRISCommand?) throws(DBusError) {
    if let command { try refusing { () throws(MPRISCommandError) in try perform(command) } }
  }
}

/// Runs a command and maps the refusal of the player to a D-Bus error.
package func refusing<Result>(_ command: () throws(MPRISCommandError) -> Result) throws(DBusError) -> Result {
  do {
    return try command()
  } catch {
    switch error {
    case .notSupported(let text): throw .notSupported(text)
    case .accessDenied(let text): throw .accessDenied(text)
    case .invalid(let text): throw .invalidArguments(text)
    case .limitExceeded(let text): throw .limitsExceeded(text)
    }
  }
}
