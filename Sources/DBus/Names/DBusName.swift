import CDBus

/// A string that follows one of the grammars of the D-Bus specification.
///
/// Use the throwing initialiser for text from outside the program. A string literal is a constant of the program: if it
/// is invalid, the program traps.
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names>
public protocol DBusName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral
where StringLiteralType == String {
  /// The validated text.
  var rawValue: String { get }

  /// Validates a text.
  ///
  /// - Throws: `InvalidArgs` with the text and the reason why it is invalid.
  init(_ text: String) throws(DBusError)
}

extension DBusName {
  /// Creates a name from a constant of the program.
  public init(stringLiteral text: String) {
    do { self = try Self(text) } catch { preconditionFailure(error.message) }
  }

  /// The text.
  public var description: String { rawValue }

  /// Compares names by their text.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// The path of an object, such as `/org/mpris/MediaPlayer2`.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-marshaling-object-path>
public struct ObjectPath: DBusName {
  /// The validated text.
  public let rawValue: String

  /// Validates a text; throws `InvalidArgs`.
  public init(_ text: String) throws(DBusError) {
    rawValue = try unsafe validated(text, "an object path", dbus_validate_path)
  }

  package init(unchecked text: String) { rawValue = text }

  /// The object of the message bus.
  public static let bus = ObjectPath(unchecked: DBUS_PATH_DBUS)
}

/// The name of a connection, unique (`:1.42`) or well-known (`org.example.Service`).
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-bus>
public struct BusName: DBusName {
  /// The validated text.
  public let rawValue: String

  /// Validates a text; throws `InvalidArgs`.
  public init(_ text: String) throws(DBusError) {
    rawValue = try unsafe validated(text, "a bus name", dbus_validate_bus_name)
  }

  init(unchecked text: String) { rawValue = text }

  /// Whether the bus assigned this name to one connection for its lifetime.
  public var isUnique: Bool { rawValue.utf8.first == UInt8(ascii: ":") }

  /// The message bus itself.
  public static let bus = BusName(unchecked: DBUS_SERVICE_DBUS)
}

/// The name of an interface, such as `org.freedesktop.DBus.Properties`; error names follow the same grammar.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-interface>
public struct InterfaceName: DBusName {
  /// The validated text.
  public let rawValue: String

  /// Validates a text; throws `InvalidArgs`.
  public init(_ text: String) throws(DBusError) {
    rawValue = try unsafe validated(text, "an interface name", dbus_validate_interface)
  }

  init(unchecked text: String) { rawValue = text }

  /// The interface of the message bus.
  public static let bus = InterfaceName(unchecked: DBUS_INTERFACE_DBUS)
  /// The interface of Get, GetAll, Set and PropertiesChanged.
  public static let properties = InterfaceName(unchecked: DBUS_INTERFACE_PROPERTIES)
  /// The interface of GetManagedObjects, InterfacesAdded and InterfacesRemoved.
  public static let objectManager = InterfaceName(unchecked: "org.freedesktop.DBus.ObjectManager")
  static let introspectable = InterfaceName(unchecked: DBUS_INTERFACE_INTROSPECTABLE)
  static let peer = InterfaceName(unchecked: DBUS_INTERFACE_PEER)
}

/// The name of a method, signal or property.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-member>
public struct MemberName: DBusName {
  /// The validated text.
  public let rawValue: String

  /// Validates a text; throws `InvalidArgs`.
  public init(_ text: String) throws(DBusError) {
    rawValue = try unsafe validated(text, "a member name", dbus_validate_member)
  }

  init(unchecked text: String) { rawValue = text }
}

/// A sequence of complete types, such as `sa{sv}as`.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#type-system>
public struct DBusSignature: DBusName {
  /// The validated text.
  public let rawValue: String

  /// Validates a text, which may be empty; throws `InvalidArgs`.
  ///
  /// A single dictionary entry such as `{sv}` is accepted too; it is valid only as the element type of an array.
  public init(_ text: String) throws(DBusError) {
    let prefix = text.utf8.first == UInt8(ascii: "{") ? "a" : ""
    _ = try unsafe validated(prefix + text, "a signature", dbus_signature_validate)
    rawValue = text
  }

  init(unchecked text: String) { rawValue = text }

  static let string = DBusSignature(unchecked: "s")
  static let objectPath = DBusSignature(unchecked: "o")
  static let variant = DBusSignature(unchecked: "v")
  /// One entry of a dictionary `a{sv}`.
  static let entry = DBusSignature(unchecked: "{sv}")
  static let dictionary = DBusSignature(unchecked: "a{sv}")
  static let strings = DBusSignature(unchecked: "as")

  /// Whether this is exactly one complete type, as required for a variant, an array element or a property.
  public var isSingle: Bool { unsafe dbus_signature_validate_single(rawValue, nil) != 0 }
}

private typealias Validator = (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t

/// Validates a text with a function of libdbus.
///
/// The validators are pure functions, so any thread may call them.
private func validated(_ text: String, _ kind: String, _ isValid: Validator) throws(DBusError) -> String {
  guard !text.utf8.contains(0) else { throw .invalidArguments("\(quoted(text)) is not \(kind): it contains NUL") }
  do {
    return try libdbus { error in unsafe isValid(text, error) != 0 ? text : nil }
  } catch let reason {
    throw .invalidArguments("\(quoted(text)) is not \(kind): \(reason.message.prefix(120))")
  }
}
