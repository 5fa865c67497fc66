import CDBus
import Glibc

/// A method that every object has.
///
/// The server runs it; its row declares the arguments.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces>
final class StandardMethod: Sendable {
  enum Kind: Sendable { case get, getAll, set, introspect, ping, machineID }

  let kind: Kind
  let interface: InterfaceName
  let row: DBusMethod

  private init(
    _ kind: Kind, _ interface: InterfaceName, _ name: MemberName, in input: DBusArguments = [:],
    out output: DBusArguments = [:]
  ) {
    self.kind = kind
    self.interface = interface
    row = DBusMethod(name, in: input, out: output) { _ in [] }
  }

  static let get = StandardMethod(
    .get, .properties, "Get", in: ["interface_name": .string, "property_name": .string], out: ["value": .variant])
  static let getAll = StandardMethod(
    .getAll, .properties, "GetAll", in: ["interface_name": .string], out: ["properties": .dictionary])
  static let set = StandardMethod(
    .set, .properties, "Set", in: ["interface_name": .string, "property_name": .string, "value": .variant])
  static let introspect = StandardMethod(.introspect, .introspectable, "Introspect", out: ["xml_data": .string])

  private static let all = [
    get, getAll, set, introspect, StandardMethod(.ping, .peer, "Ping"),
    StandardMethod(.machineID, .peer, "GetMachineId", out: ["machine_uuid": .string]),
  ]

  static let propertiesChanged = DBusSignal(
    "PropertiesChanged",
    ["interface_name": .string, "changed_properties": .dictionary, "invalidated_properties": .strings])

  static let byName = NameTable(all) { $0.row.name.rawValue }

  /// The introspection of an object's standard interfaces, and of a path that only has child nodes.
  static let shapesOfObjects = [shape(.properties, [propertiesChanged]), shape(.introspectable), shape(.peer)]
  static let shapesOfParents = [shape(.introspectable), shape(.peer)]

  private static func shape(_ interface: InterfaceName, _ signals: [DBusSignal] = []) -> String {
    let methods = all.filter { $0.interface == interface }.map(\.row)
    return DBusIntrospection.shape(of: DBusInterface<Void>(interface, methods: methods, signals: signals))
  }

  static func isStandard(_ interface: CString) -> Bool {
    [InterfaceName.properties, .introspectable, .peer].contains { unsafe strcmp(interface, $0.rawValue) == 0 }
  }
}

/// Returns the ID of this machine, 32 hexadecimal digits.
func machineID() throws(DBusError) -> String {
  try libdbus { error in
    guard let text = unsafe dbus_try_get_local_machine_id(error) else { return nil }
    defer { unsafe dbus_free(text) }
    return unsafe String(cString: text)
  }
}
