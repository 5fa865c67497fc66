/// The content of one PropertiesChanged.
struct InterfaceChanges: Equatable {
  let interface: InterfaceName
  var changed: [Change] = []
  var invalidated: [String] = []

  /// A property and its new value.
  struct Change: Equatable {
    let name: String
    let value: Value
  }

  var isEmpty: Bool { changed.isEmpty && invalidated.isEmpty }

  /// The values that the signal carries, of types `sa{sv}as`.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  var arguments: [Value] {
    [.string(interface.rawValue), .dictionary(changed.map { ($0.name, $0.value) }), .strings(invalidated)]
  }
}

/// What the world has been told of an object's properties, and what is news to it.
final class ChangeTracker<State: Sendable> {
  private let interfaces: [Interface<State>]
  private var state: State
  /// For each interface the values of the rows that are compared by value, as they were told.
  private var values: [[Value?]]

  init(_ interfaces: [Interface<State>], _ state: State) {
    self.interfaces = interfaces
    self.state = state
    values = interfaces.map { $0.properties.map { $0.comparesValues ? $0.get(state) : nil } }
  }

  /// The changes since the last time, interface by interface, those without any left out.
  func takeChanges(_ new: State) -> [InterfaceChanges] {
    defer { state = new }
    return interfaces.indices.compactMap { index in
      if interfaces[index].isUnchanged?(state, new) == true { return nil }
      let changes = changes(of: interfaces[index], to: new, &values[index])
      return changes.isEmpty ? nil : changes
    }
  }

  /// A value that contradicts its row is left out: Get tells whoever asks.
  private func changes(
    of interface: Interface<State>, to new: State, _ told: inout [Value?]
  ) -> InterfaceChanges {
    var changes = InterfaceChanges(interface: interface.name)
    for (index, row) in interface.properties.enumerated() where row.isPublished {
      var value: Value?
      if let differs = row.differs {
        guard differs(state, new) else { continue }
      } else {
        value = row.get(new)
        guard value != told[index] else { continue }
        told[index] = value
      }
      if row.changes == .invalidates {
        changes.invalidated.append(row.name.rawValue)
      } else {
        let value = value ?? row.get(new)
        guard (try? value.encodedSize(as: row.signature)) != nil else { continue }
        changes.changed.append(.init(name: row.name.rawValue, value: value))
      }
    }
    return changes
  }
}

extension Property {
  fileprivate var isPublished: Bool { changes == .value || changes == .invalidates }
  fileprivate var comparesValues: Bool { isPublished && differs == nil }
}
