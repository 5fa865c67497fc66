import CDBus

/// An error of D-Bus: a name that programs compare and a text that people read.
///
/// The names are those of `org.freedesktop.DBus.Error`; the text is never empty, because clients exist that crash on an
/// error without one. <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-types-error>
public struct DBusError: Error, Hashable, CustomStringConvertible {
  /// The error's name, a valid interface name.
  public let name: String

  /// What went wrong, in words; never empty.
  public let message: String

  /// Creates an error; an empty message becomes the name.
  public init(_ name: InterfaceName, _ message: String) {
    self.init(unchecked: name.rawValue, message)
  }

  /// The name is one that libdbus has validated or that is written here.
  init(unchecked name: String, _ message: String) {
    self.name = name
    self.message = message.isEmpty ? name : message
  }

  /// The name and the text, as a log line shows them.
  public var description: String { "\(name): \(message)" }
}

extension DBusError {
  /// Something failed and no other name says it better.
  public static func failed(_ message: String) -> Self { standard(DBUS_ERROR_FAILED, message) }

  /// Arguments of a wrong type or value.
  public static func invalidArguments(_ message: String) -> Self { standard(DBUS_ERROR_INVALID_ARGS, message) }

  /// A method that the interface does not have.
  public static func unknownMethod(_ message: String) -> Self { standard(DBUS_ERROR_UNKNOWN_METHOD, message) }

  /// An interface that the object does not have.
  public static func unknownInterface(_ message: String) -> Self { standard(DBUS_ERROR_UNKNOWN_INTERFACE, message) }

  /// A path where no object is.
  public static func unknownObject(_ message: String) -> Self { standard(DBUS_ERROR_UNKNOWN_OBJECT, message) }

  /// A property that the interface does not have.
  public static func unknownProperty(_ message: String) -> Self { standard(DBUS_ERROR_UNKNOWN_PROPERTY, message) }

  /// A property that cannot be set.
  public static func propertyReadOnly(_ message: String) -> Self { standard(DBUS_ERROR_PROPERTY_READ_ONLY, message) }

  /// An object is exported at this path already.
  public static func objectPathInUse(_ message: String) -> Self { standard(DBUS_ERROR_OBJECT_PATH_IN_USE, message) }

  /// The request is understood but not supported.
  public static func notSupported(_ message: String) -> Self { standard(DBUS_ERROR_NOT_SUPPORTED, message) }

  /// A policy forbids the request.
  public static func accessDenied(_ message: String) -> Self { standard(DBUS_ERROR_ACCESS_DENIED, message) }

  /// There is such a file already.
  public static func fileExists(_ message: String) -> Self { standard(DBUS_ERROR_FILE_EXISTS, message) }

  /// A limit is reached.
  public static func limitsExceeded(_ message: String) -> Self { standard(DBUS_ERROR_LIMITS_EXCEEDED, message) }

  /// The connection is closed, by either side.
  public static func disconnected(_ message: String) -> Self { standard(DBUS_ERROR_DISCONNECTED, message) }

  /// No reply came in time, or nobody waits for it any longer.
  public static func noReply(_ message: String) -> Self { standard(DBUS_ERROR_NO_REPLY, message) }

  /// Nobody owns the name that was asked about.
  public static func nameHasNoOwner(_ message: String) -> Self { standard(DBUS_ERROR_NAME_HAS_NO_OWNER, message) }

  /// Nobody owns the name that was called and nothing can start it.
  public static func serviceUnknown(_ message: String) -> Self { standard(DBUS_ERROR_SERVICE_UNKNOWN, message) }

  /// libdbus could not allocate.
  static let noMemory = standard(DBUS_ERROR_NO_MEMORY, "out of memory")

  private static func standard(_ name: String, _ message: String) -> Self { Self(unchecked: name, message) }

  /// Whether two errors are of one kind, whatever their texts say.
  public static func ~= (pattern: Self, error: any Error) -> Bool {
    (error as? Self)?.name == pattern.name
  }
}

/// The one place that reads libdbus' `DBusError`: runs `body` and returns what it reported, nil when it succeeded.
@safe
func libdbusError(_ body: (UnsafeMutablePointer<CDBus.DBusError>) -> Bool) -> DBusError? {
  var error = unsafe CDBus.DBusError()
  unsafe dbus_error_init(&error)
  defer { unsafe dbus_error_free(&error) }
  if unsafe body(&error) { return nil }
  guard let name = unsafe error.name else { return .failed("libdbus gave no reason") }
  return unsafe DBusError(unchecked: String(cString: name), error.message.map { unsafe String(cString: $0) } ?? "")
}

/// A peer's text as an error may quote it: in quotes and not longer than a line.
func quoted(_ text: String, limit: Int = 120) -> String {
  let head = text.prefix(limit)
  return head.endIndex == text.endIndex ? "'\(head)'" : "'\(head)…'"
}
