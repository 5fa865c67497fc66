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

extension [String: DBusValue] {
  /// Returns the value of a property from a dictionary of values by name; nil if it is missing.
  public subscript<State>(property: DBusProperty<State>) -> DBusValue? { self[property.name.rawValue] }
}
