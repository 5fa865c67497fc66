/// The introspection document: the interfaces of an object as XML, generated from the rows.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#introspection-format>
public enum DBusIntrospection {
  /// Returns the document of an object with these interfaces and child nodes, without the standard interfaces.
  public static func xml<State>(
    path: ObjectPath, interfaces: [DBusInterface<State>], children: [String] = []
  ) -> String {
    xml(path: path, shapes: interfaces.map { shape(of: $0) }, children: children)
  }

  static func xml(path: ObjectPath, shapes: [String], children: [String]) -> String {
    let nodes = children.map { "  <node name=\"\(escaped($0))\"/>\n" }
    return """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node name="\(escaped(path.rawValue))">

      """ + shapes.joined() + nodes.joined() + "</node>\n"
  }

  /// Escapes text for an attribute value; each character that XML does not allow becomes a space.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += " "
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// Returns the XML element of an interface.
  static func shape<State>(of interface: DBusInterface<State>) -> String {
    let methods = interface.methods.map { method in
      element(
        "method", method.name,
        method.declaration.input.arguments.map { argument($0, " direction=\"in\"") }
          + method.declaration.output.arguments.map { argument($0, " direction=\"out\"") })
    }
    let properties = interface.properties.map { property in
      element(
        "property", property.name,
        attributes: " type=\"\(property.signature)\" access=\"\(property.setting == nil ? "read" : "readwrite")\"",
        property.changes == .value ? [] : [annotation(property.changes)])
    }
    let signals = interface.signals.map { signal in
      element("signal", signal.name, signal.arguments.arguments.map { argument($0, "") })
    }
    return
      "  <interface name=\"\(interface.name)\">\n" + (methods + properties + signals).joined() + "  </interface>\n"
  }

  private static func element(
    _ kind: String, _ name: MemberName, attributes: String = "", _ content: [String]
  ) -> String {
    let start = "    <\(kind) name=\"\(name)\"\(attributes)"
    return content.isEmpty ? start + "/>\n" : start + ">\n" + content.joined() + "    </\(kind)>\n"
  }

  private static func argument(_ argument: (name: String, type: DBusSignature), _ direction: String) -> String {
    let name = escaped(argument.name)
    return "      <arg name=\"\(name)\" type=\"\(argument.type)\"\(direction)/>\n"
  }

  private static func annotation(_ changes: DBusChangeSignal) -> String {
    "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(changes.rawValue)\"/>\n"
  }
}
