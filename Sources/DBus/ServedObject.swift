/// An exported object, whatever its state is made of: what the server asks of it for a call.
protocol ServedObject: AnyObject {
  /// What introspection shows.
  var shapes: [InterfaceShape] { get }

  func method(_ member: CString, of interface: CString?) throws(DBusError) -> Method
  func signal(_ member: MemberName, of interface: InterfaceName) throws(DBusError) -> Signal
  func get(_ property: CString, of interface: CString) throws(DBusError) -> PropertyValue
  func getAll(of interface: CString) throws(DBusError) -> [PropertyValue]
  func set(_ property: CString, of interface: CString, to value: Value, by call: Call) throws(DBusError)

  /// What differs from the last time that this was asked; the object remembers.
  func takeChanges() -> [InterfaceChanges]
}

/// A property's name, type and present value, the value known to be well-formed and of a size in bytes.
typealias PropertyValue = (name: String, type: Signature, value: Value, size: Int)

/// The content of one PropertiesChanged.
struct InterfaceChanges {
  let interface: InterfaceName
  var changed: [(String, Value)] = []
  var invalidated: [String] = []

  var isEmpty: Bool { changed.isEmpty && invalidated.isEmpty }

  /// The values that the signal carries, of types `sa{sv}as`.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  var arguments: [Value] { [.string(interface.rawValue), .dictionary(changed), .strings(invalidated)] }
}

/// The tables of an object's interfaces over a state that is fetched once for each question.
final class TableObject<State: Sendable>: ServedObject {
  private let state: @Sendable () -> State
  private let interfaces: NameTable<InterfaceTable<State>>
  private var published: Published<State>

  /// Checks each value against its row once, so that a row which contradicts itself shows at start.
  init(_ interfaces: [Interface<State>], state: @escaping @Sendable () -> State) throws(DBusError) {
    self.state = state
    self.interfaces = NameTable(interfaces.map { InterfaceTable($0) }) { $0.name.rawValue }
    shapes = interfaces.map { InterfaceShape($0) }
    let first = state()
    published = Published(state: first, values: [])
    for interface in self.interfaces.elements {
      for row in interface.rows { _ = try row.read(first) }
      published.values.append(interface.rows.map { $0.comparesValues ? $0.get(first) : nil })
    }
  }

  let shapes: [InterfaceShape]

  func method(_ member: CString, of interface: CString?) throws(DBusError) -> Method {
    if let interface = unsafe interface {
      let table = try unsafe table(interface)
      if let method = unsafe table.methods[member] { return method }
    } else {
      for table in interfaces.elements {
        if let method = unsafe table.methods[member] { return method }
      }
    }
    let name = unsafe quoted(String(cString: member))
    throw .unknownMethod(
      unsafe interface.map { unsafe "no method \(name) on interface \(String(cString: $0))" }
        ?? "no method \(name) on any interface of this object")
  }

  func signal(_ member: MemberName, of interface: InterfaceName) throws(DBusError) -> Signal {
    guard let signal = try unsafe table(interface.rawValue).signals[member.rawValue] else {
      throw .unknownMethod("no signal \(member) on interface \(interface)")
    }
    return signal
  }

  func get(_ property: CString, of interface: CString) throws(DBusError) -> PropertyValue {
    try unsafe row(property, interface).read(state())
  }

  func getAll(of interface: CString) throws(DBusError) -> [PropertyValue] {
    let tables = try unsafe isEmpty(interface) ? Array(interfaces.elements) : [table(interface)]
    let state = state()
    var properties: [PropertyValue] = []
    for table in tables {
      properties.reserveCapacity(properties.count + table.rows.count)
      for row in table.rows { properties.append(try row.read(state)) }
    }
    guard properties.reduce(0, { $0 + $1.size }) <= Value.largestEncoding else {
      throw .limitsExceeded("the properties are larger than a message may be")
    }
    return properties
  }

  func set(_ property: CString, of interface: CString, to value: Value, by call: Call) throws(DBusError) {
    let row = try unsafe row(property, interface)
    guard let set = row.set else { throw .propertyReadOnly("property \(row.name) is read-only") }
    if value.signature == row.signature {
      try set(value, call)
    } else if let number = value.number(as: row.signature) {
      try set(number, call)
    } else {
      throw .invalidArguments("property \(row.name) has type '\(row.signature)'; \(value.signature) does not fit")
    }
  }

  func takeChanges() -> [InterfaceChanges] {
    let new = state()
    defer { published.state = new }
    return interfaces.elements.enumerated().compactMap { index, table in
      let changes = table.changes(to: new, since: published.state, &published.values[index])
      return changes.isEmpty ? nil : changes
    }
  }

  private func table(_ interface: CString) throws(DBusError) -> InterfaceTable<State> {
    if let table = unsafe interfaces[interface] { return table }
    throw .unknownInterface("no interface \(unsafe quoted(String(cString: interface))) on this object")
  }

  /// An empty interface name stands for any interface.
  private func row(_ property: CString, _ interface: CString) throws(DBusError) -> Property<State> {
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

/// One interface's rows, found by name.
private struct InterfaceTable<State: Sendable> {
  let name: InterfaceName
  let methods: NameTable<Method>
  let properties: NameTable<Property<State>>
  let signals: NameTable<Signal>
  /// The properties in the order of their declaration.
  let rows: [Property<State>]

  init(_ interface: Interface<State>) {
    name = interface.name
    methods = NameTable(interface.methods) { $0.name.rawValue }
    properties = NameTable(interface.properties) { $0.name.rawValue }
    signals = NameTable(interface.signals) { $0.name.rawValue }
    rows = interface.properties
  }

  /// A value that its own row refuses is left out: Get tells whoever asks.
  func changes(to new: State, since old: State, _ values: inout [Value?]) -> InterfaceChanges {
    var changes = InterfaceChanges(interface: name)
    for (index, row) in rows.enumerated() where row.isPublished {
      var value: Value?
      if let differs = row.differs {
        guard differs(old, new) else { continue }
      } else {
        value = row.get(new)
        guard value != values[index] else { continue }
        values[index] = value
      }
      if row.changes == .invalidates {
        changes.invalidated.append(row.name.rawValue)
      } else if let property = try? row.checked(value ?? row.get(new)) {
        changes.changed.append((property.name, property.value))
      }
    }
    return changes
  }
}

/// What the last PropertiesChanged, or the export, has told.
private struct Published<State: Sendable> {
  var state: State
  /// For each interface the values of the rows that are compared by value.
  var values: [[Value?]]
}

extension Property {
  fileprivate var isPublished: Bool { changes == .value || changes == .invalidates }
  fileprivate var comparesValues: Bool { isPublished && differs == nil }

  /// The present value, checked against the row.
  fileprivate func read(_ state: State) throws(DBusError) -> PropertyValue {
    try checked(get(state))
  }

  /// A value that contradicts the row is a mistake of the row's author; it must not reach libdbus.
  fileprivate func checked(_ value: Value) throws(DBusError) -> PropertyValue {
    do {
      return (name.rawValue, signature, value, try value.encodedSize(as: signature))
    } catch {
      throw .failed("property \(name): \(error.message)")
    }
  }
}
