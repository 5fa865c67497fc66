package import DBus

/// Handlers for rows: a rule turns the request into a command, or nil, and the player performs the command.
extension MPRISPlayer {
  func method(
    _ declaration: DBusMethodDeclaration, _ rule: @escaping @Sendable (MPRISSnapshot) -> MPRISCommand?
  ) -> DBusMethod {
    DBusMethod(declaration, calling: { () throws(DBusError) in try perform(rule(snapshot())) })
  }

  func setter(
    _ rule: @escaping @Sendable (MPRISSnapshot, DBusValue) throws(DBusError) -> MPRISCommand?
  ) -> @Sendable (DBusValue, DBusCall) throws(DBusError) -> Void {
    { value, _ throws(DBusError) in try perform(rule(snapshot(), value)) }
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
