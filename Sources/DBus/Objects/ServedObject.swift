/// An exported object: its tables, found by name, over a state whose type only the closures in here know.
///
/// The closures are made once, at export; what runs for each call is free of generics.
final class ServedObject {
  /// What introspection shows.
  let shapes: [InterfaceShape]
  private let interfaces: NameTable<InterfaceTable>
  /// The `ChangeTracker` of the object's state.
  private let tracker: AnyObject

  /// Reads each property once, so that a row whose value contradicts its type shows at start.
  init<State: Sendable>(
    _ interfaces: [Interface<State>], state: @escaping @Sendable () -> State
  ) throws(DBusError) {
    shapes = interfaces.map { InterfaceShape($0) }
    let tables = interfaces.map { InterfaceTable($0, state) }
    for table in tables { _ = try table.readAll() }
    self.interfaces = NameTable(tables) { $0.name.rawValue }
    tracker = ChangeTracker(interfaces, state())
  }

  /// Returns what differs from the last call, or from the export; nothing for a state of another type than the object's.
  func takeChanges<State: Sendable>(to state: State) -> [InterfaceChanges] {
    (tracker as? ChangeTracker<State>)?.takeChanges(state) ?? []
  }

  func method(_ member: CString, of interface: CString?) throws(DBusError) -> Method {
    if let method = unsafe try findMethod(member, of: interface) { return method }
    let name = unsafe quoted(String(cString: member))
    throw .unknownMethod(
      unsafe interface.map { unsafe "no method \(name) on interface \(String(cString: $0))" }
        ?? "no method \(name) on any interface of this object")
  }

  /// Without an interface the first one that has the method.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-types-method>
  func findMethod(_ member: CString, of interface: CString?) throws(DBusError) -> Method? {
    if let interface = unsafe interface { return try unsafe table(interface).methods[member] }
    for table in interfaces.elements {
      if let method = unsafe table.methods[member] { return method }
    }
    return nil
  }

  func signal(_ member: MemberName, of interface: InterfaceName) throws(DBusError) -> Signal {
    guard let signal = try unsafe table(interface.rawValue).signals[member.rawValue] else {
      throw .unknownMethod("no signal \(member) on interface \(interface)")
    }
    return signal
  }

  func get(_ property: CString, of interface: CString) throws(DBusError) -> PropertyValue {
    let row = try unsafe row(property, interface)
    return try row.checked(row.read())
  }

  func getAll(of interface: CString) throws(DBusError) -> [PropertyValue] {
    guard unsafe isEmpty(interface) else { return try unsafe table(interface).readAll() }
    var properties: [PropertyValue] = []
    for table in interfaces.elements { properties += try table.readAll() }
    return properties
  }

  func set(_ property: CString, of interface: CString, to value: Value, by call: Call) throws(DBusError) {
    let row = try unsafe row(property, interface)
    guard let set = row.set else { throw .propertyReadOnly("property \(row.name) is read-only") }
    if value.signature == row.type {
      try set(value, call)
    } else if let number = value.number(as: row.type) {
      try set(number, call)
    } else {
      throw .invalidArguments("property \(row.name) has type '\(row.type)'; this '\(value.signature)' does not fit")
    }
  }

  private func table(_ interface: CString) throws(DBusError) -> InterfaceTable {
    if let table = unsafe interfaces[interface] { return table }
    throw .unknownInterface("no interface \(unsafe quoted(String(cString: interface))) on this object")
  }

  /// An empty interface name stands for any interface.
  private func row(_ property: CString, _ interface: CString) throws(DBusError) -> PropertyRow {
    if unsafe isEmpty(interface) {
      for table in interfaces.elements {
        if let row = unsafe table.properties[property] { return row }
      }
    } else if let row = try unsafe table(interface).properties[property] {
      return row
    }
    throw .unknownProperty(
      unsafe "no property \(quoted(String(cString: property))) on interface \(quoted(String(cString: interface)))")
  }

  private func isEmpty(_ text: CString) -> Bool { unsafe text.pointee == 0 }
}
