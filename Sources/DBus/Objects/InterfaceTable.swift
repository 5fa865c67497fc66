/// One interface's rows, found by name; a class, so that finding one copies a reference and no more.
final class InterfaceTable {
  let name: InterfaceName
  let methods: NameTable<Method>
  let properties: NameTable<PropertyRow>
  let signals: NameTable<Signal>
  /// The properties in the order of their declaration.
  private let rows: [PropertyRow]
  /// The values of `rows`, all of one state.
  private let values: () -> [Value]

  init<State>(_ interface: Interface<State>, _ state: @escaping @Sendable () -> State) {
    name = interface.name
    methods = NameTable(interface.methods) { $0.name.rawValue }
    rows = interface.properties.map { PropertyRow($0, state) }
    properties = NameTable(rows) { $0.name }
    signals = NameTable(interface.signals) { $0.name.rawValue }
    values = { [properties = interface.properties] in
      let state = state()
      return properties.map { $0.get(state) }
    }
  }

  func readAll() throws(DBusError) -> [PropertyValue] {
    let values = values()
    var properties: [PropertyValue] = []
    properties.reserveCapacity(rows.count)
    var size = 0
    for (row, value) in zip(rows, values) {
      let property = try row.checked(value)
      properties.append(property)
      size += property.size
    }
    guard size <= Value.largestEncoding else {
      throw .limitsExceeded("the properties of \(name) are larger than a message may be")
    }
    return properties
  }
}

/// One property, its state found by itself.
final class PropertyRow {
  let name: String
  let type: Signature
  let read: () -> Value
  let set: PropertySetter?

  init<State>(_ property: Property<State>, _ state: @escaping @Sendable () -> State) {
    name = property.name.rawValue
    type = property.signature
    read = { [get = property.get] in get(state()) }
    set = property.set
  }

  /// A value that contradicts the row is a mistake of the row's author; it must not reach libdbus.
  func checked(_ value: Value) throws(DBusError) -> PropertyValue {
    do {
      return (name, type, value, try value.encodedSize(as: type))
    } catch {
      throw .failed("property \(name): \(error.message)")
    }
  }
}
