/// An interface of an object of another connection, whose members are named by their declarations.
///
/// A call to a unique name never starts a service.
public struct RemoteInterface: Sendable {
  /// The connection that calls.
  public let connection: Connection
  /// The bus name of the connection that serves the object.
  public let owner: BusName
  /// The object.
  public let path: ObjectPath
  /// The interface.
  public let name: InterfaceName

  /// Names an interface; nothing is sent.
  public init(_ name: InterfaceName, at path: ObjectPath, of owner: BusName, on connection: Connection) {
    self.connection = connection
    self.owner = owner
    self.path = path
    self.name = name
  }

  /// Calls a method and returns the values of the reply.
  ///
  /// - Throws: The errors of ``Connection/call(on:at:of:_:_:timeout:)``.
  @discardableResult
  public func call(
    _ method: MethodDeclaration, _ arguments: Value..., timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [Value] {
    try await connection.call(on: owner, at: path, of: name, method.name, arguments, timeout: timeout)
  }

  /// Returns the value of a property.
  public func get<State>(_ property: Property<State>) async throws(DBusError) -> Value? {
    try await standard(.get, .string(name.rawValue), .string(property.name.rawValue)).first?.asVariant
  }

  /// Sets a property.
  public func set<State>(_ property: Property<State>, to value: Value) async throws(DBusError) {
    _ = try await standard(.set, .string(name.rawValue), .string(property.name.rawValue), .variant(value))
  }

  /// Returns the values of all properties by name.
  public func getAll() async throws(DBusError) -> [String: Value] {
    try await standard(.getAll, .string(name.rawValue)).first?.asDictionary ?? [:]
  }

  /// Returns the introspection document of the object; waits at most 5 s.
  public func introspect() async throws(DBusError) -> String {
    try await standard(.introspect, timeout: .seconds(5)).first?.asString ?? ""
  }

  private func standard(
    _ method: StandardMethod, _ arguments: Value..., timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [Value] {
    try await connection.call(on: owner, at: path, of: method.interface, method.row.name, arguments, timeout: timeout)
  }
}

extension [String: Value] {
  /// The value of a property among values by name; nil when it is missing.
  public subscript<State>(property: Property<State>) -> Value? { self[property.name.rawValue] }
}
