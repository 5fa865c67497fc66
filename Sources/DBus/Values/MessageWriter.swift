import CDBus

/// A property's name, type, well-formed current value, and the size of that value in bytes.
typealias PropertyValue = (name: String, type: DBusSignature, value: DBusValue, size: Int)

/// Appends values at the end of a message, or of a container in it.
///
/// Values must have passed ``DBusValue/encodedSize(as:depth:)``, because libdbus aborts on a malformed value. Every
/// function returns false only if memory is exhausted; the message is then unusable.
/// <https://dbus.freedesktop.org/doc/api/html/group__DBusMessage.html>
@safe
struct MessageWriter: ~Copyable {
  private var iterator = unsafe DBusMessageIter()

  fileprivate init() { unsafe dbus_message_iter_init_closed(&iterator) }

  init(_ message: borrowing Message) { unsafe dbus_message_iter_init_append(message.pointer, &iterator) }

  mutating func append(_ values: [DBusValue]) -> Bool { values.allSatisfy { append($0) } }

  mutating func append(_ value: DBusValue) -> Bool {
    switch value {
    case .byte(let number): append(number, "y")
    case .boolean(let truth): append(dbus_bool_t(truth ? 1 : 0), "b")
    case .int16(let number): append(number, "n")
    case .uint16(let number): append(number, "q")
    case .int32(let number): append(number, "i")
    case .uint32(let number): append(number, "u")
    case .int64(let number): append(number, "x")
    case .uint64(let number): append(number, "t")
    case .double(let number): append(number, "d")
    case .string(let text): append(text: text, "s")
    case .objectPath(let path): append(text: path.rawValue, "o")
    case .fileDescriptor(let descriptor): append(descriptor.number, "h")
    case .signature(let signature): append(text: signature.rawValue, "g")
    case .array(let element, let elements): append("a", of: element.rawValue) { $0.append(elements) }
    case .structure(let fields): append("r") { $0.append(fields) }
    case .dictionaryEntry(let key, let value): append("e") { $0.append(key) && $0.append(value) }
    case .variant(let content): append(variant: content, of: content.signature)
    }
  }

  mutating func append(variant value: DBusValue, of type: DBusSignature) -> Bool {
    append("v", of: type.rawValue) { $0.append(value) }
  }

  /// Appends an `a{sv}` without creating a variant of each value.
  mutating func append(dictionary properties: [PropertyValue]) -> Bool {
    append("a", of: DBusSignature.entry.rawValue) { dictionary in
      properties.allSatisfy { property in
        dictionary.append("e") {
          $0.append(text: property.name, "s") && $0.append(variant: property.value, of: property.type)
        }
      }
    }
  }

  /// Appends a text up to its first NUL, which a D-Bus string cannot contain.
  private mutating func append(text: String, _ type: Unicode.Scalar) -> Bool {
    unsafe text.withCString { unsafe append($0, type) }
  }

  private mutating func append<Content>(_ content: Content, _ type: Unicode.Scalar) -> Bool {
    let type = CInt(type.value)
    return unsafe withUnsafePointer(to: content) { unsafe dbus_message_iter_append_basic(&iterator, type, $0) != 0 }
  }

  private mutating func append(
    _ container: Unicode.Scalar, of type: String? = nil, _ content: (inout MessageWriter) -> Bool
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

  private mutating func open(_ container: Unicode.Scalar, _ type: CString?, _ inner: inout MessageWriter) -> Bool {
    unsafe dbus_message_iter_open_container(&iterator, CInt(container.value), type, &inner.iterator) != 0
  }
}
