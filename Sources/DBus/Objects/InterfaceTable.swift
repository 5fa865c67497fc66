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
  private let values: () -> [DBusValue?]

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
    values = { [rows = interface.properties] in
      let state = state()
      noteRead(state, nil)
      return rows.map { $0.value(in: state) }
    }
  }

  func readAll() throws(DBusError) -> [PropertyValue] {
    var present: [PropertyValue] = []
    for case (let row, let value?) in zip(rows, values()) { present.append(try row.checked(value)) }
    return present
  }
}

/// One property; reads its own state.
final class PropertyRow {
  let name: String
  let type: DBusSignature
  /// Returns the present value; nil if the property is absent.
  let read: () -> DBusValue?
  /// Whether the property exists at present.
  let isPresent: () -> Bool
  /// Nil for a read-only property.
  let setting: DBusPropertySetting?

  init<State>(
    _ property: DBusProperty<State>, _ state: @escaping @Sendable () -> State, noteRead: @escaping (State) -> Void
  ) {
    name = property.name.rawValue
    type = property.signature
    read = { [isPublished = property.isPublished] in
      let state = state()
      if isPublished { noteRead(state) }
      return property.value(in: state)
    }
    isPresent = { property.isPresent?(state()) ?? true }
    setting = property.setting
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
