package import DBus

/// How rows ask a player: a rule turns the request into a command, or into nothing, and the player performs it.
extension MediaPlayer {
  func method(
    _ declaration: MethodDeclaration,
    _ rule: @escaping @Sendable (PlayerSnapshot, [Value]) throws(DBusError) -> PlayerCommand?
  ) -> Method {
    Method(declaration) { call throws(DBusError) in
      try ask(rule(snapshot(), call.arguments))
      return []
    }
  }

  func setter(
    _ rule: @escaping @Sendable (PlayerSnapshot, Value) throws(DBusError) -> PlayerCommand?
  ) -> @Sendable (Value, Call) throws(DBusError) -> Void {
    { value, _ throws(DBusError) in try ask(rule(snapshot(), value)) }
  }

  private func ask(_ command: PlayerCommand?) throws(DBusError) {
    guard let command else { return }
    try refusing { () throws(CommandError) in try perform(command) }
  }
}

/// Runs a command; the caller is told why a player refuses it.
package func refusing<Result>(_ command: () throws(CommandError) -> Result) throws(DBusError) -> Result {
  do {
    return try command()
  } catch {
    switch error {
    case .notSupported(let text): throw .notSupported(text)
    case .accessDenied(let text): throw .accessDenied(text)
    case .invalid(let text): throw .invalidArguments(text)
    }
  }
}
