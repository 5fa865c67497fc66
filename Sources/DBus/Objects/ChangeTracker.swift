/// The content of one PropertiesChanged signal.
struct InterfaceChanges: Equatable {
  let interface: InterfaceName
  var changed: [Change] = []
  var invalidated: [String] = []

  /// A property and its new value.
  struct Change: Equatable {
    let name: String
    let value: DBusValue
  }

  var isEmpty: Bool { changed.isEmpty && invalidated.isEmpty }

  /// The arguments of the signal, of the types `sa{sv}as`.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  var arguments: [DBusValue] {
    [.string(interface.rawValue), .dictionary(changed.map { ($0.name, $0.value) }), .strings(invalidated)]
  }
}

/// The published properties of an object, and their changes since the last publish.
final class ChangeTracker<State: Sendable> {
  private let interfaces: [DBusInterface<State>]
  private var state: State
  /// For each interface the published values of the rows that are compared by value.
  private var values: [[DBusValue?]]
  /// For each interface the rows of which clients have read another value than the published one.
  private var reread: [Set<Int>]

  init(_ interfaces: [DBusInterface<State>], _ state: State) {
    self.interfaces = interfaces
    self.state = state
    values = interfaces.map { $0.properties.map { $0.isPublished && $0.differs == nil ? $0.get(state) : nil } }
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
      let isNew = rows[index].differs?(state, read) ?? (rows[index].get(read) != values[interface][index])
      if isNew { reread[interface].insert(index) }
    }
  }

  /// Returns the changes since the last call, one element for each changed interface.
  ///
  /// A value that contradicts its row is omitted; Get reports the error.
  func takeChanges(_ new: State) -> [InterfaceChanges] {
    defer { state = new }
    return interfaces.indices.compactMap { index in
      let interface = interfaces[index]
      if reread[index].isEmpty, interface.isUnchanged?(state, new) == true { return nil }
      var changes = InterfaceChanges(interface: interface.name)
      for (row, property) in interface.properties.enumerated() where property.isPublished {
        let compared = property.differs == nil ? property.get(new) : nil
        let isNew = property.differs?(state, new) ?? (compared != values[index][row])
        guard isNew || reread[index].contains(row) else { continue }
        values[index][row] = compared
        if property.changes == .invalidates {
          changes.invalidated.append(property.name.rawValue)
        } else {
          let value = compared ?? property.get(new)
          guard (try? value.encodedSize(as: property.signature)) != nil else { continue }
          changes.changed.append(.init(name: property.name.rawValue, value: value))
        }
      }
      reread[index] = []
      return changes.isEmpty ? nil : changes
    }
  }
}

extension DBusProperty {
  /// Whether PropertiesChanged reports the property.
  var isPublished: Bool { changes == .value || changes == .invalidates }
}
