/// Tracks the published properties of an object, and their changes since the last publish.
final class ChangeTracker<State: Sendable> {
  private let interfaces: [DBusInterface<State>]
  private var state: State
  /// For each interface the published values of the rows that are compared by value.
  private var values: [[DBusValue?]]
  /// For each interface, the rows whose last read value differs from the published value.
  private var reread: [Set<Int>]

  init(_ interfaces: [DBusInterface<State>], _ state: State) {
    self.interfaces = interfaces
    self.state = state
    values = interfaces.map { $0.properties.map { $0.isPublished && $0.differs == nil ? $0.value(in: state) : nil } }
    reread = interfaces.map { _ in [] }
  }

  /// Records that a client has read a row of an interface, or all rows, before the state was published.
  ///
  /// A property that returns to its published value until then is published nevertheless, because this client has
  /// another one.
  func noteRead(_ read: State, of interface: Int, row: Int? = nil) {
    let rows = interfaces[interface].properties
    if row == nil, interfaces[interface].isUnchanged?(state, read) == true { return }
    for index in row.map({ $0..<$0 + 1 }) ?? rows.indices where rows[index].isPublished {
      let isNew = rows[index].differs?(state, read) ?? (rows[index].value(in: read) != values[interface][index])
      if isNew { reread[interface].insert(index) }
    }
  }

  /// Returns the changes since the last call: for each changed interface the arguments of PropertiesChanged.
  func takeChanges(_ new: State) -> [[DBusValue]] {
    defer { state = new }
    var all: [[DBusValue]] = []
    for index in 0..<interfaces.count {
      if reread[index].isEmpty, interfaces[index].isUnchanged?(state, new) == true { continue }
      let changes = changes(of: interfaces[index], to: new, &values[index], reread[index])
      reread[index] = []
      if let changes { all.append(changes) }
    }
    return all
  }

  /// Returns the changes of an interface as arguments of the types `sa{sv}as`; nil for none.
  ///
  /// A value that contradicts its row is omitted; Get reports the error.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  private func changes(
    of interface: DBusInterface<State>, to new: State, _ published: inout [DBusValue?], _ reread: Set<Int>
  ) -> [DBusValue]? {
    var changed: [(String, DBusValue)] = []
    var invalidated: [String] = []
    let rows = interface.properties
    // Enumerating would create metadata of generic types for each row.
    for index in 0..<rows.count where rows[index].isPublished {
      let row = rows[index]
      var value: DBusValue?
      if let differs = row.differs {
        guard differs(state, new) || reread.contains(index) else { continue }
      } else {
        value = row.value(in: new)
        guard value != published[index] || reread.contains(index) else { continue }
        published[index] = value
      }
      if row.changes == .invalidates || row.differs == nil && value == nil {
        invalidated.append(row.name.rawValue)
      } else {
        let value = value ?? row.get(new)
        guard (try? value.encodedSize(as: row.signature)) != nil else { continue }
        changed.append((row.name.rawValue, value))
      }
    }
    guard !changed.isEmpty || !invalidated.isEmpty else { return nil }
    return [.string(interface.name.rawValue), .dictionary(changed), .strings(invalidated)]
  }
}

extension DBusProperty {
  /// Whether PropertiesChanged reports the property.
  var isPublished: Bool { changes == .value || changes == .invalidates }
}
