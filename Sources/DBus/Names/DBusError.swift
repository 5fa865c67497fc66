import CDBus

/// A D-Bus error: a name for programs and a message for people.
///
/// The names are defined in `org.freedesktop.DBus.Error`. The message is never empty, because some clients crash on an
/// error without one. <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-types-error>
public struct DBusError: Error, Hashable, CustomStringConvertible {
  /// The error's name; a valid interface name.
  public let name: String

  /// The message; never empty.
  public let message: String

  /// Creates an error; if the message is empty, the name replaces it.
  public init(_ name: InterfaceName, _ message: String) {
    self.init(unchecked: name.rawValue, message)
  }

  /// Creates an error from a name that libdbus has validated or that is a constant of this library.
  init(unchecked name: String, _ message: String) {
    self.name = name
    self.message = message.isEmpty ? name : message
  }

  /// The name and the message, in the format of a log line.
  public var description: String { "\(name): \(message)" }
}

extension DBusError {
  /// Creates the error `Failed`: a failure without a more specific name.
  public static func failed(_ message: String) -> Self { standard(DBUS_ERROR_FAILED, message) }

  /// Creates the error `InvalidArgs`: the arguments have a wrong type or value.
  public static func invalidArguments(_ message: String) -> Self { standard(DBUS_ERROR_INVALID_ARGS, message) }

  /// Creates the error `UnknownMethod`: the interface does not have this method.
  public static func unknownMethod(_ message: String) -> Self { standard(DBUS_ERROR_UNKNOWN_METHOD, message) }

  /// Creates the error `UnknownInterface`: the object does not have this interface.
  public static func unknownInterface(_ message: String) -> Self { standard(DBUS_ERROR_UNKNOWN_INTERFACE, message) }

  /// Creates the error `UnknownObject`: the path does not have an object.
  public static func unknownObject(_ message: String) -> Self { standard(DBUS_ERROR_UNKNOWN_OBJECT, message) }

  /// Creates the error `UnknownProperty`: the interface does not have this property.
  public static func unknownProperty(_ message: String) -> Self { standard(DBUS_ERROR_UNKNOWN_PROPERTY, message) }

  /// Creates the error `PropertyReadOnly`: the property cannot be set.
  public static func propertyReadOnly(_ message: String) -> Self { standard(DBUS_ERROR_PROPERTY_READ_ONLY, message) }

  /// Creates the error `ObjectPathInUse`: another object is already exported at this path.
  public static func objectPathInUse(_ message: String) -> Self { standard(DBUS_ERROR_OBJECT_PATH_IN_USE, message) }

  /// Creates the error `NotSupported`: the request is valid but not supported.
  public static func notSupported(_ message: String) -> Self { standard(DBUS_ERROR_NOT_SUPPORTED, message) }

  /// Creates the error `AccessDenied`: a policy denies the request.
  public static func accessDenied(_ message: String) -> Self { standard(DBUS_ERROR_ACCESS_DENIED, message) }

  /// Creates the error `FileExists`: the file already exists.
  public static func fileExists(_ message: String) -> Self { standard(DBUS_ERROR_FILE_EXISTS, message) }

  /// Creates the error `LimitsExceeded`: a limit is exceeded.
  public static func limitsExceeded(_ message: String) -> Self { standard(DBUS_ERROR_LIMITS_EXCEEDED, message) }

  /// Creates the error `Disconnected`: this process or the bus has closed the connection.
  public static func disconnected(_ message: String) -> Self { standard(DBUS_ERROR_DISCONNECTED, message) }

  /// Creates the error `NoReply`: the reply timed out, or the caller cancelled the call.
  public static func noReply(_ message: String) -> Self { standard(DBUS_ERROR_NO_REPLY, message) }

  /// Creates the error `NameHasNoOwner`: the queried name is unowned.
  public static func nameHasNoOwner(_ message: String) -> Self { standard(DBUS_ERROR_NAME_HAS_NO_OWNER, message) }

  /// Creates the error `ServiceUnknown`: the called name is unowned and cannot be activated.
  public static func serviceUnknown(_ message: String) -> Self { standard(DBUS_ERROR_SERVICE_UNKNOWN, message) }

  /// libdbus could not allocate memory.
  static let noMemory = standard(DBUS_ERROR_NO_MEMORY, "out of memory")

  /// The link to the bus has refused a message with a file descriptor.
  static let descriptorRefused = notSupported("the connection to the bus passes no file descriptors")

  private static func standard(_ name: String, _ message: String) -> Self { Self(unchecked: name, message) }

  /// Whether two errors have the same name, whatever their messages are.
  public static func ~= (pattern: Self, error: any Error) -> Bool {
    (error as? Self)?.name == pattern.name
  }
}

/// Runs `body` with a libdbus `DBusError`, and throws its error if `body` returns nil.
///
/// No other function reads that type.
@safe
func libdbus<Result>(_ body: (UnsafeMutablePointer<CDBus.DBusError>) -> Result?) throws(DBusError) -> Result {
  var error = unsafe CDBus.DBusError()
  unsafe dbus_error_init(&error)
  defer { unsafe dbus_error_free(&error) }
  if let result = unsafe body(&error) { return result }
  guard let name = unsafe error.name else { throw .failed("libdbus gave no reason") }
  throw unsafe DBusError(unchecked: String(cString: name), error.message.map { unsafe String(cString: $0) } ?? "")
}

/// Returns the text of a peer in quotes for an error message, truncated to `limit` characters.
func quoted(_ text: String, limit: Int = 120) -> String {
  let head = text.prefix(limit)
  return head.endIndex == text.endIndex ? "'\(head)'" : "'\(head)…'"
}
