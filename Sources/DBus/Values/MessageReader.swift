import CDBus

/// Reads the arguments of a received message, or of a container among them, one after the other.
///
/// libdbus has validated the message: no value nests deeper than 64 levels, and every text is valid.
/// <https://dbus.freedesktop.org/doc/api/html/group__DBusMessage.html>
@safe
struct MessageReader: ~Copyable {
  /// The limit of values in one message; they occupy 64 MiB: an array of bytes grows thirty-fold in Swift.
  static let mostValues = 1 << 21

  private var iterator = unsafe DBusMessageIter()

  fileprivate init() { unsafe dbus_message_iter_init_closed(&iterator) }

  init(_ message: borrowing Message) { unsafe _ = dbus_message_iter_init(message.pointer, &iterator) }

  /// Reads the remaining values.
  ///
  /// - Throws: `LimitsExceeded` for more than ``mostValues``, or if this process has no free file descriptor.
  mutating func values() throws(DBusError) -> [DBusValue] {
    var budget = Self.mostValues
    return try values(&budget)
  }

  /// Reads the string at this position and advances; nil for another type.
  ///
  /// The string has the lifetime of the message.
  mutating func nextString() -> CString? {
    guard type == "s" else { return nil }
    defer { advance() }
    return unsafe basic(nil)
  }

  /// The type at this position: the character of a signature, `r` for a structure, `e` for an entry, NUL at the end.
  private var type: Unicode.Scalar {
    mutating get { Unicode.Scalar(UInt8(truncatingIfNeeded: unsafe dbus_message_iter_get_arg_type(&iterator))) }
  }

  private mutating func advance() { unsafe _ = dbus_message_iter_next(&iterator) }

  private mutating func values(_ budget: inout Int) throws(DBusError) -> [DBusValue] {
    var values: [DBusValue] = []
    var type = type
    while type != "\0" {
      values.append(try value(of: type, &budget))
      advance()
      type = self.type
    }
    return values
  }

  private mutating func value(_ budget: inout Int) throws(DBusError) -> DBusValue { try value(of: type, &budget) }

  private mutating func value(of type: Unicode.Scalar, _ budget: inout Int) throws(DBusError) -> DBusValue {
    budget -= 1
    guard budget >= 0 else { throw .limitsExceeded("more than \(Self.mostValues) values in one message") }
    switch type {
    case "y": return .byte(basic(0))
    case "b": return .boolean(basic(0 as dbus_bool_t) != 0)
    case "n": return .int16(basic(0))
    case "q": return .uint16(basic(0))
    case "i": return .int32(basic(0))
    case "u": return .uint32(basic(0))
    case "x": return .int64(basic(0))
    case "t": return .uint64(basic(0))
    case "d": return .double(basic(0))
    case "s": return .string(text())
    case "o": return .objectPath(ObjectPath(unchecked: text()))
    case "g": return .signature(DBusSignature(unchecked: text()))
    case "a":
      var elements = inner()
      let type = elements.signature()
      return .array(type, try elements.values(&budget))
    case "r":
      var fields = inner()
      return .structure(try fields.values(&budget))
    case "e":
      var entry = inner()
      let key = try entry.value(&budget)
      entry.advance()
      return .dictionaryEntry(key, try entry.value(&budget))
    case "v":
      var content = inner()
      return .variant(try content.value(&budget))
    case "h":
      // libdbus returns its own duplicate, which is closed at exec.
      let descriptor: CInt = basic(-1)
      guard descriptor >= 0 else { throw .limitsExceeded("no file descriptor is available") }
      return .fileDescriptor(DBusFileDescriptor(taking: descriptor))
    default: throw .notSupported("a value of an unknown type")
    }
  }

  private mutating func inner() -> MessageReader {
    var inner = MessageReader()
    unsafe dbus_message_iter_recurse(&iterator, &inner.iterator)
    return inner
  }

  /// Reads a value of the type of `placeholder`, which must be the C type of the value at this position.
  private mutating func basic<Content>(_ placeholder: Content) -> Content {
    var content = placeholder
    unsafe withUnsafeMutablePointer(to: &content) { unsafe dbus_message_iter_get_basic(&iterator, $0) }
    return content
  }

  /// Reads a string, object path or signature.
  private mutating func text() -> String {
    let text: CString? = unsafe basic(nil)
    return unsafe text.map { unsafe String(cString: $0) } ?? ""
  }

  /// Returns the type of the element at this position; an empty array has one too.
  private mutating func signature() -> DBusSignature {
    guard let text = unsafe dbus_message_iter_get_signature(&iterator) else { return .variant }
    defer { unsafe dbus_free(text) }
    return unsafe DBusSignature(unchecked: String(cString: text))
  }
}
