import CDBus

/// A place among the arguments of a message that has arrived, or among the values of a container in it.
///
/// libdbus has validated the message: nothing nests deeper than 64 levels, every text is valid.
/// <https://dbus.freedesktop.org/doc/api/html/group__DBusMessage.html>
@safe
struct MessageReader: ~Copyable {
  /// The most values that one message may unfold to, 64 MiB of them: an array of bytes grows thirty-fold in Swift.
  static let mostValues = 1 << 21

  private var iterator = unsafe DBusMessageIter()

  fileprivate init() { unsafe dbus_message_iter_init_closed(&iterator) }

  init(_ message: borrowing Message) { unsafe _ = dbus_message_iter_init(message.pointer, &iterator) }

  /// The remaining values.
  ///
  /// - Throws: `LimitsExceeded` for more than ``mostValues``, or when this process has no file descriptor left.
  mutating func values() throws(DBusError) -> [Value] {
    var budget = Self.mostValues
    return try values(&budget)
  }

  /// The text when the reader is at a string, and moves on; nil elsewhere.
  ///
  /// It lives as long as the message.
  mutating func nextString() -> CString? {
    guard type == CDBUS_TYPE_STRING else { return nil }
    defer { advance() }
    return unsafe basic(nil)
  }

  private var type: Int { mutating get { Int(unsafe dbus_message_iter_get_arg_type(&iterator)) } }

  private mutating func advance() { unsafe _ = dbus_message_iter_next(&iterator) }

  private mutating func values(_ budget: inout Int) throws(DBusError) -> [Value] {
    var values: [Value] = []
    while type != CDBUS_TYPE_INVALID {
      values.append(try value(&budget))
      advance()
    }
    return values
  }

  private mutating func value(_ budget: inout Int) throws(DBusError) -> Value {
    budget -= 1
    guard budget >= 0 else { throw .limitsExceeded("more than \(Self.mostValues) values in one message") }
    switch type {
    case CDBUS_TYPE_BYTE: return .byte(basic(0))
    case CDBUS_TYPE_BOOLEAN: return .boolean(basic(0 as dbus_bool_t) != 0)
    case CDBUS_TYPE_INT16: return .int16(basic(0))
    case CDBUS_TYPE_UINT16: return .uint16(basic(0))
    case CDBUS_TYPE_INT32: return .int32(basic(0))
    case CDBUS_TYPE_UINT32: return .uint32(basic(0))
    case CDBUS_TYPE_INT64: return .int64(basic(0))
    case CDBUS_TYPE_UINT64: return .uint64(basic(0))
    case CDBUS_TYPE_DOUBLE: return .double(basic(0))
    case CDBUS_TYPE_STRING: return .string(text())
    case CDBUS_TYPE_OBJECT_PATH: return .objectPath(ObjectPath(unchecked: text()))
    case CDBUS_TYPE_SIGNATURE: return .signature(Signature(unchecked: text()))
    case CDBUS_TYPE_ARRAY:
      var elements = inner()
      let type = elements.signature()
      return .array(type, try elements.values(&budget))
    case CDBUS_TYPE_STRUCT:
      var fields = inner()
      return .structure(try fields.values(&budget))
    case CDBUS_TYPE_DICT_ENTRY:
      var entry = inner()
      let key = try entry.value(&budget)
      entry.advance()
      return .dictionaryEntry(key, try entry.value(&budget))
    case CDBUS_TYPE_VARIANT:
      var content = inner()
      return .variant(try content.value(&budget))
    case CDBUS_TYPE_UNIX_FD:
      // libdbus gives a copy of its own, closed at exec.
      let descriptor: CInt = basic(-1)
      guard descriptor >= 0 else { throw .limitsExceeded("no file descriptor is left") }
      return .fileDescriptor(FileDescriptor(taking: descriptor))
    default: throw .notSupported("a value of a type that this library does not know")
    }
  }

  private mutating func inner() -> MessageReader {
    var inner = MessageReader()
    unsafe dbus_message_iter_recurse(&iterator, &inner.iterator)
    return inner
  }

  /// A value of the type of `placeholder`, which must be the C type of the value that the reader is at.
  private mutating func basic<Content>(_ placeholder: Content) -> Content {
    var content = placeholder
    unsafe withUnsafeMutablePointer(to: &content) { unsafe dbus_message_iter_get_basic(&iterator, $0) }
    return content
  }

  /// A string, object path or signature.
  private mutating func text() -> String {
    let text: CString? = unsafe basic(nil)
    return unsafe text.map { unsafe String(cString: $0) } ?? ""
  }

  /// The type of the element that the reader is at, known for an empty array too.
  private mutating func signature() -> Signature {
    guard let text = unsafe dbus_message_iter_get_signature(&iterator) else { return .variant }
    defer { unsafe dbus_free(text) }
    return unsafe Signature(unchecked: String(cString: text))
  }
}
