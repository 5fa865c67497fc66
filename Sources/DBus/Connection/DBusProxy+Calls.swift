/// Calls and signals with Swift types.
extension DBusProxy {
  /// Calls a method with Swift values; the result has the types that the caller expects.
  ///
  /// ```swift
  /// let isOn: Bool = try await lamp.call(toggle)
  /// let sum: Int64 = try await lamp.call(add, Int32(1), Int32(2))
  /// ```
  /// - Throws: The errors of ``DBusConnection/call(on:at:of:_:_:timeout:)``; `InvalidArgs` if the arguments do not have the
  ///   declared types, or if the reply has other types than the result.
  @_disfavoredOverload
  public func call<each Input: DBusConvertible, each Output: DBusConvertible>(
    _ method: DBusMethodDeclaration, _ input: repeat each Input, timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> (repeat each Output) {
    let reply = try await reply(to: method, ArgumentReader.values(repeat each input), timeout)
    return try ArgumentReader.read(reply, of: method.name)
  }

  /// Calls a method with Swift values; the values of the reply are ignored.
  ///
  /// - Throws: The errors of a call with a result.
  public func perform<each Input: DBusConvertible>(
    _ method: DBusMethodDeclaration, _ input: repeat each Input, timeout: Duration = .seconds(25)
  ) async throws(DBusError) {
    _ = try await reply(to: method, ArgumentReader.values(repeat each input), timeout)
  }

  private func reply(
    to method: DBusMethodDeclaration, _ arguments: [DBusValue], _ timeout: Duration
  ) async throws(DBusError) -> [DBusValue] {
    let types = DBusSignature(of: arguments)
    guard types == method.input.signature else {
      throw .invalidArguments("method \(method.name) takes '\(method.input.signature)', not '\(types)'")
    }
    return try await connection.call(on: owner, at: path, of: name, method.name, arguments, timeout: timeout)
  }

  /// Subscribes to a signal of the object; ``DBusSignalMessage/contents()`` reads its arguments.
  ///
  /// - Throws: The errors of ``DBusConnection/signals(matching:)``.
  public func signals(
    _ signal: DBusSignal, firstArgument: String? = nil
  ) async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    try await connection.signals(
      matching: DBusMatchRule(
        sender: owner, path: path, interface: name, member: signal.name, firstArgument: firstArgument))
  }
}

extension DBusProxy {
  /// Calls a declared method and returns its result.
  ///
  /// - Throws: The errors of ``DBusConnection/call(on:at:of:_:_:timeout:)``; `Failed` if the reply has other types than
  ///   declared.
  package func call<each Argument, Output>(
    _ function: DBusFunction<(repeat each Argument), Output>, _ arguments: repeat each Argument
  ) async throws(DBusError) -> Output {
    let member = function.declaration.name
    let reply = try await connection.call(
      on: owner, at: path, of: name, member, function.input.values((repeat each arguments)), timeout: function.timeout)
    do {
      return try function.output.read(reply, member)
    } catch {
      throw .failed("\(owner) sent an invalid reply to \(member): \(error.message)")
    }
  }
}

extension DBusSignalMessage {
  /// Reads the arguments as the types that the caller expects.
  ///
  /// ```swift
  /// let message: String = try signal.contents()
  /// ```
  /// - Throws: `InvalidArgs` if an argument is missing or has another type. A peer can send any arguments.
  public func contents<each Content: DBusConvertible>() throws(DBusError) -> (repeat each Content) {
    try ArgumentReader.read(arguments, of: member)
  }
}
