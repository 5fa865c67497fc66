public import DBus

/// The introspection of an object, parsed from the XML of the services under test, which has one element per line.
public struct Introspected: Sendable {
  /// A method and the types of its arguments.
  public struct Method: Sendable {
    /// The interface that contains the method.
    public let interface: InterfaceName
    /// The name.
    public let name: MemberName
    /// The types of the input arguments.
    public let inputs: [DBusSignature]
  }

  /// A property and its type.
  public struct Property: Sendable {
    /// The interface that contains the property.
    public let interface: InterfaceName
    /// The name.
    public let name: String
    /// The type.
    public let type: DBusSignature
    /// Whether the property is writable.
    public let isWritable: Bool
  }

  /// The name of each interface, and the lines of its element.
  public private(set) var interfaces: [(name: String, xml: String)] = []
  /// The methods of all interfaces.
  public private(set) var methods: [Method] = []
  /// The properties of all interfaces.
  public private(set) var properties: [Property] = []

  /// Introspects an object and parses the reply.
  public init(_ name: BusName, _ path: ObjectPath, over client: DBusConnection) async throws {
    let reply = try await client.call(on: name, at: path, of: "org.freedesktop.DBus.Introspectable", "Introspect")
    try self.init(xml: reply.first?.asString ?? "")
  }

  /// Parses introspection XML.
  public init(xml: String) throws {
    var interface: InterfaceName = "org.freedesktop.DBus"
    var method: (name: MemberName, inputs: [DBusSignature])?
    func flush(_ methods: inout [Method]) {
      if let method { methods.append(Method(interface: interface, name: method.name, inputs: method.inputs)) }
    }
    for line in xml.split(separator: "\n") {
      let element = line.drop { $0 == " " }
      if element.hasPrefix("<interface ") {
        interface = try InterfaceName(Self.attribute("name", element))
        interfaces.append((interface.rawValue, ""))
      }
      let last = interfaces.indices.last
      if let last, line.hasPrefix("  ") { interfaces[last].xml += line + "\n" }
      if element.hasPrefix("<method ") {
        method = (try MemberName(Self.attribute("name", element)), [])
      } else if element.hasPrefix("<arg "), element.contains("direction=\"in\"") {
        method?.inputs.append(try DBusSignature(Self.attribute("type", element)))
      } else if element.hasPrefix("<property ") {
        properties.append(
          Property(
            interface: interface, name: Self.attribute("name", element),
            type: try DBusSignature(Self.attribute("type", element)),
            isWritable: element.contains("access=\"readwrite\"")))
      }
      if element == "</method>" || element.hasPrefix("<method ") && element.hasSuffix("/>") {
        flush(&methods)
        method = nil
      }
    }
  }

  private static func attribute(_ name: String, _ element: Substring) -> String {
    let parts = element.split(separator: "\"", omittingEmptySubsequences: false)
    guard let index = parts.firstIndex(where: { $0.hasSuffix(" \(name)=") }), index + 1 < parts.count else { return "" }
    return String(parts[index + 1])
  }
}
