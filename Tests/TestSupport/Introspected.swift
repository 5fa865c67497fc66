public import DBus

/// What introspection says of an object, read back from the XML that our own services write: one element a line.
public struct Introspected: Sendable {
  /// A method and the types of its arguments.
  public struct Method: Sendable {
    /// The interface that has it.
    public let interface: InterfaceName
    /// Its name.
    public let name: MemberName
    /// The types that it takes.
    public let inputs: [Signature]
  }

  /// A property.
  public struct Property: Sendable {
    /// The interface that has it.
    public let interface: InterfaceName
    /// Its name.
    public let name: String
    /// Its type.
    public let type: Signature
    /// Whether it can be set.
    public let isWritable: Bool
  }

  /// An interface's name and the lines of its element.
  public private(set) var interfaces: [(name: String, xml: String)] = []
  /// Every method of every interface.
  public private(set) var methods: [Method] = []
  /// Every property of every interface.
  public private(set) var properties: [Property] = []

  /// Asks an object for its description and reads it.
  public init(_ name: BusName, _ path: ObjectPath, over client: Connection) async throws {
    let reply = try await client.call(on: name, at: path, of: "org.freedesktop.DBus.Introspectable", "Introspect")
    try self.init(xml: reply.first?.asString ?? "")
  }

  /// Reads a description.
  public init(xml: String) throws {
    var interface: InterfaceName = "org.freedesktop.DBus"
    var method: (name: MemberName, inputs: [Signature])?
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
        method?.inputs.append(try Signature(Self.attribute("type", element)))
      } else if element.hasPrefix("<property ") {
        properties.append(
          Property(
            interface: interface, name: Self.attribute("name", element),
            type: try Signature(Self.attribute("type", element)), isWritable: element.contains("access=\"readwrite\"")))
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
