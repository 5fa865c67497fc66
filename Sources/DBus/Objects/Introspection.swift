/// The introspection document: the interfaces of an object as XML, generated from the rows.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#introspection-format>
public enum DBusIntrospection {
  /// Returns the document of an object with these interfaces and child nodes, without the standard interfaces.
  public static func xml<State>(
    path: ObjectPath, interfaces: [DBusInterface<State>], children: [String] = []
  ) -> String {
    xml(path: path, shapes: interfaces.map { InterfaceShape($0) }, children: children)
  }

  static func xml(path: ObjectPath, shapes: [InterfaceShape], children: [String]) -> String {
    let nodes = children.map { "  <node name=\"\(escaped($0))\"/>\n" }
    return """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node name="\(escaped(path.rawValue))">

      """ + shapes.map(\.xml).joined() + nodes.joined() + "</node>\n"
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
}

/// The introspection XML of an interface, independent of the type of its state.
struct InterfaceShape: Sendable {
  let xml: String

  init<State>(_ interface: DBusInterface<State>) {
    let methods = interface.methods.map { method in
      Self.element(
        "method", method.name,
        method.declaration.input.arguments.map { Self.argument($0, " direction=\"in\"") }
          + method.declaration.output.arguments.map { Self.argument($0, " direction=\"out\"") })
    }
    let properties = interface.properties.map { property in
      Self.element(
        "property", property.name,
        attributes: " type=\"\(property.signature)\" access=\"\(property.set == nil ? "read" : "readwrite")\"",
        property.changes == .value ? [] : [Self.annotation(property.changes)])
    }
    let signals = interface.signals.map { signal in
      Self.element("signal", signal.name, signal.arguments.arguments.map { Self.argument($0, "") })
    }
    xml =
      "  <interface name=\"\(interface.name)\">\n" + (methods + properties + signals).joined() + "  </interface>\n"
  }

  private static func element(
    _ kind: String, _ name: MemberName, attributes: String = "", _ content: [String]
  ) -> String {
    let start = "    <\(kind) name=\"\(name)\"\(attributes)"
    return content.isEmpty ? start + "/>\n" : start + ">\n" + content.joined() + "    </\(kind)>\n"
  }

  private static func argument(_ argument: (name: String, type: DBusSignature), _ direction: String) -> String {
    let name = DBusIntrospection.escaped(argument.name)
    return "      <arg name=\"\(name)\" type=\"\(argument.type)\"\(direction)/>\n"
  }

  private static func annotation(_ changes: DBusChangeSignal) -> String {
    "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(changes.rawValue)\"/>\n"
  }
}
