/// The arguments of a method or signal by name, each of one complete type: `["Offset": "x"]`.
public typealias Arguments = KeyValuePairs<String, Signature>

/// A method call, as a handler sees it.
public struct Call: Sendable {
  /// The unique name of the caller.
  public let sender: BusName
  /// The method's name.
  public let member: MemberName
  /// The arguments, whose types are those of the row.
  public let arguments: [Value]
  /// Whether the caller wants a reply; when false, none is sent, not even an error.
  public let expectsReply: Bool
}

/// The name and the arguments of a method, declared once for the row that serves it and for the clients that call it.
public struct MethodDeclaration: Sendable {
  /// The method's name.
  public let name: MemberName
  let input: ArgumentList
  let output: ArgumentList

  /// Declares a method and its arguments in and out.
  public init(_ name: MemberName, in input: Arguments = [:], out output: Arguments = [:]) {
    (self.name, self.input, self.output) = (name, ArgumentList(input), ArgumentList(output))
  }
}

/// A row of an interface: one method.
///
/// The handler runs on the connection's loop, one call at a time and in the order of the calls; it must not block.
public struct Method: Sendable {
  /// What runs a call and returns the values of the reply.
  public typealias Handler = @Sendable (Call) throws(DBusError) -> [Value]
  /// What sends the reply of a call, once, from any thread.
  public typealias Reply = @Sendable (Result<[Value], DBusError>) -> Void
  /// What takes a call whose reply has to wait for something; a call that it throws for is answered at once.
  public typealias LateHandler = @Sendable (Call, @escaping Reply) throws(DBusError) -> Void

  enum Handling: Sendable {
    case atOnce(Handler)
    case later(LateHandler)
  }

  let declaration: MethodDeclaration
  let handling: Handling

  var name: MemberName { declaration.name }

  /// Declares a method, its arguments in and out, and what runs it.
  public init(_ name: MemberName, in input: Arguments = [:], out output: Arguments = [:], _ handler: @escaping Handler)
  {
    self.init(MethodDeclaration(name, in: input, out: output), handler)
  }

  /// Creates the row of a declared method from what runs it.
  public init(_ declaration: MethodDeclaration, _ handler: @escaping Handler) {
    (self.declaration, handling) = (declaration, .atOnce(handler))
  }

  /// Creates the row of a declared method whose reply is sent later; the calls after it do not wait for it.
  public init(_ declaration: MethodDeclaration, later handler: @escaping LateHandler) {
    (self.declaration, handling) = (declaration, .later(handler))
  }
}

/// How the world learns that a property has changed.
///
/// The annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`:
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#introspection-format>
public enum ChangeSignal: String, Sendable {
  /// PropertiesChanged carries the new value.
  case value = "true"
  /// PropertiesChanged carries the name only.
  case invalidates = "invalidates"
  /// There is no signal.
  case never = "false"
  /// The value never changes.
  case constant = "const"
}

/// What takes a property's new value; it throws for one that is not acceptable.
public typealias PropertySetter = @Sendable (_ value: Value, _ call: Call) throws(DBusError) -> Void

/// A row of an interface: one property, read from an immutable state.
public struct Property<State: Sendable>: Sendable {
  /// The property's name.
  public let name: MemberName
  let signature: Signature
  let changes: ChangeSignal
  let get: @Sendable (State) -> Value
  let set: PropertySetter?
  let differs: (@Sendable (_ old: State, _ new: State) -> Bool)?

  /// Declares a property of one complete type.
  ///
  /// The setter receives a value of exactly this type: a number of another type is converted before. Without a setter
  /// the property is read-only. `differs` replaces the comparison of two values where it would be expensive.
  public init(
    _ name: MemberName, _ signature: Signature, changes: ChangeSignal = .value,
    differs: (@Sendable (_ old: State, _ new: State) -> Bool)? = nil,
    get: @escaping @Sendable (State) -> Value, set: PropertySetter? = nil
  ) {
    precondition(signature.isSingle, "property \(name): '\(signature)' is not one complete type")
    self.name = name
    self.signature = signature
    self.changes = changes
    self.differs = differs
    self.get = get
    self.set = set
  }

  /// Returns the same row with a setter.
  public func writable(_ set: @escaping PropertySetter) -> Self {
    Property(name, signature, changes: changes, differs: differs, get: get, set: set)
  }
}

/// A row of an interface: one signal.
public struct Signal: Sendable {
  /// The signal's name.
  public let name: MemberName
  let arguments: ArgumentList

  /// Declares a signal and its arguments.
  public init(_ name: MemberName, _ arguments: Arguments = [:]) {
    self.name = name
    self.arguments = ArgumentList(arguments)
  }
}

/// An interface as a table: one row for each member, and everything else comes from the rows.
///
/// Introspection XML, Get, GetAll, Set, type checks and PropertiesChanged are all derived; nothing is declared twice.
public struct Interface<State: Sendable>: Sendable {
  /// The interface's name.
  public let name: InterfaceName
  let methods: [Method]
  let properties: [Property<State>]
  let signals: [Signal]
  let isUnchanged: (@Sendable (_ old: State, _ new: State) -> Bool)?

  /// Declares an interface from its rows.
  ///
  /// `isUnchanged` returns true for two states of which no property differs; the rows are not compared then. Without it,
  /// they are compared at each publish.
  public init(
    _ name: InterfaceName, methods: [Method] = [], properties: [Property<State>] = [], signals: [Signal] = [],
    isUnchanged: (@Sendable (_ old: State, _ new: State) -> Bool)? = nil
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
    self.isUnchanged = isUnchanged
  }

  /// Returns the same interface for an object whose state contains the state of this one.
  public func reading<Whole>(_ part: @escaping @Sendable (Whole) -> State) -> Interface<Whole> {
    let rows = properties.map { row in
      Property<Whole>(
        row.name, row.signature, changes: row.changes,
        differs: row.differs.map { differs in { @Sendable old, new in differs(part(old), part(new)) } },
        get: { row.get(part($0)) }, set: row.set)
    }
    return Interface<Whole>(
      name, methods: methods, properties: rows, signals: signals,
      isUnchanged: isUnchanged.map { isUnchanged in { @Sendable old, new in isUnchanged(part(old), part(new)) } })
  }
}

/// Arguments, and their types as one signature.
struct ArgumentList: Sendable {
  let arguments: [(name: String, type: Signature)]
  let signature: Signature

  init(_ pairs: Arguments) {
    for (name, type) in pairs { precondition(type.isSingle, "argument \(name): '\(type)' is not one complete type") }
    arguments = pairs.map { ($0.key, $0.value) }
    signature = Signature(unchecked: pairs.map(\.value.rawValue).joined())
  }
}
