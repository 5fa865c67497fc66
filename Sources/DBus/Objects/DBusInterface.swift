/// The named arguments of a method or signal, each of one complete type: `["Offset": "x"]`.
public typealias DBusArguments = KeyValuePairs<String, DBusSignature>

/// A received method call.
public struct DBusCall: Sendable {
  /// The unique name of the caller.
  public let sender: BusName
  /// The method's name.
  public let member: MemberName
  /// The arguments; their types match the row.
  public let arguments: [DBusValue]
  /// Whether the caller requests a reply; if false, no reply is sent, not even an error.
  public let expectsReply: Bool
}

/// The name and the arguments of a method, declared once for the row that serves it and for the clients that call it.
public struct DBusMethodDeclaration: Sendable {
  /// The method's name.
  public let name: MemberName
  let input: ArgumentList
  let output: ArgumentList

  /// Declares a method with its input and output arguments.
  public init(_ name: MemberName, in input: DBusArguments = [:], out output: DBusArguments = [:]) {
    self.init(name, ArgumentList(input), ArgumentList(output))
  }

  init(_ name: MemberName, _ input: ArgumentList, _ output: ArgumentList) {
    (self.name, self.input, self.output) = (name, input, output)
  }
}

/// A row of an interface: one method.
///
/// The handler runs on the thread of the connection's loop, one call at a time and in order; it must not block.
public struct DBusMethod: Sendable {
  /// A function that handles a call and returns the values of the reply.
  public typealias Handler = @Sendable (DBusCall) throws(DBusError) -> [DBusValue]
  /// A function that sends the reply of a call; called once, from any thread.
  public typealias Reply = @Sendable (Result<[DBusValue], DBusError>) -> Void
  /// A function that starts a call whose reply is sent later; an error that it throws is sent at once.
  public typealias LateHandler = @Sendable (DBusCall, @escaping Reply) throws(DBusError) -> Void

  enum Handling: Sendable {
    case atOnce(Handler)
    case later(LateHandler)
  }

  let declaration: DBusMethodDeclaration
  let handling: Handling

  var name: MemberName { declaration.name }

  /// Declares a method with its input and output arguments and its handler.
  public init(
    _ name: MemberName, in input: DBusArguments = [:], out output: DBusArguments = [:], _ handler: @escaping Handler
  ) {
    self.init(DBusMethodDeclaration(name, in: input, out: output), handler)
  }

  /// Creates the row of a declared method with its handler.
  public init(_ declaration: DBusMethodDeclaration, _ handler: @escaping Handler) {
    (self.declaration, handling) = (declaration, .atOnce(handler))
  }

  /// Creates the row of a declared method whose reply is sent later; the following calls do not wait for it.
  public init(_ declaration: DBusMethodDeclaration, later handler: @escaping LateHandler) {
    (self.declaration, handling) = (declaration, .later(handler))
  }
}

/// The way in which a property reports its changes.
///
/// The annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`:
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#introspection-format>
public enum DBusChangeSignal: String, Sendable {
  /// PropertiesChanged carries the new value.
  case value = "true"
  /// PropertiesChanged carries the name only.
  case invalidates = "invalidates"
  /// No signal is emitted.
  case never = "false"
  /// The value never changes.
  case constant = "const"
}

/// A function that sets the new value of a property; it throws if the value is not acceptable.
public typealias DBusPropertySetter = @Sendable (_ value: DBusValue, _ call: DBusCall) throws(DBusError) -> Void

/// A function that starts to set a property and replies later; an error that it throws is sent at once.
package typealias DBusLatePropertySetter =
  @Sendable (_ value: DBusValue, _ call: DBusCall, _ reply: @escaping DBusMethod.Reply) throws(DBusError) -> Void

/// The function that handles Set.
enum DBusPropertySetting: Sendable {
  case atOnce(DBusPropertySetter)
  case later(DBusLatePropertySetter)
}

/// A row of an interface: one property, read from an immutable state.
public struct DBusProperty<State: Sendable>: Sendable {
  /// The property's name.
  public let name: MemberName
  let signature: DBusSignature
  let changes: DBusChangeSignal
  let get: @Sendable (State) -> DBusValue
  private(set) var setting: DBusPropertySetting?
  /// Whether the property exists in a state; nil if it always does.
  private(set) var isPresent: (@Sendable (State) -> Bool)?
  let differs: (@Sendable (_ old: State, _ new: State) -> Bool)?

  /// Declares a property of one complete type.
  ///
  /// The setter receives a value of exactly this type: numbers of other types are converted first. Without a setter,
  /// the property is read-only. `differs` replaces a comparison of two values that would be expensive.
  public init(
    _ name: MemberName, _ signature: DBusSignature, changes: DBusChangeSignal = .value,
    differs: (@Sendable (_ old: State, _ new: State) -> Bool)? = nil,
    get: @escaping @Sendable (State) -> DBusValue, set: DBusPropertySetter? = nil
  ) {
    precondition(signature.isSingle, "property \(name): '\(signature)' is not one complete type")
    self.name = name
    self.signature = signature
    self.changes = changes
    self.differs = differs
    self.get = get
    setting = set.map { .atOnce($0) }
  }

  /// Returns the same row with a setter.
  public func writable(_ set: @escaping DBusPropertySetter) -> Self { with { $0.setting = .atOnce(set) } }

  /// Returns the same row with a setter whose reply is sent later.
  package func writable(later set: @escaping DBusLatePropertySetter) -> Self { with { $0.setting = .later(set) } }

  /// Returns the same row for a property that exists only in some states.
  ///
  /// Get and Set of an absent property are `UnknownProperty`, GetAll omits it, and PropertiesChanged invalidates it when
  /// it disappears.
  package func present(when isPresent: @escaping @Sendable (State) -> Bool) -> Self {
    with { $0.isPresent = isPresent }
  }

  /// Returns the value in a state; nil if the property is absent.
  func value(in state: State) -> DBusValue? { isPresent?(state) == false ? nil : get(state) }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var row = self
    change(&row)
    return row
  }

  /// Returns the same row for a state that contains this one.
  fileprivate func reading<Whole>(_ part: @escaping @Sendable (Whole) -> State) -> DBusProperty<Whole> {
    var row = DBusProperty<Whole>(
      name, signature, changes: changes,
      differs: differs.map { differs in { @Sendable old, new in differs(part(old), part(new)) } },
      get: { [get] in get(part($0)) })
    row.isPresent = isPresent.map { isPresent in { @Sendable whole in isPresent(part(whole)) } }
    row.setting = setting
    return row
  }
}

/// A row of an interface: one signal.
public struct DBusSignal: Sendable {
  /// The signal's name.
  public let name: MemberName
  let arguments: ArgumentList

  /// Declares a signal and its arguments.
  public init(_ name: MemberName, _ arguments: DBusArguments = [:]) {
    self.name = name
    self.arguments = ArgumentList(arguments)
  }
}

/// An interface as a table with one row per member.
///
/// Introspection XML, Get, GetAll, Set, type checks and PropertiesChanged are derived from the rows.
public struct DBusInterface<State: Sendable>: Sendable {
  /// The interface's name.
  public let name: InterfaceName
  let methods: [DBusMethod]
  let properties: [DBusProperty<State>]
  let signals: [DBusSignal]
  let isUnchanged: (@Sendable (_ old: State, _ new: State) -> Bool)?

  /// Declares an interface from its rows.
  ///
  /// `isUnchanged` returns true if no property differs between two states; the rows are then not compared. Without it,
  /// the rows are compared at each publish.
  public init(
    _ name: InterfaceName, methods: [DBusMethod] = [], properties: [DBusProperty<State>] = [],
    signals: [DBusSignal] = [],
    isUnchanged: (@Sendable (_ old: State, _ new: State) -> Bool)? = nil
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
    self.isUnchanged = isUnchanged
  }

  /// Returns the same interface for an object whose state contains this interface's state.
  public func reading<Whole>(_ part: @escaping @Sendable (Whole) -> State) -> DBusInterface<Whole> {
    DBusInterface<Whole>(
      name, methods: methods, properties: properties.map { $0.reading(part) }, signals: signals,
      isUnchanged: isUnchanged.map { isUnchanged in { @Sendable old, new in isUnchanged(part(old), part(new)) } })
  }
}

/// A list of arguments, and their types as one signature.
struct ArgumentList: Sendable {
  let arguments: [(name: String, type: DBusSignature)]
  let signature: DBusSignature

  init(_ pairs: DBusArguments) { self.init(pairs.map { ($0.key, $0.value) }) }

  init(_ arguments: [(name: String, type: DBusSignature)]) {
    for (name, type) in arguments {
      precondition(type.isSingle, "argument \(name): '\(type)' is not one complete type")
    }
    self.arguments = arguments
    signature = DBusSignature(unchecked: arguments.map(\.type.rawValue).joined())
  }
}
