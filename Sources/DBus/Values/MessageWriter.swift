import CDBus

/// A property's name, type, well-formed current value, and the size of that value in bytes.
typealias PropertyValue = (name: String, type: DBusSignature, value: DBusValue, size: Int)

/// The position at the end of a message, or of a container in it, where values are appended.
///
/// Values must have passed ``DBusValue/encodedSize(as:depth:)``, because libdbus aborts on a malformed value. Every
/// function returns false only if memory is exhausted; the message is then unusable.
/// <https://dbus.freedesktop.org/doc/api/html/group__DBusMessage.html>
@safe
struct MessageWriter: ~Copyable {
  private var iterator = unsafe DBusMessageIter()

  fileprivate init() { unsafe dbus_message_iter_init_closed(&iterator) }

  init(_ message: borrowing Message) { unsafe dbus_message_iter_init_append(message.pointer, &iterator) }

  mutating func append(_ values: [DBusValue]) -> Bool {
    for value in values { guard append(value) else { return false } }
    return true
  }

  mutating func append(_ value: DBusValue) -> Bool {
    switch value {
    case .byte(let number): append(number, CDBUS_TYPE_BYTE)
    case .boolean(let truth): append(dbus_bool_t(truth ? 1 : 0), CDBUS_TYPE_BOOLEAN)
    case .int16(let number): append(number, CDBUS_TYPE_INT16)
    case .uint16(let number): append(number, CDBUS_TYPE_UINT16)
    case .int32(let number): append(number, CDBUS_TYPE_INT32)
    case .uint32(let number): append(number, CDBUS_TYPE_UINT32)
    case .int64(let number): append(number, CDBUS_TYPE_INT64)
    case .uint64(let number): append(number, CDBUS_TYPE_UINT64)
    case .double(let number): append(number, CDBUS_TYPE_DOUBLE)
    case .string(let text): append(text: text, CDBUS_TYPE_STRING)
    case .objectPath(let path): append(text: path.rawValue, CDBUS_TYPE_OBJECT_PATH)
    case .fileDescriptor(let descriptor): append(descriptor.number, CDBUS_TYPE_UNIX_FD)
    case .signature(let signature): append(text: signature.rawValue, CDBUS_TYPE_SIGNATURE)
    case .array(let element, let elements):
      append(CDBUS_TYPE_ARRAY, of: element.rawValue) { $0.append(elements) }
    case .structure(let fields): append(CDBUS_TYPE_STRUCT) { $0.append(fields) }
    case .dictionaryEntry(let key, let value): append(CDBUS_TYPE_DICT_ENTRY) { $0.append(key) && $0.append(value) }
    case .variant(let content): append(variant: content, of: content.signature)
    }
  }

  mutating func append(variant value: DBusValue, of type: DBusSignature) -> Bool {
    append(CDBUS_TYPE_VARIANT, of: type.rawValue) { $0.append(value) }
  }

  /// Appends an `a{sv}` without creating a variant of each value.
  mutating func append(dictionary properties: [PropertyValue]) -> Bool {
    append(CDBUS_TYPE_ARRAY, of: DBusSignature.entry.rawValue) { dictionary in
      for property in properties {
        let isAppended = dictionary.append(CDBUS_TYPE_DICT_ENTRY) { entry in
          entry.append(text: property.name, CDBUS_TYPE_STRING)
            && entry.append(variant: property.value, of: property.type)
        }
        guard isAppended else { return false }
      }
      return true
    }
  }

  /// Appends a text up to its first NUL, which a D-Bus string cannot contain.
  private mutating func append(text: String, _ type: Int) -> Bool {
    unsafe text.withCString { unsafe append($0, type) }
  }

  private mutating func append<Content>(_ content: Content, _ type: Int) -> Bool {
    unsafe withUnsafePointer(to: content) { unsafe dbus_message_iter_append_basic(&iterator, CInt(type), $0) != 0 }
  }

  private mutating func append(
    _ container: Int, of type: String? = nil, _ content: (inout MessageWriter) -> Bool
  ) -> Bool {
    var inner = MessageWriter()
    let isOpen = unsafe type?.withCString { unsafe open(container, $0, &inner) } ?? open(container, nil, &inner)
    guard isOpen else { return false }
    guard content(&inner) else {
      unsafe dbus_message_iter_abandon_container(&iterator, &inner.iterator)
      return false
    }
    return unsafe dbus_message_iter_close_container(&iterator, &inner.iterator) != 0
  }

  private mutating func open(_ container: Int, _ type: CString?, _ inner: inout MessageWriter) -> Bool {
    unsafe dbus_message_iter_open_container(&iterator, CInt(container), type, &inner.iterator) != 0
  }
}
