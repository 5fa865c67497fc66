/// The rows of one interface by name.
///
/// It is a class, so that a lookup copies only a reference.
final class InterfaceTable {
  let name: InterfaceName
  let methods: NameTable<DBusMethod>
  let properties: NameTable<PropertyRow>
  let signals: NameTable<DBusSignal>
  /// The properties in declaration order.
  private let rows: [PropertyRow]
  /// The function that reads the values of `rows` from one state.
  private let values: () -> [DBusValue]

  /// Creates the table; `noteRead` is called with each state that is read, and the row, or nil for all rows.
  init<State>(
    _ interface: DBusInterface<State>, _ state: @escaping @Sendable () -> State,
    noteRead: @escaping (State, _ row: Int?) -> Void
  ) {
    name = interface.name
    methods = NameTable(interface.methods) { $0.name.rawValue }
    rows = interface.properties.enumerated().map { index, row in PropertyRow(row, state) { noteRead($0, index) } }
    properties = NameTable(rows) { $0.name }
    signals = NameTable(interface.signals) { $0.name.rawValue }
    values = { [getters = interface.properties.map(\.get)] in
      let state = state()
      noteRead(state, nil)
      return getters.map { $0(state) }
    }
  }

  func readAll() throws(DBusError) -> [PropertyValue] {
    try zip(rows, values()).map { row, value throws(DBusError) in try row.checked(value) }
  }
}

/// One property; reads its own state.
final class PropertyRow {
  let name: String
  let type: DBusSignature
  let read: () -> DBusValue
  let set: DBusPropertySetter?

  init<State>(
    _ property: DBusProperty<State>, _ state: @escaping @Sendable () -> State, noteRead: @escaping (State) -> Void
  ) {
    name = property.name.rawValue
    type = property.signature
    read = { [get = property.get, isPublished = property.isPublished] in
      let state = state()
      if isPublished { noteRead(state) }
      return get(state)
    }
    set = property.set
  }

  /// Checks a value before it reaches libdbus; a value that contradicts the row is a mistake of the row's author.
  func checked(_ value: DBusValue) throws(DBusError) -> PropertyValue {
    do {
      return (name, type, value, try value.encodedSize(as: type))
    } catch {
      throw .failed("property \(name): \(error.message)")
    }
  }
}
