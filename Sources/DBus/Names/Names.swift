import CDBus

/// A string that follows one of the grammars of the D-Bus specification.
///
/// Text from outside goes through the throwing initialiser. A string literal is our own constant: a wrong one is a
/// programmer's error and traps.
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names>
public protocol ValidatedName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral
where StringLiteralType == String {
  /// The text, known to be valid.
  var rawValue: String { get }

  /// Validates a text.
  ///
  /// - Throws: `InvalidArgs` that names the text and what is wrong with it.
  init(_ text: String) throws(DBusError)
}

extension ValidatedName {
  /// Creates a name from a constant of the program.
  public init(stringLiteral text: String) {
    do { self = try Self(text) } catch { preconditionFailure(error.message) }
  }

  /// The text itself.
  public var description: String { rawValue }

  /// Names are ordered as their texts are.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// The path of an object, such as `/org/mpris/MediaPlayer2`.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-marshaling-object-path>
public struct ObjectPath: ValidatedName {
  /// The text, known to be valid.
  public let rawValue: String

  /// Validates a text; throws `InvalidArgs`.
  public init(_ text: String) throws(DBusError) {
    rawValue = try unsafe validated(text, "an object path", dbus_validate_path)
  }

  init(unchecked text: String) { rawValue = text }

  /// The object of the message bus.
  public static let bus = ObjectPath(unchecked: DBUS_PATH_DBUS)
}

/// The name of a connection, unique (`:1.42`) or well-known (`org.example.Service`).
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-bus>
public struct BusName: ValidatedName {
  /// The text, known to be valid.
  public let rawValue: String

  /// Validates a text; throws `InvalidArgs`.
  public init(_ text: String) throws(DBusError) {
    rawValue = try unsafe validated(text, "a bus name", dbus_validate_bus_name)
  }

  init(unchecked text: String) { rawValue = text }

  /// Whether the bus gave this name to one connection for its life.
  public var isUnique: Bool { rawValue.utf8.first == UInt8(ascii: ":") }

  /// The message bus itself.
  public static let bus = BusName(unchecked: DBUS_SERVICE_DBUS)
}

/// The name of an interface, such as `org.freedesktop.DBus.Properties`; error names follow the same grammar.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-interface>
public struct InterfaceName: ValidatedName {
  /// The text, known to be valid.
  public let rawValue: String

  /// Validates a text; throws `InvalidArgs`.
  public init(_ text: String) throws(DBusError) {
    rawValue = try unsafe validated(text, "an interface name", dbus_validate_interface)
  }

  init(unchecked text: String) { rawValue = text }

  /// The interface of the message bus.
  public static let bus = InterfaceName(unchecked: DBUS_INTERFACE_DBUS)
  /// The interface behind Get, GetAll, Set and PropertiesChanged.
  public static let properties = InterfaceName(unchecked: DBUS_INTERFACE_PROPERTIES)
  static let introspectable = InterfaceName(unchecked: DBUS_INTERFACE_INTROSPECTABLE)
  static let peer = InterfaceName(unchecked: DBUS_INTERFACE_PEER)
}

/// The name of a method, signal or property.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-member>
public struct MemberName: ValidatedName {
  /// The text, known to be valid.
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
public struct Signature: ValidatedName {
  /// The text, known to be valid.
  public let rawValue: String

  /// Validates a text, which may be empty; throws `InvalidArgs`.
  ///
  /// A lone dictionary entry such as `{sv}` is taken too: it is the type of an array's element, and of nothing else.
  public init(_ text: String) throws(DBusError) {
    let prefix = text.utf8.first == UInt8(ascii: "{") ? "a" : ""
    _ = try unsafe validated(prefix + text, "a signature", dbus_signature_validate)
    rawValue = text
  }

  init(unchecked text: String) { rawValue = text }

  static let string = Signature(unchecked: "s")
  static let objectPath = Signature(unchecked: "o")
  static let variant = Signature(unchecked: "v")
  /// One entry of a dictionary `a{sv}`.
  static let entry = Signature(unchecked: "{sv}")
  static let dictionary = Signature(unchecked: "a{sv}")
  static let strings = Signature(unchecked: "as")

  /// Whether this is exactly one complete type, as a variant, an array element or a property needs.
  public var isSingle: Bool { unsafe dbus_signature_validate_single(rawValue, nil) != 0 }

  /// Whether the type is one that a number fits into.
  var isNumeric: Bool {
    rawValue.utf8.count == 1 && rawValue.utf8.allSatisfy { "ynqiuxtd".utf8.contains($0) }
  }
}

private typealias Validator = (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t

/// The validators are pure functions of libdbus: every thread may call them.
private func validated(_ text: String, _ kind: String, _ isValid: Validator) throws(DBusError) -> String {
  guard !text.utf8.contains(0) else { throw .invalidArguments("\(quoted(text)) is not \(kind): it contains NUL") }
  if let reason = libdbusError({ error in unsafe isValid(text, error) != 0 }) {
    throw .invalidArguments("\(quoted(text)) is not \(kind): \(reason.message.prefix(120))")
  }
  return text
}
