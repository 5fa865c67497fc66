/// A value of any D-Bus type.
///
/// A string is sent up to its first NUL, because D-Bus cannot transport that character. A value is sent only if it
/// matches its type, occupies at most 64 MiB and is nested at most 64 levels deep. A received value is always
/// well-formed.
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#type-system>
public enum DBusValue: Hashable, Sendable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case boolean(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`
  case string(String)
  /// `o`
  case objectPath(ObjectPath)
  /// `g`
  case signature(DBusSignature)
  /// `h`
  case fileDescriptor(DBusFileDescriptor)
  /// `a…`: the element type, which an empty array needs too, and the elements.
  case array(DBusSignature, [DBusValue])
  /// `(…)`, with at least one field.
  case structure([DBusValue])
  /// `{…}`, valid only as an array element.
  indirect case dictionaryEntry(DBusValue, DBusValue)
  /// `v`
  indirect case variant(DBusValue)

  /// The type of the value.
  public var signature: DBusSignature {
    switch self {
    case .array(let element, _): DBusSignature(unchecked: "a" + element.rawValue)
    case .structure(let fields): DBusSignature(unchecked: "(" + DBusSignature(of: fields).rawValue + ")")
    case .dictionaryEntry(.string, .variant): .entry
    case .dictionaryEntry(let key, let value):
      DBusSignature(unchecked: "{" + key.signature.rawValue + value.signature.rawValue + "}")
    default: DBusSignature(unchecked: String(UnicodeScalar(typeCode)))
    }
  }

  /// The first character of the signature; for a basic type, this is the whole signature.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#idm487>
  var typeCode: UInt8 {
    switch self {
    case .byte: UInt8(ascii: "y")
    case .boolean: UInt8(ascii: "b")
    case .int16: UInt8(ascii: "n")
    case .uint16: UInt8(ascii: "q")
    case .int32: UInt8(ascii: "i")
    case .uint32: UInt8(ascii: "u")
    case .int64: UInt8(ascii: "x")
    case .uint64: UInt8(ascii: "t")
    case .double: UInt8(ascii: "d")
    case .string: UInt8(ascii: "s")
    case .objectPath: UInt8(ascii: "o")
    case .signature: UInt8(ascii: "g")
    case .fileDescriptor: UInt8(ascii: "h")
    case .array: UInt8(ascii: "a")
    case .structure: UInt8(ascii: "(")
    case .dictionaryEntry: UInt8(ascii: "{")
    case .variant: UInt8(ascii: "v")
    }
  }
}

extension DBusSignature {
  /// Creates the signature of a list of values.
  init(of values: [DBusValue]) { self.init(unchecked: values.map(\.signature.rawValue).joined()) }
}

extension DBusValue {
  /// Creates a dictionary `a{sv}` that keeps the order of its entries; wraps each value in a variant.
  public static func dictionary(_ entries: [(String, DBusValue)]) -> DBusValue {
    .array(.entry, entries.map { .dictionaryEntry(.string($0.0), .variant($0.1)) })
  }

  /// Creates an array `as`.
  public static func strings(_ strings: [String]) -> DBusValue { .array(.string, strings.map { .string($0) }) }

  /// Creates an array `ao`.
  public static func objectPaths(_ paths: [ObjectPath]) -> DBusValue {
    .array(.objectPath, paths.map { .objectPath($0) })
  }
}
