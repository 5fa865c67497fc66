/// A value of any D-Bus type.
///
/// Strings are sent up to their first NUL, which D-Bus cannot carry. A value is sent only if it matches its type, takes at
/// most 64 MiB and is nested at most 64 levels deep; a received value always is well-formed.
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#type-system>
public enum Value: Hashable, Sendable {
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
  case signature(Signature)
  /// `h`
  case fileDescriptor(FileDescriptor)
  /// `a…`: the type of one element, which an empty array needs too, and the elements.
  case array(Signature, [Value])
  /// `(…)`, with at least one field.
  case structure([Value])
  /// `{…}`, only as an element of an array.
  indirect case dictionaryEntry(Value, Value)
  /// `v`
  indirect case variant(Value)

  /// The type of the value.
  public var signature: Signature {
    switch self {
    case .array(let element, _): Signature(unchecked: "a" + element.rawValue)
    case .structure(let fields): Signature(unchecked: "(" + Signature(of: fields).rawValue + ")")
    case .dictionaryEntry(.string, .variant): .entry
    case .dictionaryEntry(let key, let value):
      Signature(unchecked: "{" + key.signature.rawValue + value.signature.rawValue + "}")
    default: Signature(unchecked: String(UnicodeScalar(typeCode)))
    }
  }

  /// The first character of the signature, which says all of it for a type that is no container.
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

extension Signature {
  /// The signature of a list of values.
  init(of values: [Value]) { self.init(unchecked: values.map(\.signature.rawValue).joined()) }
}

extension Value {
  /// A dictionary `a{sv}` that keeps the order of its entries; each value is wrapped in a variant here.
  public static func dictionary(_ entries: [(String, Value)]) -> Value {
    .array(.entry, entries.map { .dictionaryEntry(.string($0.0), .variant($0.1)) })
  }

  /// An array `as`.
  public static func strings(_ strings: [String]) -> Value { .array(.string, strings.map { .string($0) }) }

  /// An array `ao`.
  public static func objectPaths(_ paths: [ObjectPath]) -> Value { .array(.objectPath, paths.map { .objectPath($0) }) }
}
