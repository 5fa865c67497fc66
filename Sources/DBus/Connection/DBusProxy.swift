/// An interface of a remote object, called through declarations of its members.
///
/// Calls to a unique name never start a service.
public struct DBusProxy: Sendable {
  /// The connection for the calls.
  public let connection: DBusConnection
  /// The bus name of the connection that serves the object.
  public let owner: BusName
  /// The path of the object.
  public let path: ObjectPath
  /// The name of the interface.
  public let name: InterfaceName

  /// Creates a reference to an interface; sends nothing.
  public init(_ name: InterfaceName, at path: ObjectPath, of owner: BusName, on connection: DBusConnection) {
    self.connection = connection
    self.owner = owner
    self.path = path
    self.name = name
  }

  /// Calls a method and returns the values of the reply.
  ///
  /// - Throws: The errors of ``DBusConnection/call(on:at:of:_:_:timeout:)``.
  @discardableResult
  public func call(
    _ method: DBusMethodDeclaration, _ arguments: DBusValue..., timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    try await connection.call(on: owner, at: path, of: name, method.name, arguments, timeout: timeout)
  }

  /// Returns the value of a property.
  public func get<State>(_ property: DBusProperty<State>) async throws(DBusError) -> DBusValue? {
    try await value(of: property.name)
  }

  /// Sets a property.
  public func set<State>(_ property: DBusProperty<State>, to value: DBusValue) async throws(DBusError) {
    try await setValue(of: property.name, to: value)
  }

  func value(of property: MemberName) async throws(DBusError) -> DBusValue? {
    try await standard(.get, .string(name.rawValue), .string(property.rawValue)).first?.asVariant
  }

  func setValue(of property: MemberName, to value: DBusValue) async throws(DBusError) {
    _ = try await standard(.set, .string(name.rawValue), .string(property.rawValue), .variant(value))
  }

  /// Returns the values of all properties by name.
  public func getAll() async throws(DBusError) -> [String: DBusValue] {
    try await standard(.getAll, .string(name.rawValue)).first?.asDictionary ?? [:]
  }

  /// Returns the introspection document of the object; waits at most 5 s.
  public func introspect() async throws(DBusError) -> String {
    try await standard(.introspect, timeout: .seconds(5)).first?.asString ?? ""
  }

  private func standard(
    _ method: StandardMethod, _ arguments: DBusValue..., timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    try await connection.call(on: owner, at: path, of: method.interface, method.row.name, arguments, timeout: timeout)
  }
}

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

/// Declared properties: reading, setting and observing.
extension DBusProxy {
  /// Returns the content of a property.
  ///
  /// - Throws: The error of the peer; `Failed` if the value has another type than declared.
  public func get<Content>(_ property: DBusPropertyDeclaration<Content>) async throws(DBusError) -> Content {
    let value = try await value(of: property.name)
    guard let content = value.flatMap({ Content(dbusValue: $0) }) else {
      throw .failed("property \(property.name) of \(owner) does not have type '\(Content.dbusType)'")
    }
    return content
  }

  /// Sets a property.
  public func set<Content>(
    _ property: DBusPropertyDeclaration<Content>, to content: Content
  ) async throws(DBusError) {
    try await setValue(of: property.name, to: content.dbusValue)
  }

  /// Returns a stream of the values of all properties by name: the values now, and after each change.
  ///
  /// The values are nil while the bus name is unowned; they are read again from each new owner. A property that a signal
  /// invalidates without its value is read again too. For a unique name, the stream finishes when this connection leaves the
  /// bus. If an owner does not have the object, the values are empty. The stream keeps only the newest values.
  ///
  /// This never starts a service.
  /// - Throws: The errors of the subscription, and of the first reading if the name is owned.
  public func propertyChanges() async throws(DBusError) -> AsyncStream<[String: DBusValue]?> {
    // The subscription comes first, so that no change after the first values is missed.
    let signals = try await connection.signals(
      matching: DBusMatchRule(
        sender: owner, path: path, interface: .properties, member: StandardMethod.propertiesChanged.name,
        firstArgument: name.rawValue),
      reportsOwner: true)
    let first = try await connection.ownerReply(for: owner)
    var initial: DBusPropertyCache?
    if let present = first.owner { initial = try await DBusPropertyCache(reading: self.of(present)) }
    return connection.stream(keeping: 1) { [initial] states in
      var cache = initial
      states.yield(cache?.values)
      for await signal in signals {
        let last = cache?.values
        if signal.nameWithNewOwner != owner.rawValue {
          await cache?.apply(signal)
        } else if signal.arrival > first.arrival {
          cache = nil
          if let present = signal.newOwner {
            // Fails if the owner has no such object or has left; the latter ends with another signal.
            let proxy = self.of(present)
            cache = (try? await DBusPropertyCache(reading: proxy)) ?? DBusPropertyCache(unread: proxy)
          }
        }
        if cache?.values != last { states.yield(cache?.values) }
      }
    }
  }

  /// Returns a stream of the content of a property: the content now, and after each change.
  ///
  /// The content is nil while the bus name is unowned, and if the value has another type than declared. The stream keeps
  /// only the newest content; ``propertyChanges()`` describes the rest.
  public func contents<Content: Equatable>(
    of property: DBusPropertyDeclaration<Content>
  ) async throws(DBusError) -> AsyncStream<Content?> {
    let states = try await propertyChanges()
    return connection.stream(keeping: 1) { contents in
      var last: Content??
      for await values in states {
        let content = values?[property]
        guard last != .some(content) else { continue }
        last = .some(content)
        contents.yield(content)
      }
    }
  }

  /// Returns the same interface of another connection.
  private func of(_ owner: BusName) -> DBusProxy { DBusProxy(name, at: path, of: owner, on: connection) }
}

extension [String: DBusValue] {
  /// Returns the value of a property from a dictionary of values by name; nil if it is missing.
  public subscript<State>(property: DBusProperty<State>) -> DBusValue? { self[property.name.rawValue] }
}

extension DBusConnection {
  /// Returns the objects of a service that implements ObjectManager: for each path the interfaces and their properties.
  ///
  /// `path` is the path of the object manager. To follow the changes, subscribe to the signals of
  /// ``InterfaceName/objectManager`` first.
  /// - Throws: `UnknownMethod` or `UnknownInterface` from a service without ObjectManager; the errors of a call.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-objectmanager>
  public func managedObjects(
    of name: BusName, at path: ObjectPath
  ) async throws(DBusError) -> [ObjectPath: [String: [String: DBusValue]]] {
    let method = DBusMethodDeclaration("GetManagedObjects", out: ["objects": "a{oa{sa{sv}}}"])
    return try await DBusProxy(.objectManager, at: path, of: name, on: self).call(method)
  }
}
