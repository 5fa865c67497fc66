/// An exported object: tables of its interfaces by name, over a state whose type only the closures know.
///
/// The closures are created once, at export; the code that runs for each call is not generic.
final class ServedObject {
  /// The interfaces as XML elements of the introspection document.
  let shapes: [String]
  private let interfaces: NameTable<InterfaceTable>
  /// The `ChangeTracker` of the object's state.
  private let tracker: AnyObject

  /// Creates an object and reads each property once, so that a value that contradicts its row is reported at export.
  init<State: Sendable>(
    _ interfaces: [DBusInterface<State>], state: @escaping @Sendable () -> State
  ) throws(DBusError) {
    shapes = interfaces.map { DBusIntrospection.shape(of: $0) }
    let tracker = ChangeTracker(interfaces, state())
    let tables = interfaces.enumerated().map { index, interface in
      InterfaceTable(interface, state) { tracker.noteRead($0, of: index, row: $1) }
    }
    for table in tables { _ = try table.readAll() }
    self.interfaces = NameTable(tables) { $0.name.rawValue }
    self.tracker = tracker
  }

  /// Returns the arguments of each PropertiesChanged to send; none if the state has another type than the object's.
  func takeChanges<State: Sendable>(to state: State) -> [[DBusValue]] {
    (tracker as? ChangeTracker<State>)?.takeChanges(state) ?? []
  }

  func method(_ member: CString, of interface: CString?) throws(DBusError) -> DBusMethod {
    if let method = unsafe try findMethod(member, of: interface) { return method }
    let name = unsafe quoted(String(cString: member))
    throw .unknownMethod(
      unsafe interface.map { unsafe "no method \(name) on interface \(String(cString: $0))" }
        ?? "no method \(name) on any interface of this object")
  }

  /// Finds a method; without an interface, in the first interface that has it.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-types-method>
  func findMethod(_ member: CString, of interface: CString?) throws(DBusError) -> DBusMethod? {
    if let interface = unsafe interface { return try unsafe table(interface).methods[member] }
    for table in interfaces.elements {
      if let method = unsafe table.methods[member] { return method }
    }
    return nil
  }

  func signal(_ member: MemberName, of interface: InterfaceName) throws(DBusError) -> DBusSignal {
    guard let signal = try unsafe table(interface.rawValue).signals[member.rawValue] else {
      throw .unknownMethod("no signal \(member) on interface \(interface)")
    }
    return signal
  }

  func get(_ property: CString, of interface: CString) throws(DBusError) -> PropertyValue {
    let row = try unsafe row(property, interface)
    guard let value = row.read() else { throw .absentProperty(row.name) }
    return try row.checked(value)
  }

  func getAll(of interface: CString) throws(DBusError) -> [PropertyValue] {
    var properties: [PropertyValue] = []
    if unsafe isEmpty(interface) {
      for table in interfaces.elements { properties += try table.readAll() }
    } else {
      properties = try unsafe table(interface).readAll()
    }
    guard properties.reduce(0, { $0 + $1.size }) <= DBusValue.largestEncoding else {
      throw .limitsExceeded("the properties exceed the size limit of a message")
    }
    return properties
  }

  /// Starts to set a property, and returns whether the reply is sent later.
  func set(
    _ property: CString, of interface: CString, to value: DBusValue, by call: DBusCall,
    _ reply: @escaping DBusMethod.Reply
  ) throws(DBusError) -> Bool {
    let row = try unsafe row(property, interface)
    guard row.isPresent() else { throw .absentProperty(row.name) }
    guard let setting = row.setting else { throw .propertyReadOnly("property \(row.name) is read-only") }
    guard let value = value.signature == row.type ? value : value.number(as: row.type) else {
      throw .invalidArguments("property \(row.name) has type '\(row.type)'; a value '\(value.signature)' does not fit")
    }
    switch setting {
    case .atOnce(let set): try set(value, call)
    case .later(let set):
      try set(value, call, reply)
      return true
    }
    return false
  }

  private func table(_ interface: CString) throws(DBusError) -> InterfaceTable {
    if let table = unsafe interfaces[interface] { return table }
    throw .unknownInterface("no interface \(unsafe quoted(String(cString: interface))) on this object")
  }

  /// Finds a property; an empty interface name matches any interface.
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

extension DBusError {
  fileprivate static func absentProperty(_ name: String) -> Self {
    .unknownProperty("property \(name) does not exist at present")
  }
}
